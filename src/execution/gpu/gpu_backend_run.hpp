// One pipeline on its way through the device: source, arguments, launches, and the output of its sink.
//
// The kernel runs again where the output turned out larger than the room that estimates gave it. One use, one thread.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "execution/gpu/gpu_backend_output.hpp"

namespace saccade::gpu {

class GpuPipelineRun {
 public:
  GpuPipelineRun(const DeviceContext& context, const EmittedKernel& emitted, const Kernel* kernel,
                 const physical::Pipeline& pipeline, RunState& state, PipelineProfile& profile);

  std::shared_ptr<PipelineOutput> run();

 private:
  // ---- source (gpu_backend_source.cpp) and arguments (gpu_backend_run.cpp) ----
  void open_source();
  void open_table(const physical::TableScan& scan);
  void open_output(const physical::OutputScan& scan);
  void open_build(const physical::BuildScan& scan);
  void open_several(const physical::Concatenation& inputs);
  DeviceMemory list_matches(const DeviceBuild& build, bool matched);
  ColumnAddress place_lane(std::int64_t rows, const physical::Slot& slot);
  // An earlier pipeline's rows in device memory; uploaded where they are on the host.
  const DeviceRows& rows_on_device(int pipeline);
  DeviceRows upload_rows(const RowSet& rows);
  void upload_lookups();
  const DeviceBuild& build_of(int pipeline) const;
  void set_common(ArgumentBlock& arguments, DeviceAddress status);
  void set_literal(ArgumentBlock& arguments, const Argument& argument) const;
  void set_build(ArgumentBlock& arguments, const Argument& argument) const;
  void launch(const ArgumentBlock& arguments);
  // Downloads the status and raises what it tells of.
  DeviceStatus read_status(DeviceAddress status);
  void check_status(const DeviceStatus& status);

  // ---- collecting sinks and join builds (gpu_backend_collect.cpp, gpu_backend_build.cpp) ----
  struct Collected {
    DeviceMemory status;
    std::vector<DeviceMemory> memory;
    std::vector<ColumnAddress> columns;
    std::int64_t rows = 0;
    std::int64_t capacity = 0;
    DeviceStatus report;
  };
  std::int64_t first_capacity() const;
  // `bits`: zeroed before the kernel runs; 0 bytes: none.
  Collected collect(DeviceAddress bits, std::int64_t bit_bytes, std::int64_t low, std::int64_t range);
  std::shared_ptr<PipelineOutput> run_collect(const std::vector<physical::Node>& keys, const physical::Sort* sort);
  std::shared_ptr<PipelineOutput> run_build(const physical::JoinBuild& build);
  void finish_dense(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected);
  void finish_hash(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected);
  void keep_rows(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected);

  // ---- aggregations (gpu_backend_aggregate.cpp) ----
  struct States {
    DeviceMemory memory;  // the pipeline's status, that of the list, then the states
    std::vector<DeviceAddress> states, locks;
    std::int64_t groups = 0;
    // kHash
    DeviceAddress slots = 0, used = 0;
    std::int64_t slot_count = 0;
    std::vector<DeviceAddress> parts;
    DeviceAddress status() const { return memory.address(); }
    DeviceAddress list_status() const { return memory.address() + sizeof(DeviceStatus); }
  };
  std::shared_ptr<PipelineOutput> run_aggregation(const physical::Aggregation& aggregation);
  States make_states(const physical::Aggregation& aggregation, std::int64_t groups);
  void set_states(ArgumentBlock& arguments, const physical::Aggregation& aggregation, const States& states) const;
  std::shared_ptr<PipelineOutput> host_groups(const physical::Aggregation& aggregation, const States& states);
  std::shared_ptr<PipelineOutput> device_groups(const physical::Aggregation& aggregation, States states);
  std::vector<DeviceGroups::Source> group_sources(const physical::Aggregation& aggregation, const States& states) const;

  const DeviceContext context_;
  const EmittedKernel& emitted_;
  const Kernel* kernel_;
  const physical::Pipeline& pipeline_;
  RunState& state_;
  PipelineProfile& profile_;

  std::int64_t rows_ = 0;
  std::vector<ColumnAddress> columns_;
  std::vector<DeviceAddress> lookups_;
  std::vector<DeviceMemory> memory_;  // of columns and lookups
  std::deque<DeviceRows> uploaded_;   // of the source; places stay
  Residency::Columns resident_;       // in use while the pipeline runs
};

// Rows ordered by their last columns, the key parts, with offset and limit applied; the key parts are gone. The host's part of
// a sort that was placed on the device.
RowSet sort_rows(const RowSet& rows, std::size_t key_parts, std::int64_t offset, std::optional<std::int64_t> limit,
                 MemoryPool& pool);

}  // namespace saccade::gpu
