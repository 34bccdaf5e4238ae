// UTF-8 text as a terminal shows it.
#pragma once

#include <string_view>
#include <vector>

namespace saccade::shell {

struct Character {
  std::string_view bytes;  // of one code point; one byte where the text is no UTF-8
  int width = 1;           // terminal columns: 0 (combining), 1 or 2 (wide)
  char32_t code = 0;       // the code point, or the byte
  bool valid = true;       // UTF-8
};

// The first character of a text that is not empty. Needs LC_CTYPE to be a UTF-8 locale; use_utf8() makes it so.
Character first_character(std::string_view text);
std::vector<Character> characters(std::string_view text);
int display_width(std::string_view text);
void use_utf8();

}  // namespace saccade::shell
