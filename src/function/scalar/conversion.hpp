// Conversions between lanes. Host and device; no standard headers.
#pragma once

#include "function/scalar/floating.hpp"
#include "function/scalar/key.hpp"
#include "function/scalar/numeric.hpp"

namespace saccade {

SACCADE_HOST_DEVICE i128 int128_of_i64(i64 a) {
  return a;
}
// Called only where bounds prove that the value fits.
SACCADE_HOST_DEVICE i64 int64_of_i128(i128 a) {
  return static_cast<i64>(a);
}
SACCADE_HOST_DEVICE i64 bigint_of_i128(i128 a, FunctionError& error) {
  const i64 result = static_cast<i64>(a);
  report(error, result != a, FunctionError::kBigintOutOfRange);
  return result;
}
SACCADE_HOST_DEVICE double float64_of_i64(i64 a) {
  return static_cast<double>(a);
}
SACCADE_HOST_DEVICE i64 int64_of_boolean(bool a) {
  return a ? 1 : 0;
}
SACCADE_HOST_DEVICE bool boolean_of_i64(i64 a) {
  return a != 0;
}

SACCADE_HOST_DEVICE int bit_length(u128 a) {
  int length = 0;
  for (int step = 64; step > 0; step /= 2) {
    if ((a >> step) != 0) {
      a >>= step;
      length += step;
    }
  }
  return length + (a != 0 ? 1 : 0);
}

// 2^exponent, -1022 <= exponent <= 1023.
SACCADE_HOST_DEVICE double power_of_two(int exponent) {
  return f64_of_bits(static_cast<i64>(exponent + 1023) << 52);
}

// a * 2^exponent rounded once, half to even; `inexact` says that a little more than a is meant (a then has 56 bits or more).
SACCADE_HOST_DEVICE double round_to_double(u128 a, bool inexact, int exponent) {
  const int excess = bit_length(a) - 64;
  if (excess > 0) {
    inexact |= (a & ((u128{1} << excess) - 1)) != 0;
    a >>= excess;
    exponent += excess;
  }
  // The lowest of 64 bits lies below the 53 that are kept, so it can stand for everything beneath it.
  return static_cast<double>(static_cast<u64>(a) | (inexact ? 1 : 0)) * power_of_two(exponent);
}

// a / 10^scale, correctly rounded; 0 <= scale <= 38.
SACCADE_HOST_DEVICE double float64_of_numeric_i128(i128 a, i64 scale) {
  const u128 magnitude = magnitude_of(a);
  if (magnitude <= (u128{1} << 53) && scale <= 19) {  // both operands are exact doubles
    return static_cast<double>(static_cast<i64>(a)) / static_cast<double>(power_of_ten_u64(scale));
  }
  const u128 divisor = power_of_ten_u128(scale);
  int shift = 64 + bit_length(divisor) - bit_length(magnitude);  // 64 bits of quotient, or more where a is that long
  shift = shift < 0 ? 0 : shift;
  Wide dividend = wide_of(magnitude);
  for (int left = shift; left > 0; left -= 32) multiply_wide(dividend, u64{1} << (left < 32 ? left : 32));
  u128 remainder = 0;
  const u128 quotient = divide_wide(dividend, divisor, remainder);
  const double result = round_to_double(quotient, remainder != 0, -shift);
  return a < 0 ? -result : result;
}

// a / 10^scale as a float, rounded once; 0 <= scale <= 38.
SACCADE_HOST_DEVICE double real_of_numeric_i128(i128 a, i64 scale) {
  const u128 magnitude = magnitude_of(a);
  const u128 divisor = power_of_ten_u128(scale);
  int shift = 64 + bit_length(divisor) - bit_length(magnitude);
  shift = shift < 0 ? 0 : shift;
  Wide dividend = wide_of(magnitude);
  for (int left = shift; left > 0; left -= 32) multiply_wide(dividend, u64{1} << (left < 32 ? left : 32));
  u128 remainder = 0;
  u128 quotient = divide_wide(dividend, divisor, remainder);
  bool inexact = remainder != 0;
  int exponent = -shift;
  const int excess = bit_length(quotient) - 64;
  if (excess > 0) {
    inexact |= (quotient & ((u128{1} << excess) - 1)) != 0;
    quotient >>= excess;
    exponent += excess;
  }
  // The lowest of 64 bits lies far below the 24 that are kept, so it can stand for everything beneath it.
  const float rounded = static_cast<float>(static_cast<u64>(quotient) | (inexact ? 1 : 0));
  const double result = static_cast<double>(rounded) * power_of_two(exponent);
  return a < 0 ? -result : result;
}

// Half to even.
SACCADE_HOST_DEVICE i64 bigint_of_f64(double a, FunctionError& error) {
  if (!(a >= -9223372036854775808.0 && a < 9223372036854775808.0)) {
    error = FunctionError::kBigintOutOfRange;
    return 0;
  }
  const i64 whole = static_cast<i64>(a);
  const double fraction = a - static_cast<double>(whole);  // exact
  const double distance = fraction < 0 ? -fraction : fraction;
  const bool away = distance > 0.5 || (distance == 0.5 && (whole & 1) != 0);
  return whole + (away ? (a < 0 ? -1 : 1) : 0);
}

// mantissa * 2^binary * 10^exponent to an integer of 15 or 16 digits, half to even. So a negative exponent means a value of
// at least 10^15 (binary >= -2), and another one a value below 10^15 (binary < 0).
SACCADE_HOST_DEVICE u128 scale_decimal(u64 mantissa, int binary, int exponent) {
  if (exponent < 0) {
    const u128 divisor = power_of_ten_u128(-exponent);
    const u128 value = binary >= 0 ? static_cast<u128>(mantissa) << binary : static_cast<u128>(mantissa >> -binary);
    const u128 lost = binary >= 0 ? 0 : mantissa & ((u64{1} << -binary) - 1);
    const u128 quotient = value / divisor, twice = value % divisor * 2;
    const bool up = twice > divisor || (twice == divisor && (lost != 0 || (quotient & 1) != 0));
    return quotient + (up ? 1 : 0);
  }
  Wide value = wide_of(mantissa);
  multiply_power_of_ten(value, exponent);  // below 2^53 * 10^53
  bool half = false, below = false;        // the last bit shifted out, and whether any before it was set
  for (int i = 0; i < -binary; ++i) {
    below |= half;
    half = (value.digits[0] & 1) != 0;
    for (int digit = 0; digit < 3; ++digit) value.digits[digit] = value.digits[digit] >> 1 | value.digits[digit + 1] << 63;
    value.digits[3] >>= 1;
  }
  const u128 quotient = low_half(value);
  return quotient + (half && (below || (quotient & 1) != 0) ? 1 : 0);
}

// To a numeric as PostgreSQL does: to 15 significant digits, then to `scale` half away from zero. NaN and infinity are out of
// range: our numerics have neither.
SACCADE_HOST_DEVICE i128 numeric_of_f64(double a, i64 scale, FunctionError& error) {
  const double magnitude = a < 0 ? -a : a;
  if (!(magnitude < 1e38)) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  if (magnitude < 1e-40) return 0;  // below half of the last digit at any scale
  const i64 bits = bits_of_f64(magnitude);
  const int binary = static_cast<int>(bits >> 52) - 1075;
  const u64 mantissa = static_cast<u64>(bits & 0xfffffffffffffL) | u64{1} << 52;
  // floor(log10) from the binary logarithm: exact or one too small, which shows as 16 digits.
  const int logarithm = binary + 52;
  int decimal = static_cast<int>((static_cast<i64>(logarithm) * 1292913986L) >> 32);
  u128 digits = scale_decimal(mantissa, binary, 14 - decimal);
  if (digits > 1000000000000000UL) digits = scale_decimal(mantissa, binary, 14 - ++decimal);
  const i64 power = scale + decimal - 14;  // the value is digits * 10^power
  if (scale + decimal >= 38) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  if (power < -16) return 0;
  const i128 result = power >= 0
                          ? static_cast<i128>(digits * power_of_ten_u128(power))
                          : round_down_scale_i128(static_cast<i128>(digits), static_cast<i128>(power_of_ten_u128(-power)));
  return check_numeric(a < 0 ? -result : result, error);
}

// The same of a real, which has six significant digits for PostgreSQL.
SACCADE_HOST_DEVICE i128 numeric_of_real_f64(double a, i64 scale, FunctionError& error) {
  const double magnitude = a < 0 ? -a : a;
  if (!(magnitude < 1e38)) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  if (magnitude < 1e-40) return 0;
  const i64 bits = bits_of_f64(magnitude);
  const int binary = static_cast<int>(bits >> 52) - 1075;
  const u64 mantissa = static_cast<u64>(bits & 0xfffffffffffffL) | u64{1} << 52;
  int decimal = static_cast<int>((static_cast<i64>(binary + 52) * 1292913986L) >> 32);
  u128 digits = scale_decimal(mantissa, binary, 14 - decimal);
  if (digits > 1000000000000000UL) digits = scale_decimal(mantissa, binary, 14 - ++decimal);
  u128 kept = digits / 1000000000UL;  // of 15 digits
  const u128 rest = digits % 1000000000UL;
  if (rest > 500000000UL || (rest == 500000000UL && (kept & 1) != 0)) ++kept;
  const i64 power = scale + decimal - 5;  // the value is kept * 10^power
  if (scale + decimal >= 38) {
    error = FunctionError::kNumericOutOfRange;
    return 0;
  }
  if (power < -16) return 0;
  const i128 result = power >= 0 ? static_cast<i128>(kept * power_of_ten_u128(power))
                                 : round_down_scale_i128(static_cast<i128>(kept), static_cast<i128>(power_of_ten_u128(-power)));
  return check_numeric(a < 0 ? -result : result, error);
}

}  // namespace saccade
