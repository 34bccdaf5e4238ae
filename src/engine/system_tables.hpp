// information_schema.tables and information_schema.columns: tables made from the catalog when a statement names them.
#pragma once

#include <memory>
#include <string>

#include "catalog/catalog.hpp"
#include "memory/memory_pool.hpp"

namespace saccade {

inline constexpr const char* kInformationSchema = "information_schema";

// Opens files by `files`, and the tables of information_schema from `catalog`, as they are when they are opened. All of their
// rows are rank 0's. `catalog` and `pool` must outlive it.
std::unique_ptr<FileOpener> make_system_opener(std::unique_ptr<FileOpener> files, const Catalog& catalog, MemoryPool& pool);

}  // namespace saccade
