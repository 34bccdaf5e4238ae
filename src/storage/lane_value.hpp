// Reads values of rows (data/row_set.hpp) one at a time, with what their type and dictionary say. Pure functions.
#pragma once

#include <string_view>

#include "data/row_set.hpp"
#include "data/value.hpp"

namespace saccade {

// Undefined at nulls. Of an integer lane; of a text lane or of codes of `dictionary`.
int128 integer_at(const LaneColumn& column, std::int64_t row);
std::string_view text_at(const LaneColumn& column, const Dictionary* dictionary, std::int64_t row);
Value value_at(const LaneColumn& column, const DataType& type, const Dictionary* dictionary, std::int64_t row);

}  // namespace saccade
