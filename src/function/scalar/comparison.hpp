// Comparisons. NaN equals itself and lies above infinity; -0.0 equals 0.0. Host and device; no standard headers.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

SACCADE_HOST_DEVICE bool equal_i64(i64 a, i64 b) {
  return a == b;
}
SACCADE_HOST_DEVICE bool not_equal_i64(i64 a, i64 b) {
  return a != b;
}
SACCADE_HOST_DEVICE bool less_i64(i64 a, i64 b) {
  return a < b;
}
SACCADE_HOST_DEVICE bool less_equal_i64(i64 a, i64 b) {
  return a <= b;
}
SACCADE_HOST_DEVICE bool greater_i64(i64 a, i64 b) {
  return a > b;
}
SACCADE_HOST_DEVICE bool greater_equal_i64(i64 a, i64 b) {
  return a >= b;
}

SACCADE_HOST_DEVICE bool equal_i128(i128 a, i128 b) {
  return a == b;
}
SACCADE_HOST_DEVICE bool not_equal_i128(i128 a, i128 b) {
  return a != b;
}
SACCADE_HOST_DEVICE bool less_i128(i128 a, i128 b) {
  return a < b;
}
SACCADE_HOST_DEVICE bool less_equal_i128(i128 a, i128 b) {
  return a <= b;
}
SACCADE_HOST_DEVICE bool greater_i128(i128 a, i128 b) {
  return a > b;
}
SACCADE_HOST_DEVICE bool greater_equal_i128(i128 a, i128 b) {
  return a >= b;
}

SACCADE_HOST_DEVICE bool check_single_row_i64(i64 rows, FunctionError& error) {
  report(error, rows > 1, FunctionError::kSeveralRows);
  return true;
}

SACCADE_HOST_DEVICE bool equal_f64(double a, double b) {
  return (a == b) | ((a != a) & (b != b));
}
SACCADE_HOST_DEVICE bool not_equal_f64(double a, double b) {
  return !equal_f64(a, b);
}
// a < b, or b alone is NaN: !(b <= a) holds for both, and for a NaN on the left, which is taken out.
SACCADE_HOST_DEVICE bool less_f64(double a, double b) {
  return !(b <= a) & (a == a);
}
SACCADE_HOST_DEVICE bool greater_f64(double a, double b) {
  return less_f64(b, a);
}
SACCADE_HOST_DEVICE bool less_equal_f64(double a, double b) {
  return !less_f64(b, a);
}
SACCADE_HOST_DEVICE bool greater_equal_f64(double a, double b) {
  return !less_f64(a, b);
}

}  // namespace saccade
