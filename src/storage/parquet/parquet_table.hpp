// Parquet files as a Table: a chunk is a row group or a piece of one; encodings come from the footers' statistics.
#pragma once

#include <memory>
#include <string>

#include "storage/parquet/parquet_layout.hpp"

namespace saccade {

// One file, or several of the same columns read one after the other. `path`: see expand_paths(). What it holds is counted in
// `pool`, which must outlive it. Errors: those of InputFile, XX001; 42804 where the files differ in their columns.
std::shared_ptr<const ParquetLayout> read_parquet_layout(const std::string& path, MemoryPool& pool);

// The table for one statement, or several at the same time: dictionaries of text columns are read for it, and go with it. They
// are counted in `pool`, which must outlive it. `threads`: for prepare(), 0 for one per core.
std::shared_ptr<Table> make_parquet_table(std::shared_ptr<const ParquetLayout> layout, MemoryPool& pool, int threads = 0);

// Both.
std::shared_ptr<Table> open_parquet(const std::string& path, MemoryPool& pool, int threads = 0);

}  // namespace saccade
