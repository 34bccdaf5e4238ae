#include "physical/interval_arithmetic.hpp"

#include <algorithm>
#include <cstdint>

#include "function/scalar/arithmetic.hpp"

namespace saccade::physical {

OptionalBounds add_bounds(const OptionalBounds& a, const OptionalBounds& b) {
  Bounds result;
  if (!a || !b || __builtin_add_overflow(a->low, b->low, &result.low) || __builtin_add_overflow(a->high, b->high, &result.high))
    return std::nullopt;
  return result;
}

OptionalBounds negate_bounds(const OptionalBounds& a) {
  if (!a || a->low == kInt128Min) return std::nullopt;
  return Bounds{-a->high, -a->low};
}

OptionalBounds subtract_bounds(const OptionalBounds& a, const OptionalBounds& b) {
  return add_bounds(a, negate_bounds(b));
}

OptionalBounds multiply_bounds(const OptionalBounds& a, const OptionalBounds& b) {
  if (!a || !b) return std::nullopt;
  int128 corners[4];
  if (__builtin_mul_overflow(a->low, b->low, &corners[0]) || __builtin_mul_overflow(a->low, b->high, &corners[1]) ||
      __builtin_mul_overflow(a->high, b->low, &corners[2]) || __builtin_mul_overflow(a->high, b->high, &corners[3]))
    return std::nullopt;
  return Bounds{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

OptionalBounds union_bounds(const OptionalBounds& a, const OptionalBounds& b) {
  if (!a || !b) return std::nullopt;
  return Bounds{std::min(a->low, b->low), std::max(a->high, b->high)};
}

OptionalBounds quotient_bounds(const OptionalBounds& a) {
  const OptionalBounds negated = negate_bounds(a);
  return union_bounds(a, negated);
}

OptionalBounds remainder_bounds(const OptionalBounds& a, const OptionalBounds& b) {
  const OptionalBounds symmetric = union_bounds(b, negate_bounds(b));
  if (!a || !symmetric) return std::nullopt;
  const int128 magnitude = std::max<int128>(symmetric->high - 1, 0);
  return Bounds{a->low < 0 ? -magnitude : 0, a->high > 0 ? magnitude : 0};
}

Bounds clamp_bounds(const OptionalBounds& a, const Bounds& limits) {
  if (!a) return limits;
  const Bounds result{std::clamp(a->low, limits.low, limits.high), std::clamp(a->high, limits.low, limits.high)};
  return result;
}

bool within(const OptionalBounds& a, const Bounds& limits) {
  return a && a->low >= limits.low && a->high <= limits.high;
}

Bounds numeric_bounds(int precision) {
  const int128 limit = power_of_ten(precision) - 1;
  return {-limit, limit};
}

OptionalBounds type_bounds(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Bounds{0, 1};
    case TypeKind::kSmallint:
      return Bounds{INT16_MIN, INT16_MAX};
    case TypeKind::kInteger:
      return Bounds{INT32_MIN, INT32_MAX};
    case TypeKind::kDate:
      return Bounds{kFirstDate, kLastDate};
    case TypeKind::kBigint:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestamptz:
      return kInt64Bounds;
    case TypeKind::kTime:
      return Bounds{0, 86400000000};
    case TypeKind::kNumeric:
      return numeric_bounds(type.precision);
    default:
      return std::nullopt;
  }
}

}  // namespace saccade::physical
