#include "execution/cpu/build_rows.hpp"

#include "common/error.hpp"
#include "execution/cpu/join_table.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 16 * kBatchRows;

// The numbers of the rows that are wanted, ascending.
std::shared_ptr<Buffer> wanted_rows(const PipelineRun& run, const JoinTable& table, bool matched, std::int64_t& count) {
  count = 0;
  for (std::int64_t row = 0; row < table.rows; ++row) count += table.is_matched(row) == matched ? 1 : 0;
  std::shared_ptr<Buffer> numbers = Buffer::allocate(count * static_cast<std::int64_t>(sizeof(std::int64_t)), run.memory());
  auto* next = numbers->as<std::int64_t>();
  for (std::int64_t row = 0; row < table.rows; ++row) {
    if (table.is_matched(row) == matched) *next++ = row;
  }
  return numbers;
}

using Gather = void (*)(const void*, const std::int64_t*, void*, std::int64_t);

Gather gather_of(std::int64_t bytes) {
  const VectorKernels& k = kernels().vector;
  return bytes == 1 ? k.gather1_far : bytes == 8 ? k.gather8_far : k.gather16_far;
}

LaneColumn gather_column(const PipelineRun& run, const LaneColumn& column, const std::int64_t* numbers, std::int64_t count) {
  const ColumnStorage storage = allocate_column({column.lane, column.valid != nullptr}, count, run.memory());
  const std::int64_t width = lane_bytes(column.lane);
  run.for_each_range(count, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    gather_of(width)(column.values->data(), numbers + begin, storage.values->data() + begin * width, end - begin);
    if (column.valid == nullptr) return;
    gather_of(1)(column.valid->data(), numbers + begin, storage.valid->data() + begin, end - begin);
  });
  return storage.column(column.lane);
}

}  // namespace

BuildRows build_rows(const PipelineRun& run, const physical::BuildScan& scan) {
  const JoinTable& table = join_table(run.state, scan.build);
  SACCADE_CHECK(table.matched != nullptr && scan.slots.size() == table.payload.size());
  BuildRows result;
  const bool matched = scan.which == physical::BuildScan::Which::kMatched;
  const std::shared_ptr<Buffer> numbers = wanted_rows(run, table, matched, result.rows);
  for (std::size_t c = 0; c < scan.slots.size(); ++c) {
    if (scan.slots[c] < 0) continue;
    const LaneColumn column = gather_column(run, table.payload[c], numbers->as<std::int64_t>(), result.rows);
    result.columns.push_back(source_column(scan.slots[c], column));
    result.memory.push_back(column.values);
    if (column.valid != nullptr) result.memory.push_back(column.valid);
  }
  return result;
}

}  // namespace saccade::cpu
