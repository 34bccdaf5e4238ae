#include "execution/cpu/window_frame.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/error.hpp"
#include "data/value.hpp"
#include "function/registry.hpp"
#include "function/scalar/all.hpp"

namespace saccade::cpu {
namespace {

using Bound = WindowFrame::Bound;
using Mode = WindowFrame::Mode;
using Offset = physical::Frame::Offset;

// More rows than a partition has are all of them.
std::int64_t row_count(const Offset& offset, std::int64_t rows) {
  return static_cast<std::int64_t>(std::min<int128>(offset.integer, rows));
}

// The key moved by an offset. Integers stay at the end of their range, as no value lies beyond it.
std::optional<int128> moved(int128 key, const Offset& offset, bool add) {
  int128 result = 0;
  if (add ? !__builtin_add_overflow(key, offset.integer, &result) : !__builtin_sub_overflow(key, offset.integer, &result))
    return result;
  return add ? kInt128Max : kInt128Min;
}

std::optional<int128> moved(std::int64_t key, const Offset& offset, bool add) {
  if (!offset.is_interval) return moved(static_cast<int128>(key), offset, add);
  const std::int64_t sign = add ? 1 : -1;
  FunctionError error = FunctionError::kNone;
  const std::int64_t result =
      add_interval_parts(key, {sign * offset.months, sign * offset.days, sign * offset.microseconds}, error);
  if (error != FunctionError::kNone) throw to_error(error);
  return result;
}

// Nothing where infinity is taken from infinity: every row is near enough then.
std::optional<double> moved(double key, const Offset& offset, bool add) {
  const double result = add ? key + offset.real : key - offset.real;
  if (std::isnan(result) && !std::isnan(key)) return std::nullopt;
  return result;
}

bool less(int128 a, int128 b) {
  return a < b;
}

// NaN is above infinity and equals itself.
bool less(double a, double b) {
  if (std::isnan(b)) return !std::isnan(a);
  return a < b;
}

}  // namespace

FrameBounds::FrameBounds(const physical::Frame& frame, const WindowRows& rows, const LaneColumn* range_key)
    : frame_(frame), rows_(rows), key_(range_key) {
  SACCADE_CHECK(key_ == nullptr || key_->lane == Lane::kInt64 || key_->lane == Lane::kInt128 || key_->lane == Lane::kFloat64);
}

bool FrameBounds::grows() const {
  return frame_.start == Bound::kUnboundedPreceding && frame_.exclusion == WindowFrame::Exclusion::kNone;
}

// The rows of a partition whose key is not null: nulls stand together at one end.
RowRange FrameBounds::with_key(const WindowRows::Place& place) const {
  RowRange result{place.begin, place.end};
  if (key_->valid == nullptr) return result;
  if (frame_.range_nulls_first && !key_->is_valid(place.begin)) result.begin = rows_.group_begin(rows_.group(place.begin) + 1);
  if (!frame_.range_nulls_first && !key_->is_valid(place.end - 1)) result.end = rows_.group_begin(rows_.group(place.end - 1));
  return result;
}

// The first row that is not before the moved key (of a start), or the first one beyond it (of an end).
template <class T>
std::int64_t FrameBounds::search_keys(std::int64_t row, const WindowRows::Place& place, bool is_end) const {
  const T* keys = key_->as<T>();
  const bool preceding = (is_end ? frame_.end : frame_.start) == Bound::kPreceding;
  const auto bound = moved(keys[row], is_end ? frame_.end_offset : frame_.start_offset, preceding == frame_.range_descending);
  const RowRange range = with_key(place);
  if (!bound) return is_end ? range.end : range.begin;
  const auto before = [&](std::int64_t other) {
    const bool smaller = less(keys[other], *bound), larger = less(*bound, keys[other]);
    const bool earlier = frame_.range_descending ? larger : smaller;
    const bool later = frame_.range_descending ? smaller : larger;
    return is_end ? !later : earlier;
  };
  std::int64_t low = range.begin, high = range.end;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (before(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::int64_t FrameBounds::search(std::int64_t row, const WindowRows::Place& place, bool is_end) const {
  SACCADE_CHECK(key_ != nullptr);
  // NULL is far from everything but NULL.
  if (!key_->is_valid(row)) return is_end ? place.peers_end : place.peers_begin;
  switch (key_->lane) {
    case Lane::kInt64:
      return search_keys<std::int64_t>(row, place, is_end);
    case Lane::kInt128:
      return search_keys<int128>(row, place, is_end);
    default:
      return search_keys<double>(row, place, is_end);
  }
}

std::int64_t FrameBounds::start(std::int64_t row, const WindowRows::Place& place) const {
  if (frame_.start == Bound::kUnboundedPreceding) return place.begin;
  const bool offset = frame_.start != Bound::kCurrentRow;
  if (frame_.mode == Mode::kRange) return offset ? search(row, place, false) : place.peers_begin;
  const std::int64_t n = offset ? row_count(frame_.start_offset, rows_.rows()) : 0;
  const std::int64_t step = frame_.start == Bound::kPreceding ? -n : n;
  if (frame_.mode == Mode::kRows) return std::clamp(row + step, place.begin, place.end);
  return rows_.group_begin(std::clamp(place.group + step, place.first_group, place.last_group));
}

std::int64_t FrameBounds::end(std::int64_t row, const WindowRows::Place& place) const {
  if (frame_.end == Bound::kUnboundedFollowing) return place.end;
  const bool offset = frame_.end != Bound::kCurrentRow;
  if (frame_.mode == Mode::kRange) return offset ? search(row, place, true) : place.peers_end;
  const std::int64_t n = offset ? row_count(frame_.end_offset, rows_.rows()) : 0;
  const std::int64_t step = frame_.end == Bound::kPreceding ? -n : n;
  if (frame_.mode == Mode::kRows) return std::clamp(row + step + 1, place.begin, place.end);
  return rows_.group_begin(std::clamp(place.group + step + 1, place.first_group, place.last_group));
}

RowRange FrameBounds::whole(std::int64_t row) const {
  const WindowRows::Place place = rows_.place(row);
  const std::int64_t begin = start(row, place);
  return {begin, std::max(begin, end(row, place))};
}

FrameRanges FrameBounds::ranges(std::int64_t row) const {
  const RowRange all = whole(row);
  FrameRanges result;
  if (frame_.exclusion == WindowFrame::Exclusion::kNone) {
    result.add(all.begin, all.end);
    return result;
  }
  RowRange without{row, row + 1};
  if (frame_.exclusion != WindowFrame::Exclusion::kCurrentRow) {
    const WindowRows::Place place = rows_.place(row);
    without = {place.peers_begin, place.peers_end};
  }
  result.add(all.begin, std::min(all.end, without.begin));
  const bool keeps_row = frame_.exclusion == WindowFrame::Exclusion::kTies && all.begin <= row && row < all.end;
  if (keeps_row) result.add(row, row + 1);
  result.add(std::max(all.begin, without.end), all.end);
  return result;
}

}  // namespace saccade::cpu
