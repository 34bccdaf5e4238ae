// 256-bit intermediates of numeric functions. Host and device; no standard headers.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

// Four 64-bit digits, least significant first.
struct Wide {
  u64 digits[4];
};

SACCADE_HOST_DEVICE u128 magnitude_of(i128 a) {
  return a < 0 ? u128{0} - static_cast<u128>(a) : static_cast<u128>(a);
}
SACCADE_HOST_DEVICE i128 with_sign(u128 magnitude, bool negative) {
  return static_cast<i128>(negative ? u128{0} - magnitude : magnitude);
}

// 10^38 - 1: the largest magnitude a numeric may have.
SACCADE_HOST_DEVICE u128 largest_numeric() {
  return static_cast<u128>(10000000000000000000UL) * 10000000000000000000UL - 1;
}

// 10^exponent, 0 <= exponent <= 19.
SACCADE_HOST_DEVICE u64 power_of_ten_u64(i64 exponent) {
  u64 power = 1;
  for (i64 i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// 10^exponent, 0 <= exponent <= 38.
SACCADE_HOST_DEVICE u128 power_of_ten_u128(i64 exponent) {
  const i64 low = exponent < 19 ? exponent : 19;
  return static_cast<u128>(power_of_ten_u64(low)) * power_of_ten_u64(exponent - low);
}

SACCADE_HOST_DEVICE Wide wide_of(u128 a) {
  return Wide{{static_cast<u64>(a), static_cast<u64>(a >> 64), 0, 0}};
}
SACCADE_HOST_DEVICE u128 low_half(const Wide& a) {
  return static_cast<u128>(a.digits[1]) << 64 | a.digits[0];
}
SACCADE_HOST_DEVICE u128 high_half(const Wide& a) {
  return static_cast<u128>(a.digits[3]) << 64 | a.digits[2];
}

// a *= factor; false where the product needs more than 256 bits.
SACCADE_HOST_DEVICE bool multiply_wide(Wide& a, u64 factor) {
  u64 carry = 0;
  for (int i = 0; i < 4; ++i) {
    const u128 product = static_cast<u128>(a.digits[i]) * factor + carry;
    a.digits[i] = static_cast<u64>(product);
    carry = static_cast<u64>(product >> 64);
  }
  return carry == 0;
}

// a *= 10^exponent; false where the product needs more than 256 bits.
SACCADE_HOST_DEVICE bool multiply_power_of_ten(Wide& a, i64 exponent) {
  bool fits = true;
  while (exponent > 0) {
    const i64 step = exponent < 19 ? exponent : 19;
    fits = multiply_wide(a, power_of_ten_u64(step)) && fits;
    exponent -= step;
  }
  return fits;
}

// a / b with its remainder. Needs high_half(a) < b <= 2^127, so that the quotient fits. Long division, by digits where b is
// one digit and by bits otherwise.
SACCADE_HOST_DEVICE u128 divide_wide(const Wide& a, u128 b, u128& remainder) {
  u128 rest = high_half(a);
  const u128 low = low_half(a);
  if (rest == 0) {
    remainder = low % b;
    return low / b;
  }
  u128 quotient = 0;
  if ((b >> 64) == 0) {
    const u128 upper = rest << 64 | a.digits[1];
    quotient = upper / b << 64;
    const u128 lower = upper % b << 64 | a.digits[0];
    remainder = lower % b;
    return quotient | lower / b;
  }
  for (int bit = 127; bit >= 0; --bit) {
    rest = rest << 1 | (low >> bit & 1);
    quotient <<= 1;
    if (rest >= b) {
      rest -= b;
      quotient |= 1;
    }
  }
  remainder = rest;
  return quotient;
}

}  // namespace saccade
