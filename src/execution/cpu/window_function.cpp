#include "execution/cpu/window_function.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 1 << 15;
constexpr std::int64_t kCheckRows = 1 << 12;

// compute(row) for each row, by ranges of rows.
template <class Compute>
void for_each_row(const WindowRows& rows, const PipelineRun& run, const Compute& compute) {
  run.for_each_range(rows.rows(), kTaskRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if ((i - begin) % kCheckRows == 0) run.check_cancelled();
      compute(i);
    }
  });
}

template <class T, class Compute>
LaneColumn column_of(Lane lane, const WindowRows& rows, const PipelineRun& run, const Compute& compute) {
  std::shared_ptr<Buffer> values = Buffer::allocate(rows.rows() * static_cast<std::int64_t>(sizeof(T)), run.memory());
  T* out = values->template as<T>();
  for_each_row(rows, run, [&](std::int64_t i) { out[i] = compute(i); });
  return {lane, values, nullptr};
}

double share(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

LaneColumn ranking(WindowKind kind, const WindowRows& rows, const PipelineRun& run) {
  return column_of<std::int64_t>(Lane::kInt64, rows, run, [&](std::int64_t i) {
    const WindowRows::Place place = rows.place(i);
    if (kind == WindowKind::kRowNumber) return i - place.begin + 1;
    if (kind == WindowKind::kRank) return place.peers_begin - place.begin + 1;
    return place.group - place.first_group + 1;
  });
}

LaneColumn distribution(WindowKind kind, const WindowRows& rows, const PipelineRun& run) {
  return column_of<double>(Lane::kFloat64, rows, run, [&](std::int64_t i) {
    const WindowRows::Place place = rows.place(i);
    if (kind == WindowKind::kCumeDist) return share(place.peers_end - place.begin, place.end - place.begin);
    return share(place.peers_begin - place.begin, place.end - place.begin - 1);
  });
}

// ---- ntile ------------------------------------------------------------------------------------------------------------------

// The bucket of row `place` of `rows` rows in `buckets` buckets: the first ones are larger by a row where they can't be equal.
std::int64_t bucket_of(std::int64_t place, std::int64_t rows, std::int64_t buckets) {
  const std::int64_t size = rows / buckets, larger = rows % buckets;
  const std::int64_t in_larger = larger * (size + 1);
  if (place < in_larger) return place / (size + 1) + 1;
  return larger + (place - in_larger) / std::max<std::int64_t>(size, 1) + 1;
}

// The number of buckets is that of the partition's first row that has one; rows before it have none.
LaneColumn ntile(const LaneColumn& number, const WindowRows& rows, const PipelineRun& run) {
  std::shared_ptr<Buffer> values = Buffer::allocate(rows.rows() * 8, run.memory());
  std::shared_ptr<Buffer> valid = Buffer::allocate(rows.rows(), run.memory());
  auto* out = values->as<std::int64_t>();
  for (std::int64_t p = 0; p < rows.partitions(); ++p) {
    const std::int64_t begin = rows.partition_begin(p), end = rows.partition_begin(p + 1);
    std::int64_t start = begin;
    while (start < end && !number.is_valid(start)) ++start;
    std::fill(valid->as<std::uint8_t>() + begin, valid->as<std::uint8_t>() + start, std::uint8_t{0});
    std::fill(out + begin, out + start, 0);
    if (start == end) continue;
    const std::int64_t buckets = number.as<std::int64_t>()[start];
    if (buckets <= 0) throw Error("22014", "argument of ntile must be greater than zero");
    for (std::int64_t i = start; i < end; ++i) {
      if (i % kCheckRows == 0) run.check_cancelled();
      out[i] = bucket_of(i - start, end - begin, buckets);
      valid->as<std::uint8_t>()[i] = 1;
    }
  }
  return {Lane::kInt64, values, valid};
}

// ---- values of other rows
// -----------------------------------------------------------------------------------------------------

constexpr std::int64_t kNoRow = -1;

// The row that lag and lead name; kNoRow where it lies outside of the partition or the offset is NULL.
std::int64_t shifted_row(bool lead, const LaneColumn& offset, std::int64_t row, const WindowRows& rows) {
  if (!offset.is_valid(row)) return kNoRow;
  const int128 distance = offset.as<std::int64_t>()[row];
  const int128 target = lead ? row + distance : row - distance;
  const WindowRows::Place place = rows.place(row);
  return target < place.begin || target >= place.end ? kNoRow : static_cast<std::int64_t>(target);
}

LaneColumn outside(bool lead, const LaneColumn& offset, const WindowRows& rows, const PipelineRun& run) {
  return column_of<std::uint8_t>(Lane::kBoolean, rows, run, [&](std::int64_t i) -> std::uint8_t {
    return offset.is_valid(i) && shifted_row(lead, offset, i, rows) == kNoRow ? 1 : 0;
  });
}

std::int64_t nth_row(const FrameRanges& ranges, std::int64_t n) {
  for (int r = 0; r < ranges.count; ++r) {
    const RowRange& range = ranges.ranges[static_cast<std::size_t>(r)];
    if (n <= range.end - range.begin) return range.begin + n - 1;
    n -= range.end - range.begin;
  }
  return kNoRow;
}

std::int64_t framed_row(WindowKind kind, const WindowInputs& inputs, std::int64_t row) {
  const FrameRanges ranges = inputs.frame->ranges(row);
  if (kind == WindowKind::kNthValue) {
    if (!inputs.number->is_valid(row)) return kNoRow;
    const std::int64_t n = inputs.number->as<std::int64_t>()[row];
    if (n <= 0) throw Error("22016", "argument of nth_value must be greater than zero");
    return nth_row(ranges, n);
  }
  if (ranges.count == 0) return kNoRow;
  if (kind == WindowKind::kFirstValue) return ranges.ranges[0].begin;
  return ranges.ranges[static_cast<std::size_t>(ranges.count - 1)].end - 1;
}

// The value of the row that `find` names for each row; NULL for kNoRow.
template <class T, class Find>
LaneColumn values_of_rows(const LaneColumn& value, const WindowRows& rows, const PipelineRun& run, const Find& find) {
  std::shared_ptr<Buffer> values = Buffer::allocate(rows.rows() * static_cast<std::int64_t>(sizeof(T)), run.memory());
  std::shared_ptr<Buffer> valid = Buffer::allocate(rows.rows(), run.memory());
  T* out = values->template as<T>();
  auto* out_valid = valid->as<std::uint8_t>();
  for_each_row(rows, run, [&](std::int64_t i) {
    const std::int64_t row = find(i);
    const bool known = row != kNoRow && value.is_valid(row);
    // A text that is not valid may be read all the same: code 0 stands in every dictionary that has a row.
    out[i] = known ? value.as<T>()[row] : T{};
    out_valid[i] = known ? 1 : 0;
  });
  return {value.lane, values, valid};
}

template <class Find>
LaneColumn values_of(const LaneColumn& value, const WindowRows& rows, const PipelineRun& run, const Find& find) {
  switch (lane_bytes(value.lane)) {
    case 1:
      return values_of_rows<std::uint8_t>(value, rows, run, find);
    case 8:
      return values_of_rows<std::int64_t>(value, rows, run, find);
    default:
      return values_of_rows<int128>(value, rows, run, find);
  }
}

}  // namespace

