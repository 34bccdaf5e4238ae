// Window functions as a query asks for them. Values: copied freely, never changed once they stand in a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/expression.hpp"

namespace saccade {

enum class WindowKind : std::uint8_t {
  kRowNumber,
  kRank,
  kDenseRank,    // these three: bigint, never null
  kPercentRank,  // double precision, never null
  kCumeDist,     // double precision, never null
  kNtile,        // arguments: number of buckets (integer)
  kLag,
  kLead,         // arguments: value, offset (integer); NULL where there is no such row
  kLagOutside,   // arguments: offset; boolean, never null: true where kLag finds no row (then its default counts)
  kLeadOutside,  // the same for kLead
  kFirstValue,
  kLastValue,  // arguments: value; over the frame
  kNthValue,   // arguments: value, n (integer)
  kAggregate,  // `aggregate` over the frame
};

// Which rows of the partition a window function sees, for each row.
struct WindowFrame {
  enum class Mode : std::uint8_t { kRows, kRange, kGroups };
  enum class Bound : std::uint8_t { kUnboundedPreceding, kPreceding, kCurrentRow, kFollowing, kUnboundedFollowing };
  enum class Exclusion : std::uint8_t { kNone, kCurrentRow, kGroup, kTies };
  Mode mode = Mode::kRange;
  Bound start = Bound::kUnboundedPreceding, end = Bound::kCurrentRow;
  Exclusion exclusion = Exclusion::kNone;
  // Of kPreceding and kFollowing; never null, never negative. kRows and kGroups: bigint. kRange: what is added to the one sort
  // key or taken from it: of the key's type (numerics: its scale), or an interval where the key is a date or timestamp.
  Value start_offset, end_offset;
  bool operator==(const WindowFrame&) const = default;
};

struct WindowCall {
  WindowKind kind = WindowKind::kRowNumber;
  DataType type;                      // of the result
  std::vector<Expression> arguments;  // none for kAggregate: they stand in `aggregate`
  std::optional<AggregateCall> aggregate;
  WindowFrame frame;  // kFirstValue, kLastValue, kNthValue, kAggregate
  ColumnId output = -1;
  bool operator==(const WindowCall&) const = default;
};

std::string to_string(const WindowCall& call, const ColumnNames& names);

}  // namespace saccade
