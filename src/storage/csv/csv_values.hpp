// Turns the fields of one column of a CSV file into values of its type.
#pragma once

#include <memory>

#include "storage/csv/csv_options.hpp"
#include "storage/csv/csv_rows.hpp"
#include "storage/part_columns.hpp"

namespace saccade {

// What all columns of a file share.
struct CsvValueRules {
  CsvDialect dialect;
  std::vector<std::string> null_texts;
};

// Sets row `row` of the column. Errors, without their place in the file: 22P02, 22003, 22007, 22008, 22001 (a text longer than
// its type), 22021 (text that is not UTF-8), 53200.
void set_csv_value(PartColumn& column, std::int64_t row, const CsvField& field, const CsvValueRules& rules);

}  // namespace saccade
