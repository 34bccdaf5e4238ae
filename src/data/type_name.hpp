// The names of types in text: options of files, and wherever no parser has read them.
#pragma once

#include <string_view>

#include "data/data_type.hpp"

namespace saccade {

// "integer", "int4", "numeric(10, 2)", "timestamp with time zone", in any case. Errors: 42704 no such type, 22023 an impossible
// precision or length; 0A000 a bare numeric, which has no scale here.
DataType parse_type_name(std::string_view text);

}  // namespace saccade
