// Double precision arithmetic with PostgreSQL's errors: no infinity and no zero comes out of finite operands that should not.
// Host and device; no standard headers.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

// False for NaN.
SACCADE_HOST_DEVICE bool is_infinite(double a) {
  return a > 1.7976931348623157e308 || a < -1.7976931348623157e308;
}
SACCADE_HOST_DEVICE bool is_nan(double a) {
  return a != a;
}

SACCADE_HOST_DEVICE double add_f64(double a, double b, FunctionError& error) {
  const double result = a + b;
  report(error, is_infinite(result) && !is_infinite(a) && !is_infinite(b), FunctionError::kFloatOutOfRange);
  return result;
}

SACCADE_HOST_DEVICE double subtract_f64(double a, double b, FunctionError& error) {
  const double result = a - b;
  report(error, is_infinite(result) && !is_infinite(a) && !is_infinite(b), FunctionError::kFloatOutOfRange);
  return result;
}

SACCADE_HOST_DEVICE double multiply_f64(double a, double b, FunctionError& error) {
  const double result = a * b;
  report(error, is_infinite(result) && !is_infinite(a) && !is_infinite(b), FunctionError::kFloatOutOfRange);
  report(error, result == 0 && a != 0 && b != 0, FunctionError::kFloatUnderflow);
  return result;
}

// NaN / 0 is NaN; everything else / 0 is an error.
SACCADE_HOST_DEVICE double divide_f64(double a, double b, FunctionError& error) {
  const double result = a / b;
  report(error, is_infinite(result) && !is_infinite(a), FunctionError::kFloatOutOfRange);
  report(error, result == 0 && a != 0 && !is_infinite(b), FunctionError::kFloatUnderflow);
  report(error, b == 0 && !is_nan(a), FunctionError::kDivisionByZero);
  return result;
}

SACCADE_HOST_DEVICE double negate_f64(double a) {
  return -a;
}

// ---- rounding -------------------------------------------------------------------------------------------------------------

// Beyond 2^52 every double is whole.
SACCADE_HOST_DEVICE bool may_have_fraction(double a) {
  return a > -4503599627370496.0 && a < 4503599627370496.0 && a != 0;
}

// Half to even; the sign of zero stays.
SACCADE_HOST_DEVICE double round_f64(double a) {
  if (!may_have_fraction(a)) return a;
  return a < 0 ? -((-a + 4503599627370496.0) - 4503599627370496.0) : (a + 4503599627370496.0) - 4503599627370496.0;
}

SACCADE_HOST_DEVICE double truncate_f64(double a) {
  if (!may_have_fraction(a)) return a;
  return a < 0 ? -static_cast<double>(static_cast<i64>(-a)) : static_cast<double>(static_cast<i64>(a));
}

SACCADE_HOST_DEVICE double floor_f64(double a) {
  const double whole = truncate_f64(a);
  return whole > a ? whole - 1 : whole;
}

SACCADE_HOST_DEVICE double ceiling_f64(double a) {
  const double whole = truncate_f64(a);
  return whole < a ? whole + 1 : whole;
}

SACCADE_HOST_DEVICE double absolute_f64(double a) {
  return a < 0 ? -a : a == 0 ? 0 : a;
}

SACCADE_HOST_DEVICE double sign_f64(double a) {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}

SACCADE_HOST_DEVICE double root_f64(double a, FunctionError& error) {
  report(error, a < 0, FunctionError::kRootOfNegative);
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
  return a < 0 ? 0 : ::sqrt(a);
#else
  return a < 0 ? 0 : __builtin_sqrt(a);
#endif
}

SACCADE_HOST_DEVICE double degrees_f64(double a, FunctionError& error) {
  return divide_f64(a, 0.017453292519943295, error);
}
SACCADE_HOST_DEVICE double radians_f64(double a, FunctionError& error) {
  return multiply_f64(a, 0.017453292519943295, error);
}

SACCADE_HOST_DEVICE bool is_finite_f64(double a) {
  return !is_infinite(a) && !is_nan(a);
}

// ---- real: doubles that a float has -------------------------------------------------------------------------------------

// To the nearest float. The sum, difference, product or quotient of two floats that was rounded to double rounds here to
// what it would have been as a float.
SACCADE_HOST_DEVICE double real_of_f64(double a, FunctionError& error) {
  const double result = static_cast<double>(static_cast<float>(a));
  report(error, is_infinite(result) && !is_infinite(a), FunctionError::kFloatOutOfRange);
  report(error, result == 0 && a != 0, FunctionError::kFloatUnderflow);
  return result;
}

SACCADE_HOST_DEVICE double real_of_i64(i64 a) {
  return static_cast<double>(static_cast<float>(a));
}

}  // namespace saccade
