// Bounds of results from bounds of operands. Nothing where an exact bound does not fit 128 bits or is not known.
#pragma once

#include <optional>

#include "data/column.hpp"

namespace saccade::physical {

using OptionalBounds = std::optional<Bounds>;

OptionalBounds add_bounds(const OptionalBounds& a, const OptionalBounds& b);
OptionalBounds subtract_bounds(const OptionalBounds& a, const OptionalBounds& b);
OptionalBounds multiply_bounds(const OptionalBounds& a, const OptionalBounds& b);
OptionalBounds negate_bounds(const OptionalBounds& a);
OptionalBounds union_bounds(const OptionalBounds& a, const OptionalBounds& b);
// Of a / b truncated and of a % b, for any b that is not 0.
OptionalBounds quotient_bounds(const OptionalBounds& a);
OptionalBounds remainder_bounds(const OptionalBounds& a, const OptionalBounds& b);
// The part of `a` within `limits` (what a range check lets through).
Bounds clamp_bounds(const OptionalBounds& a, const Bounds& limits);

bool within(const OptionalBounds& a, const Bounds& limits);

inline constexpr Bounds kInt64Bounds{static_cast<int128>(INT64_MIN), static_cast<int128>(INT64_MAX)};
// +-(10^38 - 1): what a numeric may hold.
Bounds numeric_bounds(int precision = 38);
// All values of a type (for text: none known).
OptionalBounds type_bounds(const DataType& type);

}  // namespace saccade::physical
