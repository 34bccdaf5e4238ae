// Parts of keys: 64-bit integers whose signed order is the value's order. Host and device; no standard headers.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

// Through a union, which both compilers define: neither header nor intrinsic is common to both.
SACCADE_HOST_DEVICE i64 bits_of_f64(double a) {
  union {
    double real;
    i64 bits;
  } pun;
  pun.real = a;
  return pun.bits;
}

SACCADE_HOST_DEVICE double f64_of_bits(i64 a) {
  union {
    double real;
    i64 bits;
  } pun;
  pun.bits = a;
  return pun.real;
}

// -0.0 has the key of 0.0, every NaN the one key above infinity's.
SACCADE_HOST_DEVICE i64 key_of_f64(double a) {
  const i64 bits = bits_of_f64(a == 0 ? 0.0 : a);
  const i64 key = bits < 0 ? bits ^ 0x7fffffffffffffffL : bits;
  return a != a ? 0x7ff8000000000000L : key;
}

SACCADE_HOST_DEVICE double float64_of_key_i64(i64 a) {
  return f64_of_bits(a < 0 ? a ^ 0x7fffffffffffffffL : a);
}

// Two parts of an int128: the low one is shifted by 2^63 to order as a signed integer.
SACCADE_HOST_DEVICE i64 high_part_i128(i128 a) {
  return static_cast<i64>(a >> 64);
}
SACCADE_HOST_DEVICE i64 low_part_i128(i128 a) {
  return static_cast<i64>(static_cast<u64>(a) ^ 0x8000000000000000UL);
}
SACCADE_HOST_DEVICE i128 int128_of_parts_i64(i64 high, i64 low) {
  return static_cast<i128>(static_cast<u128>(static_cast<u64>(high)) << 64 | (static_cast<u64>(low) ^ 0x8000000000000000UL));
}

// Reverses the order; its own inverse.
SACCADE_HOST_DEVICE i64 descending_i64(i64 a) {
  return ~a;
}

}  // namespace saccade
