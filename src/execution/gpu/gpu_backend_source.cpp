// Sources that are rows of earlier pipelines: their output, several outputs in a row, the rows of a join build.
#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "execution/gpu/gpu_backend_run.hpp"

namespace saccade::gpu {

namespace {

constexpr std::int64_t kTileItems = 8;  // kernels load whole tiles
constexpr std::int64_t kAlignment = 16;

std::int64_t padded(std::int64_t rows) {
  return (rows + kTileItems - 1) / kTileItems * kTileItems;
}

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

void GpuPipelineRun::open_output(const physical::OutputScan& scan) {
  const DeviceRows& rows = rows_on_device(scan.pipeline);
  rows_ = rows.rows;
  for (const DeviceRows::LaneAddress& column : rows.columns) columns_.push_back(column.address);
  for (std::size_t i = 0; i < scan.slots.size(); ++i) {
    if (scan.slots[i] >= 0) profile_.bytes += rows_ * lane_bytes(rows.columns.at(i).lane);
  }
}

const DeviceRows& GpuPipelineRun::rows_on_device(int pipeline) {
  PipelineOutput& output = *state_.outputs.at(static_cast<std::size_t>(pipeline));
  auto* device = dynamic_cast<DeviceOutput*>(&output);
  if (device != nullptr && device->belongs_to(context_.runtime)) return device->device_rows();
  uploaded_.push_back(upload_rows(output.host_rows()));
  return uploaded_.back();
}

// One piece of memory and one upload for all columns: small results make the way from host to device often.
DeviceRows GpuPipelineRun::upload_rows(const RowSet& rows) {
  DeviceRows result;
  result.rows = rows.rows;
  const std::int64_t tile_rows = padded(rows.rows);
  std::int64_t bytes = 0;
  for (const LaneColumn& column : rows.columns) bytes += aligned(tile_rows * lane_bytes(column.lane)) + aligned(tile_rows);
  result.memory.push_back(context_.allocate(bytes));
  const std::unique_ptr<Buffer> staging = Buffer::allocate_zeroed(bytes, state_.query.pool);
  const DeviceAddress first = result.memory.back().address();
  DeviceAddress at = first;
  for (const LaneColumn& column : rows.columns) {
    ColumnAddress address{.values = at};
    const auto value_bytes = static_cast<std::size_t>(rows.rows * lane_bytes(column.lane));
    if (value_bytes > 0) std::memcpy(staging->data() + (at - first), column.values->data(), value_bytes);
    at += static_cast<DeviceAddress>(aligned(tile_rows * lane_bytes(column.lane)));
    address.validity = at;
    std::memset(staging->data() + (at - first), 1, static_cast<std::size_t>(rows.rows));
    if (column.valid && rows.rows > 0) {
      std::memcpy(staging->data() + (at - first), column.valid->data(), static_cast<std::size_t>(rows.rows));
    }
    at += static_cast<DeviceAddress>(aligned(tile_rows));
    result.columns.push_back({column.lane, address});
  }
  if (bytes > 0) context_.runtime.upload(first, staging->data(), bytes);
  return result;
}

// The inputs are copied behind one another. Where one of them has no nulls, its share of the validity is all ones.
void GpuPipelineRun::open_several(const physical::Concatenation& inputs) {
  std::vector<const DeviceRows*> parts;
  for (const physical::OutputScan& input : inputs.inputs) parts.push_back(&rows_on_device(input.pipeline));
  for (const DeviceRows* part : parts) rows_ += part->rows;
  const std::vector<int>& slots = inputs.inputs.front().slots;
  std::vector<std::vector<GatherColumn>> copies(parts.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    columns_.emplace_back();
    if (slots[i] < 0) continue;
    const physical::Slot& slot = pipeline_.slots.at(static_cast<std::size_t>(slots[i]));
    columns_.back() = place_lane(rows_, slot);
    profile_.bytes += rows_ * lane_bytes(slot.lane);
    std::int64_t before = 0;
    for (std::size_t p = 0; p < parts.size(); before += parts[p++]->rows) {
      const DeviceRows::LaneAddress& from = parts[p]->columns.at(i);
      SACCADE_CHECK(from.lane == slot.lane);
      const std::int64_t width = lane_bytes(slot.lane);
      const auto to = [&](DeviceAddress address, std::int64_t bytes) {
        return address + static_cast<DeviceAddress>(before * bytes);
      };
      copies[p].push_back({.from = from.address.values, .to = to(columns_.back().values, width), .width = width});
      if (!slot.nullable || from.address.validity == 0) continue;
      copies[p].push_back({.from = from.address.validity, .to = to(columns_.back().validity, 1), .width = 1});
    }
  }
  for (std::size_t p = 0; p < parts.size(); ++p) context_.primitives.gather(parts[p]->rows, 0, copies[p]);
}

// Room for a column of the source; where it may be null, the validity says that no value is.
ColumnAddress GpuPipelineRun::place_lane(std::int64_t rows, const physical::Slot& slot) {
  ColumnAddress address;
  memory_.push_back(context_.allocate(padded(rows) * lane_bytes(slot.lane)));
  address.values = memory_.back().address();
  if (!slot.nullable) return address;
  memory_.push_back(context_.allocate(padded(rows)));
  address.validity = memory_.back().address();
  if (rows > 0) context_.runtime.fill(address.validity, 1, padded(rows));
  return address;
}

void GpuPipelineRun::open_build(const physical::BuildScan& scan) {
  const DeviceBuild& build = build_of(scan.build);
  SACCADE_CHECK(build.matched != 0 && scan.slots.size() == build.payload.size());
  const DeviceMemory list = list_matches(build, scan.which == physical::BuildScan::Which::kMatched);
  std::vector<GatherColumn> copies;
  for (std::size_t i = 0; i < scan.slots.size(); ++i) {
    columns_.emplace_back();
    if (scan.slots[i] < 0) continue;
    const physical::Slot& slot = pipeline_.slots.at(static_cast<std::size_t>(scan.slots[i]));
    const DeviceBuild::Payload& payload = build.payload[i];
    columns_.back() = place_lane(rows_, slot);
    profile_.bytes += rows_ * lane_bytes(slot.lane);
    copies.push_back({.from = payload.address.values,
                      .to = columns_.back().values,
                      .kind = payload.column.item == Item::kInt ? GatherKind::kWidenInt : GatherKind::kCopy,
                      .width = item_bytes(payload.column.item)});
    if (payload.address.validity == 0) continue;
    SACCADE_CHECK(slot.nullable);
    copies.push_back({.from = payload.address.validity, .to = columns_.back().validity, .width = 1});
  }
  if (!copies.empty()) context_.primitives.gather(rows_, list.address(), copies);
}

// The numbers of the build's rows that a probe has found, or has not; rows_ counts them.
DeviceMemory GpuPipelineRun::list_matches(const DeviceBuild& build, bool matched) {
  DeviceMemory list = context_.allocate(build.rows * 8);
  if (build.rows == 0) return list;
  const DeviceMemory status = context_.allocate(sizeof(DeviceStatus));
  context_.runtime.fill(status.address(), 0, sizeof(DeviceStatus));
  context_.primitives.list_flags(build.rows, status.address(), build.matched, matched, list.address());
  DeviceStatus report;
  context_.runtime.download(&report, status.address(), offsetof(DeviceStatus, left));
  rows_ = static_cast<std::int64_t>(report.rows);
  return list;
}

}  // namespace saccade::gpu
