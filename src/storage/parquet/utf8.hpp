// Whether bytes are well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace saccade {

bool is_valid_utf8(std::string_view text);

// Errors: 22021 naming `where`, a place in a file.
void check_utf8(std::string_view text, const std::string& where);

// Whether all bytes are below 0x80.
bool is_ascii(std::string_view bytes);

}  // namespace saccade
