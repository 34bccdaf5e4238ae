// Parquet files as a Table: a chunk is a row group; encodings come from the footers' statistics.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catalog/table.hpp"

namespace saccade {

// The files that a path names: itself where it exists; else each of a comma-separated list, and patterns with * ? [ ] in
// alphabetical order. Errors: 58P01 where a part names no file.
std::vector<std::string> expand_paths(const std::string& path);

// One file, or several of the same columns read one after the other. What the table keeps (dictionaries and codes of text
// columns) is counted in `pool`, which must outlive it. `threads`: for prepare(), 0 for one per core.
// Errors: 58P01, 58030, XX001; 42804 where the files differ in their columns.
std::shared_ptr<Table> open_parquet(const std::string& path, MemoryPool& pool, int threads = 0);

// Changes with the files that a path names, and with each one's size and time of change. Errors: 58P01, 58030.
std::uint64_t parquet_version(const std::string& path);

}  // namespace saccade
