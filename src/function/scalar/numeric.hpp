// 128-bit arithmetic over scaled decimals. Host and device; no standard headers.
//
// A numeric is value * 10^scale; callers bring both sides to one scale. Checked results have at most 38 digits.
#pragma once

#include "function/scalar/wide.hpp"

namespace saccade {

SACCADE_HOST_DEVICE i128 add_i128(i128 a, i128 b) {
  return static_cast<i128>(static_cast<u128>(a) + static_cast<u128>(b));
}
SACCADE_HOST_DEVICE i128 subtract_i128(i128 a, i128 b) {
  return static_cast<i128>(static_cast<u128>(a) - static_cast<u128>(b));
}
SACCADE_HOST_DEVICE i128 multiply_i128(i128 a, i128 b) {
  return static_cast<i128>(static_cast<u128>(a) * static_cast<u128>(b));
}
SACCADE_HOST_DEVICE i128 negate_i128(i128 a) {
  return static_cast<i128>(u128{0} - static_cast<u128>(a));
}

SACCADE_HOST_DEVICE i128 check_numeric(i128 a, FunctionError& error) {
  report(error, magnitude_of(a) > largest_numeric(), FunctionError::kNumericOutOfRange);
  return a;
}

SACCADE_HOST_DEVICE i128 add_checked_i128(i128 a, i128 b, FunctionError& error) {
  const i128 result = add_i128(a, b);
  report(error, ((a ^ result) & (b ^ result)) < 0, FunctionError::kNumericOutOfRange);
  return check_numeric(result, error);
}

SACCADE_HOST_DEVICE i128 subtract_checked_i128(i128 a, i128 b, FunctionError& error) {
  const i128 result = subtract_i128(a, b);
  report(error, ((a ^ b) & (a ^ result)) < 0, FunctionError::kNumericOutOfRange);
  return check_numeric(result, error);
}

SACCADE_HOST_DEVICE i128 multiply_checked_i128(i128 a, i128 b, FunctionError& error) {
  const u128 x = magnitude_of(a), y = magnitude_of(b);
  const u64 x_high = static_cast<u64>(x >> 64), y_high = static_cast<u64>(y >> 64);
  // At most one of the two cross products may be other than zero, and it must leave the sum within 128 bits.
  const u128 cross = static_cast<u128>(x_high) * static_cast<u64>(y) + static_cast<u128>(y_high) * static_cast<u64>(x);
  const u128 low = static_cast<u128>(static_cast<u64>(x)) * static_cast<u64>(y);
  const u128 product = low + (cross << 64);
  const bool overflows = (x_high != 0 && y_high != 0) || (cross >> 64) != 0 || product < low || product > largest_numeric();
  report(error, overflows, FunctionError::kNumericOutOfRange);
  return with_sign(product, (a < 0) != (b < 0));
}

// a * 10^exponent / b, half away from zero; 0 <= exponent <= 76. A dividend beyond 256 bits means a quotient beyond 38 digits.
SACCADE_HOST_DEVICE i128 divide_numeric_i128(i128 a, i128 b, i64 exponent, FunctionError& error) {
  if (b == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  const u128 divisor = magnitude_of(b);
  Wide dividend = wide_of(magnitude_of(a));
  if (!multiply_power_of_ten(dividend, exponent) || high_half(dividend) >= divisor) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  u128 remainder = 0;
  u128 quotient = divide_wide(dividend, divisor, remainder);
  if (quotient > largest_numeric()) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  quotient += remainder >= divisor - remainder ? 1 : 0;
  return check_numeric(with_sign(quotient, (a < 0) != (b < 0)), error);
}

// The sign of the dividend.
SACCADE_HOST_DEVICE i128 modulo_i128(i128 a, i128 b, FunctionError& error) {
  if (b == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  return b == -1 ? 0 : a % b;
}

// To a smaller scale: a / power, half away from zero; power is positive and at most 10^18.
SACCADE_HOST_DEVICE i64 round_down_scale_i64(i64 a, i64 power) {
  const i64 quotient = a / power, remainder = a % power;
  const i64 rest = remainder < 0 ? -remainder : remainder;
  const i64 away = rest >= power - rest ? 1 : 0;
  return quotient + (a < 0 ? -away : away);
}

// The same; power is positive and at most 10^38.
SACCADE_HOST_DEVICE i128 round_down_scale_i128(i128 a, i128 power) {
  const i128 quotient = a / power, remainder = a % power;
  const i128 rest = remainder < 0 ? -remainder : remainder;
  const i128 away = rest >= power - rest ? 1 : 0;
  return quotient + (a < 0 ? -away : away);
}

SACCADE_HOST_DEVICE i128 check_magnitude_i128(i128 a, i128 limit, FunctionError& error) {
  report(error, a > limit || a < -limit, FunctionError::kNumericOutOfRange);
  return a;
}

SACCADE_HOST_DEVICE i64 check_magnitude_i64(i64 a, i64 limit, FunctionError& error) {
  report(error, a > limit || a < -limit, FunctionError::kNumericOutOfRange);
  return a;
}

// The halves of a wide sum: value = high * 2^64 + low, 0 <= low < 2^64. Each half is summed on its own, so that 2^63 rows of
// any numerics never wrap, and combine_sum puts the sums together.
SACCADE_HOST_DEVICE i128 sum_high_i128(i128 a) {
  return a >> 64;
}
SACCADE_HOST_DEVICE i128 sum_low_i128(i128 a) {
  return static_cast<i128>(static_cast<u64>(a));
}

SACCADE_HOST_DEVICE i128 combine_sum_i128(i128 high, i128 low, FunctionError& error) {
  const i128 top = add_i128(high, low >> 64);
  report(error, top != static_cast<i64>(top), FunctionError::kNumericOutOfRange);
  const u128 value = static_cast<u128>(top) << 64 | static_cast<u64>(low);
  return check_numeric(static_cast<i128>(value), error);
}

// ---- functions of numerics ----------------------------------------------------------------------------------------------

SACCADE_HOST_DEVICE i128 absolute_i128(i128 a) {
  return a < 0 ? negate_i128(a) : a;
}

SACCADE_HOST_DEVICE i128 sign_i128(i128 a) {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}

// a / power toward zero, down and up; power is a positive power of ten.
SACCADE_HOST_DEVICE i128 truncate_scale_i128(i128 a, i128 power) {
  return a / power;
}
SACCADE_HOST_DEVICE i128 floor_scale_i128(i128 a, i128 power) {
  return a / power - (a % power < 0 ? 1 : 0);
}
SACCADE_HOST_DEVICE i128 ceiling_scale_i128(i128 a, i128 power) {
  return a / power + (a % power > 0 ? 1 : 0);
}

// A numeric of `scale` rounded to `digits` behind the point (before it, where negative), its scale kept.
SACCADE_HOST_DEVICE i128 round_digits_i128(i128 a, i64 scale, i64 digits, FunctionError& error) {
  if (digits >= scale) return a;
  if (digits < scale - 38) return 0;
  const i128 power = static_cast<i128>(power_of_ten_u128(scale - digits));
  return multiply_checked_i128(round_down_scale_i128(a, power), power, error);
}

SACCADE_HOST_DEVICE i128 truncate_digits_i128(i128 a, i64 scale, i64 digits) {
  if (digits >= scale) return a;
  if (digits < scale - 38) return 0;
  const i128 power = static_cast<i128>(power_of_ten_u128(scale - digits));
  return a / power * power;
}

// a / b toward zero, both of one scale: div().
SACCADE_HOST_DEVICE i128 quotient_i128(i128 a, i128 b, FunctionError& error) {
  if (b == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  return b == -1 ? negate_i128(a) : a / b;
}

SACCADE_HOST_DEVICE i128 gcd_i128(i128 a, i128 b) {
  u128 x = magnitude_of(a), y = magnitude_of(b);
  while (y != 0) {
    const u128 rest = x % y;
    x = y;
    y = rest;
  }
  return static_cast<i128>(x);
}

SACCADE_HOST_DEVICE i128 lcm_i128(i128 a, i128 b, FunctionError& error) {
  if (a == 0 || b == 0) return 0;
  const u128 divisor = static_cast<u128>(gcd_i128(a, b));
  const i128 x = static_cast<i128>(magnitude_of(a) / divisor), y = static_cast<i128>(magnitude_of(b));
  return multiply_checked_i128(x, y, error);
}

// 33! is the last that has at most 38 digits. PostgreSQL has no factorial of a negative number.
SACCADE_HOST_DEVICE i128 factorial_i64(i64 a, FunctionError& error) {
  report(error, a < 0 || a > 33, FunctionError::kNumericOutOfRange);
  i128 product = 1;
  for (i64 factor = 2; factor <= a && factor <= 33; ++factor) product *= factor;
  return product;
}

// The root of a * 10^exponent, half away from zero; 0 <= exponent <= 38 and the product fits into 256 bits.
SACCADE_HOST_DEVICE i128 root_numeric_i128(i128 a, i64 exponent, FunctionError& error) {
  if (a < 0) {
    error = FunctionError::kRootOfNegative;
    return 0;
  }
  Wide value = wide_of(static_cast<u128>(a));
  multiply_power_of_ten(value, exponent);
  // Two bits of the value for each bit of the root: the remainder stays below twice the root.
  u128 root = 0, rest = 0;
  for (int pair = 127; pair >= 0; --pair) {
    rest = rest << 2 | (value.digits[pair / 32] >> (pair % 32 * 2) & 3);
    const u128 trial = root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return check_numeric(static_cast<i128>(root + (rest > root ? 1 : 0)), error);
}

}  // namespace saccade
