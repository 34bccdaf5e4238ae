// TPC-H's tables in memory, without files.
#pragma once

#include <memory>
#include <vector>

#include "catalog/table.hpp"
#include "storage/memory_table.hpp"
#include "storage/tpch/schema.hpp"

namespace saccade::tpch {

struct LoadRequest {
  TableId table = TableId::kRegion;
  Scale scale{1};
  std::vector<int> columns;            // by their place in the schema; the table has these, in this order
  int ranks = 1;                       // over all processes
  std::vector<int> local_ranks = {0};  // of this process, ascending
  int threads = 0;                     // 0: one per core
};

// A table of the rows of this process's ranks; each rank has a run of them, in their order. Every process makes all values of
// text, of which the dictionaries are made, so that they are the same everywhere. `agree`: see MemoryTableBuilder. Rows and
// dictionaries are counted in `pool`, which must outlive the table. Errors: 53200, and those of `agree`.
std::shared_ptr<Table> load(const LoadRequest& request, const MemoryTableBuilder::Agree& agree, MemoryPool& pool);

}  // namespace saccade::tpch
