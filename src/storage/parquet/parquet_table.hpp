// Parquet files as a Table: a chunk is a row group; encodings come from the footers' statistics.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "catalog/table.hpp"

namespace saccade {

// One file, or several of the same columns read one after the other. What the table keeps (dictionaries and codes of text
// columns) is counted in `pool`, which must outlive it. `threads`: for prepare(), 0 for one per core.
// `path`: see expand_paths(). Errors: those of InputFile, XX001; 42804 where the files differ in their columns.
std::shared_ptr<Table> open_parquet(const std::string& path, MemoryPool& pool, int threads = 0);

}  // namespace saccade
