// Values of Arrow arrays as SQL values: which type a column has, and its rows.
#pragma once

#include <arrow/type_fwd.h>

#include <string>

#include "storage/part_columns.hpp"

namespace saccade {

// kUnknown where the type is not supported (lists, structs, unions, decimals of more than 38 digits).
DataType type_of_arrow(const arrow::DataType& type);

// Appends an array's rows to a column from row `first` on. The array has been validated. Errors, naming `where`: 22021 text
// that is not UTF-8, 22008 a time out of range, 0A000 a time finer than microseconds, 53200.
void set_arrow_values(PartColumn& column, std::int64_t first, const arrow::Array& array, const std::string& where);

}  // namespace saccade
