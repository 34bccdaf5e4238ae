// 64-bit integer arithmetic. Host and device; no standard headers.
//
// The plain forms are called only where bounds prove that nothing overflows; they wrap instead of being undefined, so that a
// null lane's garbage does no harm. The checked forms report what SQL raises.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

SACCADE_HOST_DEVICE i64 add_i64(i64 a, i64 b) {
  return static_cast<i64>(static_cast<u64>(a) + static_cast<u64>(b));
}
SACCADE_HOST_DEVICE i64 subtract_i64(i64 a, i64 b) {
  return static_cast<i64>(static_cast<u64>(a) - static_cast<u64>(b));
}
SACCADE_HOST_DEVICE i64 multiply_i64(i64 a, i64 b) {
  return static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b));
}
SACCADE_HOST_DEVICE i64 negate_i64(i64 a) {
  return static_cast<i64>(u64{0} - static_cast<u64>(a));
}

SACCADE_HOST_DEVICE i64 add_checked_i64(i64 a, i64 b, FunctionError& error) {
  const i64 result = add_i64(a, b);
  report(error, ((a ^ result) & (b ^ result)) < 0, FunctionError::kBigintOutOfRange);
  return result;
}

SACCADE_HOST_DEVICE i64 subtract_checked_i64(i64 a, i64 b, FunctionError& error) {
  const i64 result = subtract_i64(a, b);
  report(error, ((a ^ b) & (a ^ result)) < 0, FunctionError::kBigintOutOfRange);
  return result;
}

SACCADE_HOST_DEVICE i64 multiply_checked_i64(i64 a, i64 b, FunctionError& error) {
  const i128 product = static_cast<i128>(a) * b;
  const i64 result = static_cast<i64>(product);
  report(error, product != result, FunctionError::kBigintOutOfRange);
  return result;
}

SACCADE_HOST_DEVICE i64 negate_checked_i64(i64 a, FunctionError& error) {
  report(error, a == -0x7fffffffffffffffL - 1, FunctionError::kBigintOutOfRange);
  return negate_i64(a);
}

// Truncates toward zero.
SACCADE_HOST_DEVICE i64 divide_i64(i64 a, i64 b, FunctionError& error) {
  if (b == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  return b == -1 ? negate_checked_i64(a, error) : a / b;
}

// The sign of the dividend; the smallest integer % -1 is 0, not a trap.
SACCADE_HOST_DEVICE i64 modulo_i64(i64 a, i64 b, FunctionError& error) {
  if (b == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  return b == -1 ? 0 : a % b;
}

SACCADE_HOST_DEVICE i64 check_smallint_i64(i64 a, FunctionError& error) {
  report(error, a < -32768 || a > 32767, FunctionError::kSmallintOutOfRange);
  return a;
}

SACCADE_HOST_DEVICE i64 check_integer_i64(i64 a, FunctionError& error) {
  report(error, a < -2147483648L || a > 2147483647L, FunctionError::kIntegerOutOfRange);
  return a;
}

// PostgreSQL's dates, in days since 1970-01-01: 4713-11-24 BC to 5874897-12-31.
constexpr i64 kFirstDate = -2440588L, kLastDate = 2145042905L;
SACCADE_HOST_DEVICE i64 check_date_i64(i64 a, FunctionError& error) {
  report(error, a < kFirstDate || a > kLastDate, FunctionError::kDateOutOfRange);
  return a;
}

// ---- functions of integers ----------------------------------------------------------------------------------------------

SACCADE_HOST_DEVICE i64 absolute_i64(i64 a, FunctionError& error) {
  return a < 0 ? negate_checked_i64(a, error) : a;
}

SACCADE_HOST_DEVICE i64 sign_i64(i64 a) {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}

// Never negative; the smallest bigint has no counterpart.
SACCADE_HOST_DEVICE i64 gcd_i64(i64 a, i64 b, FunctionError& error) {
  u64 x = a < 0 ? u64{0} - static_cast<u64>(a) : static_cast<u64>(a);
  u64 y = b < 0 ? u64{0} - static_cast<u64>(b) : static_cast<u64>(b);
  while (y != 0) {
    const u64 rest = x % y;
    x = y;
    y = rest;
  }
  report(error, x > 0x7fffffffffffffffUL, FunctionError::kBigintOutOfRange);
  return static_cast<i64>(x);
}

SACCADE_HOST_DEVICE i64 lcm_i64(i64 a, i64 b, FunctionError& error) {
  if (a == 0 || b == 0) return 0;
  FunctionError none = FunctionError::kNone;
  const u64 divisor = static_cast<u64>(gcd_i64(a, b, none));
  const u64 x = a < 0 ? u64{0} - static_cast<u64>(a) : static_cast<u64>(a);
  const u64 y = b < 0 ? u64{0} - static_cast<u64>(b) : static_cast<u64>(b);
  const u128 product = static_cast<u128>(x / divisor) * y;
  report(error, product > 0x7fffffffffffffffUL, FunctionError::kBigintOutOfRange);
  return static_cast<i64>(product);
}

SACCADE_HOST_DEVICE i64 bit_and_i64(i64 a, i64 b) {
  return a & b;
}
SACCADE_HOST_DEVICE i64 bit_or_i64(i64 a, i64 b) {
  return a | b;
}
SACCADE_HOST_DEVICE i64 bit_xor_i64(i64 a, i64 b) {
  return a ^ b;
}
SACCADE_HOST_DEVICE i64 bit_not_i64(i64 a) {
  return ~a;
}

// Shifts as PostgreSQL's C does them on common machines: the count is taken modulo the width (32 bits for smallint as well),
// and bits that leave the type are lost.
SACCADE_HOST_DEVICE i64 shift_left_i64(i64 a, i64 count) {
  return static_cast<i64>(static_cast<u64>(a) << (count & 63));
}
SACCADE_HOST_DEVICE i64 shift_right_i64(i64 a, i64 count) {
  return a >> (count & 63);
}
SACCADE_HOST_DEVICE i64 shift_left_integer_i64(i64 a, i64 count) {
  return static_cast<int>(static_cast<unsigned>(a) << (count & 31));
}
SACCADE_HOST_DEVICE i64 shift_right_integer_i64(i64 a, i64 count) {
  return static_cast<int>(a) >> (count & 31);
}
SACCADE_HOST_DEVICE i64 shift_left_smallint_i64(i64 a, i64 count) {
  return static_cast<short>(static_cast<unsigned>(a) << (count & 31));
}

}  // namespace saccade
