// Join builds: rows are collected, then ranked (kDense) or hashed (kHash) by fixed kernels.
#include <algorithm>
#include <bit>

#include "common/error.hpp"
#include "execution/gpu/gpu_backend_run.hpp"

namespace saccade::gpu {

namespace {

constexpr std::int64_t kEntryBytes = 16;  // DenseEntry of device/probe.cuh
constexpr std::int64_t kKeysPerEntry = 64;

[[noreturn]] void raise_repeated(const physical::JoinBuild& build) {
  if (build.assumed_column >= 0) throw AssumptionFailed(build.assumed_table, build.assumed_column);
  throw Error(sqlstate::kInternalError, "a join build of proven unique keys met a key twice");
}

}  // namespace

std::shared_ptr<PipelineOutput> GpuPipelineRun::run_build(const physical::JoinBuild& build) {
  auto output = std::make_shared<DeviceBuild>();
  output->runtime = &context_.runtime;
  output->layout = build.layout;
  if (build.layout == physical::JoinBuild::Layout::kHash) {
    Collected collected = collect(0, 0, 0, 0);
    finish_hash(build, *output, collected);
  } else if (build.layout == physical::JoinBuild::Layout::kAllRows) {
    Collected collected = collect(0, 0, 0, 0);
    keep_rows(build, *output, collected);
  } else {
    const int128 range = build.key_bounds.high - build.key_bounds.low + 1;
    SACCADE_CHECK(range >= 0 && range < int128{INT64_MAX} - kKeysPerEntry);
    output->low = static_cast<std::int64_t>(build.key_bounds.low);
    output->range = static_cast<std::int64_t>(range);
    const std::int64_t bytes = (output->range / kKeysPerEntry + 1) * (emitted_.needs_rows ? kEntryBytes : 8);
    output->memory.push_back(context_.allocate(bytes));
    output->entries = output->memory.back().address();
    Collected collected = collect(output->entries, bytes, output->low, output->range);
    if (collected.report.overflow != 0) {
      throw Error(sqlstate::kDataCorrupted, "a join key lies outside of the bounds that the table's statistics give", 0,
                  "The table's statistics are wrong: write it again.");
    }
    if (collected.report.repeated != 0 && !build.distinct) raise_repeated(build);
    finish_dense(build, *output, collected);
  }
  if (build.track_matches) {
    output->memory.push_back(context_.allocate(output->rows));
    output->matched = output->memory.back().address();
    if (output->rows > 0) context_.runtime.fill(output->matched, 0, output->rows);
  }
  profile_.rows_out = output->rows;
  return output;
}

// What was collected stays where it is: key parts first, then payload.
void GpuPipelineRun::keep_rows(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected) {
  output.rows = collected.rows;
  for (DeviceMemory& memory : collected.memory) output.memory.push_back(std::move(memory));
  for (std::size_t i = 0; i < emitted_.columns.size(); ++i) {
    if (i < build.keys.size()) {
      output.parts.push_back(collected.columns[i].values);
    } else {
      output.payload.push_back({emitted_.columns[i], collected.columns[i]});
    }
  }
}

void GpuPipelineRun::finish_dense(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected) {
  if (!emitted_.needs_rows) {
    // Nobody counts the bits of a bitmap: the rows that the last step let through have set them.
    output.rows = profile_.steps.empty() ? rows_ : profile_.steps.back().rows;
    return;
  }
  output.rows = collected.rows;
  const std::int64_t entries = output.range / kKeysPerEntry + 1;
  const DeviceMemory sums = context_.allocate(Primitives::kRankBlocks * 8);
  context_.primitives.rank(output.entries, entries, sums.address());
  std::vector<ScatterColumn> columns;
  for (std::size_t i = 1; i < emitted_.columns.size(); ++i) {
    const EmittedColumn& column = emitted_.columns[i];
    ColumnAddress address;
    const auto scatter = [&](DeviceAddress from, std::int64_t width) {
      output.memory.push_back(context_.allocate(collected.rows * width));
      columns.push_back({from, output.memory.back().address(), width});
      return output.memory.back().address();
    };
    address.values = scatter(collected.columns[i].values, item_bytes(column.item));
    if (column.nullable) address.validity = scatter(collected.columns[i].validity, 1);
    output.payload.push_back({column, address});
  }
  SACCADE_CHECK(output.payload.size() == build.payload.size());
  if (collected.rows == 0) return;
  context_.primitives.scatter_rows(collected.status.address(), collected.rows, collected.columns[0].values,
                                   item_bytes(emitted_.columns[0].item), output.entries, output.low, columns);
}

void GpuPipelineRun::finish_hash(const physical::JoinBuild& build, DeviceBuild& output, Collected& collected) {
  keep_rows(build, output, collected);
  const auto slots = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(collected.rows) * 2 + 1));
  output.slot_mask = static_cast<std::uint64_t>(slots) - 1;
  output.memory.push_back(context_.allocate(slots * 8));
  output.slots = output.memory.back().address();
  output.memory.push_back(context_.allocate(collected.rows * 8));
  output.next = output.memory.back().address();
  context_.runtime.fill(output.slots, 0, slots * 8);
  context_.runtime.fill(output.next, 0, collected.rows * 8);
  if (collected.rows == 0) return;
  context_.primitives.hash_build(collected.rows, collected.status.address(), output.slots, output.slot_mask, output.next,
                                 output.parts);
  if (!build.unique || build.distinct || build.assumed_column < 0) return;
  if (read_status(collected.status.address()).repeated != 0) raise_repeated(build);
}

}  // namespace saccade::gpu
