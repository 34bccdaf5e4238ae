// What the encoding and the statistics of a table's column are chosen from: computed over the rows of one rank, merged over
// ranks and processes, so that all of them choose alike.
#pragma once

#include <array>
#include <cstdint>

#include "common/int128.hpp"
#include "data/row_set.hpp"

namespace saccade {

// A plain value that may be sent as its bytes. Values are integers of the lane (codes for text); of doubles and of strings only
// has_null, rows, distinct and contents are known.
struct ColumnSummary {
  bool any = false;  // a value that is not null was seen; low .. last hold then
  bool has_null = false;
  bool sorted = true;    // ascending in the order of rows and ranks, and no nulls
  bool strictly = true;  // strictly ascending, and no nulls
  int128 low = 0, high = 0;
  int128 first = 0, last = 0;
  std::int64_t rows = 0;       // with nulls
  double distinct = 0;         // estimate
  std::int64_t most_text = 0;  // bytes of the longest string
  std::uint64_t contents = 0;  // a hash of all values in order

  // The summary of these rows followed by those of `next`.
  void append(const ColumnSummary& next);
};

// Estimates the number of distinct hashes seen, within about 2 %.
// Source: Flajolet et al., HyperLogLog, 2007; with linear counting while registers are free.
class DistinctSketch {
 public:
  void add(std::uint64_t hash);
  void merge(const DistinctSketch& other);
  double estimate() const;

 private:
  static constexpr int kIndexBits = 12;
  std::array<std::uint8_t, 1 << kIndexBits> registers_{};
};

struct SummarizedColumn {
  ColumnSummary summary;  // without `distinct`
  DistinctSketch distinct;

  void append(const SummarizedColumn& next);
};

// Rows begin .. end - 1 of one column.
SummarizedColumn summarize(const LaneColumn& column, std::int64_t begin, std::int64_t end);

}  // namespace saccade
