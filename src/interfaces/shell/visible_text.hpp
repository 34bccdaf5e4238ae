// Text of a result or a message in a form that is safe to show: what would move the cursor, change the terminal's state or
// is no text at all is escaped, as psql does it: \r, \x1B (a control character or a byte that is no UTF-8), \u0085.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interfaces/shell/display_width.hpp"

namespace saccade::shell {

struct VisibleLine {
  std::string text;
  int width = 0;  // terminal columns
};

// The lines of a text, at least one. A tab becomes blanks up to the next stop of 8.
std::vector<VisibleLine> visible_lines(std::string_view text);

// The same in one string, its lines ended by newlines but for the last.
std::string visible_text(std::string_view text);

// Columns of the widest line.
int visible_width(std::string_view text);

// The escape of a character that must not reach a terminal; empty for all others, newlines and tabs among them.
std::string escape_of(const Character& character);

}  // namespace saccade::shell
