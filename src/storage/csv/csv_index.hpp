// Where a CSV file's rows can be begun to be read: the file in blocks that begin and end with a row, each with its number of
// rows.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/memory_pool.hpp"
#include "storage/csv/csv_options.hpp"
#include "storage/input_file.hpp"

namespace saccade {

struct CsvBlock {
  std::int64_t offset = 0, bytes = 0;
  std::int64_t first_line = 1;
  std::int64_t rows = 0;
};

// Reads the file once from `offset`, where line `first_line` begins. Blocks have about 4 MiB; longer where a row is. Blank
// lines are counted as rows where `one_column`. Errors: 22P04 a quoted field that is not closed, 58030, 53200, 57014.
std::vector<CsvBlock> index_csv(const InputFile& file, const CsvDialect& dialect, std::int64_t offset, std::int64_t first_line,
                                bool one_column, MemoryPool& pool);

}  // namespace saccade
