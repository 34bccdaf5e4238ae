#include "interfaces/shell/visible_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace saccade::shell {
namespace {

constexpr int kTabStop = 8;

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

void append(VisibleLine& line, const Character& character) {
  if (character.code == '\t') {
    const int blanks = kTabStop - line.width % kTabStop;
    line.text.append(static_cast<std::size_t>(blanks), ' ');
    line.width += blanks;
  } else if (const std::string escape = escape_of(character); !escape.empty()) {
    line.text += escape;
    line.width += static_cast<int>(escape.size());
  } else {
    line.text += character.bytes;
    line.width += character.width;
  }
}

}  // namespace

std::string escape_of(const Character& character) {
  const char32_t code = character.code;
  if (code == '\n' || code == '\t') return "";
  if (code == '\r') return "\\r";
  if (!character.valid || code < 0x20 || code == 0x7f) return fmt::format("\\x{:02X}", static_cast<unsigned>(code));
  if (code >= 0x80 && code < 0xa0) return fmt::format("\\u{:04X}", static_cast<unsigned>(code));
  return "";
}

std::vector<VisibleLine> visible_lines(std::string_view text) {
  if (is_plain(text)) return {{std::string(text), static_cast<int>(text.size())}};
  std::vector<VisibleLine> lines(1);
  while (!text.empty()) {
    const Character character = first_character(text);
    text.remove_prefix(character.bytes.size());
    if (character.code == '\n') {
      lines.emplace_back();
    } else {
      append(lines.back(), character);
    }
  }
  return lines;
}

int visible_width(std::string_view text) {
  if (is_plain(text)) return static_cast<int>(text.size());
  int width = 0;
  for (const VisibleLine& line : visible_lines(text)) width = std::max(width, line.width);
  return width;
}

std::string visible_text(std::string_view text) {
  std::string result;
  for (const VisibleLine& line : visible_lines(text)) result += line.text + '\n';
  result.pop_back();
  return result;
}

}  // namespace saccade::shell
