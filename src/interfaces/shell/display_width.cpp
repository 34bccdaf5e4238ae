#include "interfaces/shell/display_width.hpp"

#include <clocale>
#include <cwchar>

namespace saccade::shell {

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {text.substr(0, 1), 1, first, true};
  std::mbstate_t state{};
  wchar_t code = 0;
  const std::size_t length = std::mbrtowc(&code, text.data(), text.size(), &state);
  if (length == 0 || length > text.size()) return {text.substr(0, 1), 1, first, false};
  const int width = wcwidth(code);
  return {text.substr(0, length), width < 0 ? 1 : width, static_cast<char32_t>(code), true};
}

std::vector<Character> characters(std::string_view text) {
  std::vector<Character> result;
  result.reserve(text.size());
  while (!text.empty()) {
    result.push_back(first_character(text));
    text.remove_prefix(result.back().bytes.size());
  }
  return result;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += character.width;
    text.remove_prefix(character.bytes.size());
  }
  return width;
}

void use_utf8() {
  std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace saccade::shell
