#include "interfaces/shell/error_text.hpp"

#include <algorithm>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/visible_text.hpp"

namespace saccade::shell {
namespace {

constexpr std::size_t kLineCharacters = 70;  // of a long line, what stands around the position
constexpr std::size_t kBeforePosition = 45;

// One line of the statement; what a terminal would not show becomes a blank, so that the caret's place is known.
struct Line {
  std::vector<Character> characters;
  std::size_t number = 1;
  std::size_t place = 0;  // of the position in it
};

// False where the position lies outside of the statement.
bool find_line(std::string_view statement, std::size_t position, Line& line) {
  const std::vector<Character> all = characters(statement);
  if (position > all.size() + 1) return false;
  const auto is_newline = [](const Character& character) { return character.bytes == "\n"; };
  const auto target = all.begin() + static_cast<std::ptrdiff_t>(position - 1);
  auto begin = target;
  while (begin != all.begin() && !is_newline(begin[-1])) --begin;
  line.characters.assign(begin, std::find_if(target, all.end(), is_newline));
  line.number = static_cast<std::size_t>(std::count_if(all.begin(), begin, is_newline)) + 1;
  line.place = static_cast<std::size_t>(target - begin);
  for (Character& character : line.characters) {
    if (character.code == '\t' || !escape_of(character).empty()) character = {" ", 1, ' ', true};
  }
  return true;
}

std::string position_text(std::string_view statement, int position) {
  Line line;
  if (position <= 0 || !find_line(statement, static_cast<std::size_t>(position), line)) return {};
  std::size_t begin = 0, end = line.characters.size();
  if (end > kLineCharacters) {
    begin = line.place > kBeforePosition ? line.place - kBeforePosition : 0;
    end = std::min(end, begin + kLineCharacters);
  }
  std::string text = "LINE " + std::to_string(line.number) + ": " + (begin > 0 ? "..." : "");
  std::string caret(static_cast<std::size_t>(display_width(text)), ' ');
  for (std::size_t i = begin; i < end; ++i) {
    text += line.characters[i].bytes;
    if (i < line.place) caret.append(static_cast<std::size_t>(line.characters[i].width), ' ');
  }
  return text + (end < line.characters.size() ? "..." : "") + "\n" + caret + "^\n";
}

}  // namespace

std::string error_text(const QueryError& error, std::string_view statement) {
  std::string text = "ERROR:  " + error.sqlstate + ": " + visible_text(error.what()) + "\n";
  text += position_text(statement, error.position);
  if (!error.hint.empty()) text += "HINT:  " + visible_text(error.hint) + "\n";
  return text;
}

int line_of(const QueryError& error, std::string_view statement) {
  Line line;
  const bool found = error.position > 0 && find_line(statement, static_cast<std::size_t>(error.position), line);
  return found ? static_cast<int>(line.number) : 1;
}

}  // namespace saccade::shell
