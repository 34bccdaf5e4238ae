#include "execution/gpu/gpu_backend_output.hpp"

#include <cstring>

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

constexpr std::int64_t kAlignment = 256;
// Kernels load whole tiles of eight rows.
constexpr std::int64_t kTileRows = 8;

std::int64_t column_bytes(std::int64_t rows, std::int64_t width) {
  const std::int64_t padded = (rows + kTileRows - 1) / kTileRows * kTileRows;
  return (padded * width + kAlignment - 1) / kAlignment * kAlignment;
}

LaneColumn download_column(const DeviceRows::LaneAddress& column, const char* packed, DeviceAddress first, std::int64_t rows,
                           MemoryPool& pool) {
  const auto copy = [&](DeviceAddress address, std::int64_t bytes) {
    std::shared_ptr<Buffer> buffer = Buffer::allocate(bytes, pool);
    if (bytes > 0) std::memcpy(buffer->data(), packed + (address - first), static_cast<std::size_t>(bytes));
    return buffer;
  };
  LaneColumn result;
  result.lane = column.lane;
  result.values = copy(column.address.values, rows * lane_bytes(column.lane));
  if (column.address.validity != 0) result.valid = copy(column.address.validity, rows);
  return result;
}

}  // namespace

DeviceRows gather_rows(const DeviceContext& context, std::int64_t rows, DeviceAddress list,
                       const std::vector<DeviceGroups::Source>& sources) {
  std::int64_t bytes = 0;
  for (const DeviceGroups::Source& source : sources) {
    bytes += column_bytes(rows, lane_bytes(source.lane)) + (source.validity != 0 ? column_bytes(rows, 1) : 0);
  }
  DeviceRows result;
  result.rows = rows;
  result.memory.push_back(context.allocate(bytes));
  DeviceAddress at = result.memory.back().address();
  std::vector<GatherColumn> gathered;
  for (const DeviceGroups::Source& source : sources) {
    DeviceRows::LaneAddress column{source.lane, {.values = at}};
    gathered.push_back(source.values);
    gathered.back().to = at;
    at += static_cast<DeviceAddress>(column_bytes(rows, lane_bytes(source.lane)));
    if (source.validity != 0) {
      column.address.validity = at;
      gathered.push_back({.from = source.validity, .to = at, .kind = GatherKind::kCopy, .width = 1});
      at += static_cast<DeviceAddress>(column_bytes(rows, 1));
    }
    result.columns.push_back(column);
  }
  context.primitives.gather(rows, list, gathered);
  return result;
}

const RowSet& DeviceOutput::host_rows() {
  if (host_) return *host_;
  const DeviceRows& rows = device_rows();
  RowSet result;
  result.rows = rows.rows;
  std::vector<DeviceGroups::Source> sources;
  for (const DeviceRows::LaneAddress& column : rows.columns) {
    sources.push_back(
        {column.lane, {.from = column.address.values, .width = lane_bytes(column.lane)}, column.address.validity});
  }
  std::optional<DeviceRows> packed;
  if (rows.memory.size() != 1) packed = gather_rows(context_, rows.rows, 0, sources);
  const DeviceRows& source = packed ? *packed : rows;
  const DeviceMemory& memory = source.memory.front();
  const std::unique_ptr<Buffer> staging = Buffer::allocate(rows.rows == 0 ? 0 : memory.bytes(), pool_);
  if (rows.rows > 0 && memory.bytes() > 0) context_.runtime.download(staging->data(), memory.address(), memory.bytes());
  for (const DeviceRows::LaneAddress& column : source.columns) {
    result.columns.push_back(download_column(column, staging->as<char>(), memory.address(), rows.rows, pool_));
  }
  host_ = std::move(result);
  return *host_;
}

const DeviceRows& DeviceGroups::device_rows() {
  if (!rows_) rows_ = gather_rows(context_, count_, list_.address(), sources_);
  return *rows_;
}

const RowSet& DeviceBuild::host_rows() {
  SACCADE_CHECK(false);
  static const RowSet none;
  return none;
}

}  // namespace saccade::gpu
