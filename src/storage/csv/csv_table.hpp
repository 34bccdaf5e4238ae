// CSV files as a Table. What they are made of is found out when they are opened, with their rows counted; a column's values are
// read and kept in memory when a statement first uses it.
#pragma once

#include <memory>
#include <string>

#include "catalog/table.hpp"
#include "storage/csv/csv_options.hpp"

namespace saccade {

// `path`: see expand_paths(); several files have the same columns. `opener`: the call's text. What the table keeps is counted
// in `pool`, which must outlive it. `threads`: 0 for one per core. Errors: those of InputFile, detect_csv() and index_csv();
// 42804 files that differ in their headers. Errors of columns: 22P04 a row with too few or too many fields, and those of
// set_csv_value(), with file, line and column.
std::shared_ptr<Table> open_csv(const std::string& path, const std::string& opener, const CsvOptions& options, MemoryPool& pool,
                                int threads);

}  // namespace saccade
