// Fields of dates, times and intervals by their names.
#pragma once

#include <string_view>

#include "function/scalar/date_field.hpp"
#include "plan/expression.hpp"

namespace saccade {

// PostgreSQL's name of a field that may be written otherwise ("mons", "y"); other words as they are.
std::string_view field_name(std::string_view word);

// The number of a field as an argument of a function.
Expression field_argument(DateField field);

// A field that a type does not have (0A000), or that no type has (22023).
[[noreturn]] void raise_field(bool known, std::string_view field, const DataType& type, int position);

}  // namespace saccade
