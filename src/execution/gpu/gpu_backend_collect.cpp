// Sinks that collect rows, and join builds: places are counted while the kernel runs, and it runs again where they were too
// few.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/error.hpp"
#include "execution/gpu/gpu_backend_run.hpp"

namespace saccade::gpu {

namespace {

constexpr std::int64_t kSmallOutput = 4096;
constexpr double kRoomOverEstimate = 1.3;
constexpr double kLargestEstimate = 1e15;
constexpr std::int64_t kTileRows = 8;

bool multiplies_rows(const physical::Plan& plan, const physical::Pipeline& pipeline) {
  return std::any_of(pipeline.steps.begin(), pipeline.steps.end(), [&](const physical::Step& step) {
    const auto* probe = std::get_if<physical::Probe>(&step);
    return probe != nullptr &&
           !std::get<physical::JoinBuild>(plan.pipelines.at(static_cast<std::size_t>(probe->build)).sink).unique;
  });
}

std::shared_ptr<Buffer> pick(const Buffer& from, int width, const std::vector<std::int64_t>& order, MemoryPool& pool) {
  std::shared_ptr<Buffer> to = Buffer::allocate(static_cast<std::int64_t>(order.size()) * width, pool);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::memcpy(to->data() + i * static_cast<std::size_t>(width), from.data() + order[i] * width,
                static_cast<std::size_t>(width));
  }
  return to;
}

}  // namespace

RowSet sort_rows(const RowSet& rows, std::size_t key_parts, std::int64_t offset, std::optional<std::int64_t> limit,
                 MemoryPool& pool) {
  const std::size_t columns = rows.columns.size() - key_parts;
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.rows));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    for (std::size_t part = columns; part < rows.columns.size(); ++part) {
      const auto* values = rows.columns[part].as<std::int64_t>();
      if (values[a] != values[b]) return values[a] < values[b];
    }
    return a < b;
  });
  const auto first = std::min(static_cast<std::size_t>(offset), order.size());
  std::size_t count = order.size() - first;
  if (limit) count = std::min(count, static_cast<std::size_t>(*limit));
  order = std::vector<std::int64_t>(order.begin() + static_cast<std::ptrdiff_t>(first),
                                    order.begin() + static_cast<std::ptrdiff_t>(first + count));
  RowSet sorted;
  sorted.rows = static_cast<std::int64_t>(order.size());
  for (std::size_t i = 0; i < columns; ++i) {
    const LaneColumn& column = rows.columns[i];
    LaneColumn result{column.lane, pick(*column.values, lane_bytes(column.lane), order, pool), nullptr};
    if (column.valid) result.valid = pick(*column.valid, 1, order, pool);
    sorted.columns.push_back(std::move(result));
  }
  return sorted;
}

// No more than the source has, where no join multiplies rows.
std::int64_t GpuPipelineRun::first_capacity() const {
  const double estimate = std::clamp(pipeline_.estimated_rows * kRoomOverEstimate, 0.0, kLargestEstimate);
  const std::int64_t capacity = static_cast<std::int64_t>(estimate) + kSmallOutput;
  return multiplies_rows(state_.plan, pipeline_) ? capacity : std::min(capacity, rows_);
}

GpuPipelineRun::Collected GpuPipelineRun::collect(DeviceAddress bits, std::int64_t bit_bytes, std::int64_t low,
                                                  std::int64_t range) {
  for (std::int64_t capacity = first_capacity();;) {
    Collected collected;
    collected.capacity = capacity;
    collected.status = context_.allocate(sizeof(DeviceStatus));
    context_.runtime.fill(collected.status.address(), 0, sizeof(DeviceStatus));
    if (bit_bytes > 0) context_.runtime.fill(bits, 0, bit_bytes);
    for (const EmittedColumn& column : emitted_.columns) {
      const std::int64_t padded = (capacity + kTileRows - 1) / kTileRows * kTileRows;
      collected.memory.push_back(context_.allocate(padded * item_bytes(column.item)));
      ColumnAddress address{.values = collected.memory.back().address()};
      if (column.nullable) {
        collected.memory.push_back(context_.allocate(padded));
        address.validity = collected.memory.back().address();
        // A value that is never null writes no validity.
        context_.runtime.fill(address.validity, 1, padded);
      }
      collected.columns.push_back(address);
    }
    ArgumentBlock arguments(emitted_.arguments);
    set_common(arguments, collected.status.address());
    for (const Argument& argument : emitted_.arguments.arguments()) {
      if (argument.kind == ArgumentKind::kCapacity) arguments.set(argument, capacity);
      if (argument.kind == ArgumentKind::kOwnBuild) arguments.set(argument, bits, low, range);
      if (argument.kind == ArgumentKind::kOutput) {
        const ColumnAddress& column = collected.columns.at(static_cast<std::size_t>(argument.index));
        arguments.set(argument, column.values, column.validity);
      }
    }
    launch(arguments);
    collected.report = read_status(collected.status.address());
    collected.rows = static_cast<std::int64_t>(collected.report.rows);
    if (collected.rows <= capacity) return collected;
    capacity = collected.rows;
  }
}

std::shared_ptr<PipelineOutput> GpuPipelineRun::run_collect(const std::vector<physical::Node>& keys,
                                                            const physical::Sort* sort) {
  Collected collected = collect(0, 0, 0, 0);
  profile_.rows_out = collected.rows;
  const std::vector<physical::Slot> slots = physical::output_slots(state_.plan, pipeline_.id);
  DeviceRows rows;
  rows.rows = collected.rows;
  rows.memory = std::move(collected.memory);
  for (std::size_t i = 0; i < collected.columns.size(); ++i) {
    rows.columns.push_back({i < slots.size() ? slots[i].lane : Lane::kInt64, collected.columns[i]});
  }
  auto output = std::make_shared<CollectedRows>(context_, state_.query.pool, std::move(rows));
  if (sort == nullptr) return output;
  profile_.steps.push_back({"sort (on the host)", collected.rows});
  return std::make_shared<HostRows>(sort_rows(output->host_rows(), keys.size(), sort->offset, sort->limit, state_.query.pool));
}

}  // namespace saccade::gpu
