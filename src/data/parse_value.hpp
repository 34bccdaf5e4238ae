// Reads values from text by PostgreSQL's rules: constants of a statement, casts of text, fields of files.
//
// Pure functions, callable from any thread.
#pragma once

#include <string_view>

#include "data/value.hpp"

namespace saccade {

// Errors, without a position: 22P02, 22003, 22007, 22008. A numeric has the precision and scale it is written with.
Value parse_value(std::string_view text, const DataType& type);

// Whether an integer (of a numeric: its value * 10^scale) is within the range of `type`.
bool fits(int128 value, const DataType& type);

}  // namespace saccade
