// Reads values from text by PostgreSQL's rules: constants of a statement, casts of text, fields of files.
//
// Pure functions, callable from any thread.
#pragma once

#include <string_view>

#include "data/value.hpp"

namespace saccade {

// Errors, without a position: 22P02, 22003, 22007, 22008, and those of data/value.hpp. A numeric has the precision and scale it
// is written with. A char loses its trailing blanks; what is longer than a varchar or a char may be is cut off, as an explicit
// cast does. `context` is for times with a zone and for words like now.
Value parse_value(std::string_view text, const DataType& type, const TimeContext& context = {});

// Whether an integer (of a numeric: its value * 10^scale) is within the range of `type`.
bool fits(int128 value, const DataType& type);

// At most `length` characters of a UTF-8 text.
std::string_view truncate_text(std::string_view text, std::int64_t length);

}  // namespace saccade
