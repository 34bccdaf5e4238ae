// Which rows of its partition the frame of a row holds: up to three ranges of places, as EXCLUDE may cut some out.
//
// Read only once made; any worker.
#pragma once

#include <array>

#include "data/row_set.hpp"
#include "execution/cpu/window_rows.hpp"
#include "physical/physical_plan.hpp"

namespace saccade::cpu {

struct RowRange {
  std::int64_t begin = 0, end = 0;  // end >= begin
};

struct FrameRanges {
  std::array<RowRange, 3> ranges;  // in order, none of them empty
  int count = 0;
  void add(std::int64_t begin, std::int64_t end) {
    if (begin < end) ranges[static_cast<std::size_t>(count++)] = {begin, end};
  }
  std::int64_t rows() const {
    std::int64_t sum = 0;
    for (int r = 0; r < count; ++r) sum += ranges[static_cast<std::size_t>(r)].end - ranges[static_cast<std::size_t>(r)].begin;
    return sum;
  }
};

class FrameBounds {
 public:
  // `range_key`: of a frame by distances from the sort key, that key in the rows' order; else null.
  FrameBounds(const physical::Frame& frame, const WindowRows& rows, const LaneColumn* range_key);

  // Without exclusions.
  RowRange whole(std::int64_t row) const;
  FrameRanges ranges(std::int64_t row) const;
  // The frame is [start of the partition, end), and end hardly ever falls from one row of a partition to the next.
  bool grows() const;

 private:
  std::int64_t start(std::int64_t row, const WindowRows::Place& place) const;
  std::int64_t end(std::int64_t row, const WindowRows::Place& place) const;
  std::int64_t search(std::int64_t row, const WindowRows::Place& place, bool is_end) const;
  template <class T>
  std::int64_t search_keys(std::int64_t row, const WindowRows::Place& place, bool is_end) const;
  RowRange with_key(const WindowRows::Place& place) const;

  const physical::Frame& frame_;
  const WindowRows& rows_;
  const LaneColumn* key_;
};

}  // namespace saccade::cpu
