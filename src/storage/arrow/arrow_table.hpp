// Arrow IPC files (Feather version 2) and streams as a Table: a column is read and kept in memory when a statement first uses
// it.
#pragma once

#include <memory>
#include <string>

#include "catalog/table.hpp"

namespace saccade {

// `path`: see expand_paths(); several files have the same columns. `opener`: the call's text. What the table keeps is counted
// in `pool`, which must outlive it. Errors: those of InputFile, XX001, 0A000 Feather version 1, 42804 files that differ, 53200;
// of columns, those of set_arrow_values().
std::shared_ptr<Table> open_arrow(const std::string& path, const std::string& opener, MemoryPool& pool, int threads);

}  // namespace saccade