LaneColumn window_function(WindowKind kind, const WindowInputs& inputs, const WindowRows& rows, const PipelineRun& run) {
  const bool lead = kind == WindowKind::kLead || kind == WindowKind::kLeadOutside;
  switch (kind) {
    case WindowKind::kRowNumber:
    case WindowKind::kRank:
    case WindowKind::kDenseRank:
      return ranking(kind, rows, run);
    case WindowKind::kPercentRank:
    case WindowKind::kCumeDist:
      return distribution(kind, rows, run);
    case WindowKind::kNtile:
      return ntile(*inputs.number, rows, run);
    case WindowKind::kLagOutside:
    case WindowKind::kLeadOutside:
      return outside(lead, *inputs.number, rows, run);
    case WindowKind::kLag:
    case WindowKind::kLead:
      return values_of(*inputs.value, rows, run, [&](std::int64_t i) { return shifted_row(lead, *inputs.number, i, rows); });
    case WindowKind::kFirstValue:
    case WindowKind::kLastValue:
    case WindowKind::kNthValue:
      return values_of(*inputs.value, rows, run, [&](std::int64_t i) { return framed_row(kind, inputs, i); });
    case WindowKind::kAggregate:
      break;
  }
  raise_internal("a known window function", __FILE__, __LINE__);
}

}  // namespace saccade::cpu
