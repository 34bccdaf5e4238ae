// What a pipeline leaves on the device: rows in dense lanes, groups that become rows when they are asked for, and join builds.
//
// Owned by the query; freed into the runtime's pool in stream order. They belong to one backend, which outlives them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/backend.hpp"
#include "execution/gpu/device_memory.hpp"
#include "execution/gpu/emitter.hpp"
#include "execution/gpu/primitives/primitives.hpp"
#include "execution/gpu/residency.hpp"

namespace saccade::gpu {

struct DeviceContext {
  DeviceRuntime& runtime;
  Primitives& primitives;
  Residency& residency;

  DeviceMemory allocate(std::int64_t bytes) const { return residency.allocate(runtime, bytes); }
};

// Dense lanes: int64, int128, float64, or a byte for booleans; validity of a byte a row.
struct DeviceRows {
  std::int64_t rows = 0;
  struct LaneAddress {
    Lane lane = Lane::kInt64;
    ColumnAddress address;
  };
  std::vector<LaneAddress> columns;
  std::vector<DeviceMemory> memory;
};

class DeviceOutput : public PipelineOutput {
 public:
  // `pool` counts what is downloaded; it must live as long as the output.
  DeviceOutput(const DeviceContext& context, MemoryPool& pool) : context_(context), pool_(pool) {}
  virtual const DeviceRows& device_rows() = 0;
  // Packed on the device, then one download.
  const RowSet& host_rows() override;
  bool belongs_to(const DeviceRuntime& runtime) const { return &runtime == &context_.runtime; }

 protected:
  DeviceContext context_;

 private:
  MemoryPool& pool_;
  std::optional<RowSet> host_;
};

// Rows that a pipeline has collected.
class CollectedRows final : public DeviceOutput {
 public:
  CollectedRows(const DeviceContext& context, MemoryPool& pool, DeviceRows rows)
      : DeviceOutput(context, pool), rows_(std::move(rows)) {}
  const DeviceRows& device_rows() override { return rows_; }

 private:
  DeviceRows rows_;
};

// The groups that have a row: their numbers, and what to gather by them.
class DeviceGroups final : public DeviceOutput {
 public:
  struct Source {
    Lane lane = Lane::kInt64;
    GatherColumn values;
    DeviceAddress validity = 0;  // a byte a row; 0: never null
  };
  // `owners`: the states, the build, and whatever else the sources point to.
  DeviceGroups(const DeviceContext& context, MemoryPool& pool, std::int64_t rows, DeviceMemory list,
               std::vector<Source> sources, std::vector<DeviceMemory> owners, std::shared_ptr<PipelineOutput> build)
      : DeviceOutput(context, pool),
        count_(rows),
        list_(std::move(list)),
        sources_(std::move(sources)),
        owners_(std::move(owners)),
        build_(std::move(build)) {}
  const DeviceRows& device_rows() override;

 private:
  std::int64_t count_;
  DeviceMemory list_;
  std::vector<Source> sources_;
  std::vector<DeviceMemory> owners_;
  std::shared_ptr<PipelineOutput> build_;
  std::optional<DeviceRows> rows_;
};

// Gathers columns into new dense lanes, one piece of memory for all. `list`: 0 for all rows in order.
DeviceRows gather_rows(const DeviceContext& context, std::int64_t rows, DeviceAddress list,
                       const std::vector<DeviceGroups::Source>& sources);

// The build side of a join (device/probe.cuh).
class DeviceBuild final : public PipelineOutput {
 public:
  const RowSet& host_rows() override;

  const DeviceRuntime* runtime = nullptr;
  physical::JoinBuild::Layout layout = physical::JoinBuild::Layout::kHash;
  std::int64_t rows = 0;
  // kDense: entries (DenseEntry, or words of bits alone) over low .. low + range - 1.
  DeviceAddress entries = 0;
  std::int64_t low = 0, range = 0;
  // kHash
  DeviceAddress slots = 0, next = 0;
  std::uint64_t slot_mask = 0;
  std::vector<DeviceAddress> parts;
  DeviceAddress matched = 0;  // a byte a row that a probe has found; 0: nobody asks
  struct Payload {
    EmittedColumn column;
    ColumnAddress address;
  };
  std::vector<Payload> payload;
  std::vector<DeviceMemory> memory;
};

}  // namespace saccade::gpu
