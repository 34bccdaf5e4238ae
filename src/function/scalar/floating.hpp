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

}  // namespace saccade
