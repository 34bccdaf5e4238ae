// Opens files as tables by their path: read_file('x.parquet'), read_parquet('x').
#pragma once

#include <memory>

#include "catalog/catalog.hpp"

namespace saccade {

// A table lives as long as somebody holds it: values and dictionaries that were read go with the statements that read them.
// The footers of Parquet files stay, until a file's size or time of change differs. What is kept is counted in `pool`, which
// must outlive the opener and its tables. `threads`: for reading text columns, 0 for one per core. Thread-safe.
std::unique_ptr<FileOpener> make_file_opener(MemoryPool& pool, int threads = 0);

}  // namespace saccade
