// The columns of tables in device memory, encoded as on the host and kept from query to query.
//
// A column is one array (the rank's chunks one after the other, under one base) and, where it may be null, one bitmap. Columns
// in use are held by whoever acquired them; the others go, least recently used first, when device memory runs out. Shared by
// the runtimes of a process; thread-safe, but a column belongs to the runtime that loaded it.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "execution/gpu/device_memory.hpp"
#include "execution/query_context.hpp"
#include "physical/physical_plan.hpp"

namespace saccade::gpu {

struct ResidentColumn {
  DeviceMemory values, validity;
  ColumnAddress address;
};

// What a scan asks for.
struct ScanShare {
  const Table& table;
  const physical::TableScan& scan;
  const std::vector<physical::Slot>& slots;  // of the pipeline
  int rank = 0;
  int ranks = 1;
};

class Residency {
 public:
  using Columns = std::vector<std::shared_ptr<const ResidentColumn>>;

  // The columns of the scan, in its order, loaded where they are missing. Errors: those of loading, 53200, 57014; XX001 where a
  // chunk does not hold to the plan's encoding.
  Columns acquire(DeviceRuntime& runtime, const ScanShare& share, MemoryPool& pool, const Cancellation& cancellation);

  // Device memory for anything else; columns that nobody uses give way. Errors: 53200.
  DeviceMemory allocate(DeviceRuntime& runtime, std::int64_t bytes);

  // Drops all columns of a runtime that is about to end.
  void forget(const DeviceRuntime& runtime);

  // Bytes of all columns. For tests and profiles.
  std::int64_t bytes() const;

 private:
  struct Key {
    const DeviceRuntime* runtime;
    std::string table;
    std::uint64_t version;
    std::int64_t rows;  // over all ranks
    int column, rank, ranks;
    bool nullable;
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const ResidentColumn> column;
  };

  std::shared_ptr<const ResidentColumn> find(const Key& key);
  void keep(Key key, std::shared_ptr<const ResidentColumn> column);
  bool evict_one(const DeviceRuntime& runtime);

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
};

}  // namespace saccade::gpu
