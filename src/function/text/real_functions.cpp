// Functions of the C library over doubles, with PostgreSQL's errors, and the same over numerics. They run on the host only: a
// GPU's results differ in the last digits.
#include <quadmath.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/error.hpp"
#include "function/registry.hpp"
#include "function/scalar/all.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

[[noreturn]] void raise(FunctionError error) {
  throw to_error(error);
}

template <class F>
void each(TextCall& call, const F& function) {
  call.each_row([&](std::int64_t row) { call.put_real(row, function(call.operands[0].real(row))); });
}

template <class F>
void each_pair(TextCall& call, const F& function) {
  call.each_row(
      [&](std::int64_t row) { call.put_real(row, function(call.operands[0].real(row), call.operands[1].real(row))); });
}

double checked(double result, bool finite_input) {
  if (std::isinf(result) && finite_input) raise(FunctionError::kFloatOutOfRange);
  return result;
}

void check_logarithm(double a) {
  if (a == 0) raise(FunctionError::kLogarithmOfZero);
  if (a < 0) raise(FunctionError::kLogarithmOfNegative);
}

double power(double a, double b) {
  if (std::isnan(a)) return b == 0 ? 1 : a;
  if (std::isnan(b)) return a == 1 ? 1 : b;
  if (a == 0 && b < 0) raise(FunctionError::kZeroToNegativePower);
  if (a < 0 && std::floor(b) != b) raise(FunctionError::kNegativeToFraction);
  const double result = std::pow(a, b);
  const bool finite = std::isfinite(a) && std::isfinite(b);
  if (std::isinf(result) && finite) raise(FunctionError::kFloatOutOfRange);
  if (result == 0 && a != 0 && finite) raise(FunctionError::kFloatUnderflow);
  return result;
}

// sin and its like have no value at infinity.
void check_angle(double a) {
  if (std::isinf(a)) raise(FunctionError::kInputOutOfRange);
}

void check_within(double a, double low, double high) {
  if (a < low || a > high) raise(FunctionError::kInputOutOfRange);
}

// ---- numerics: 113 bits, of which the last ones are not trusted -----------------------------------------------------------

__float128 quad_of(int128 value, std::int64_t scale) {
  return static_cast<__float128>(value) / static_cast<__float128>(power_of_ten(static_cast<int>(scale)));
}

int128 numeric_of(__float128 value, std::int64_t scale) {
  const __float128 scaled = roundq(value * static_cast<__float128>(power_of_ten(static_cast<int>(scale))));
  if (!(fabsq(scaled) < static_cast<__float128>(power_of_ten(32)))) {
    throw Error(sqlstate::kNumericValueOutOfRange, "numeric field overflow", 0,
                "The result has more digits than can be computed exactly; cast the argument to double precision.");
  }
  return static_cast<int128>(scaled);
}

__float128 logarithm(int128 value, std::int64_t scale) {
  if (value == 0) raise(FunctionError::kLogarithmOfZero);
  if (value < 0) raise(FunctionError::kLogarithmOfNegative);
  return logq(quad_of(value, scale));
}

// base^exponent of whole, not negative exponents by multiplication; false where that leaves 38 digits.
bool exact_power(int128 base, std::int64_t scale, int128 exponent, std::int64_t result_scale, int128& result) {
  if (exponent < 0 || exponent > 200 || exponent * scale > result_scale) return false;
  FunctionError error = FunctionError::kNone;
  i128 product = 1;
  for (int128 i = 0; i < exponent && error == FunctionError::kNone; ++i) product = multiply_checked_i128(product, base, error);
  const auto missing = static_cast<int>(result_scale - static_cast<std::int64_t>(exponent) * scale);
  result = multiply_checked_i128(product, power_of_ten(missing), error);
  return error == FunctionError::kNone;
}

int128 numeric_power(int128 base, std::int64_t base_scale, int128 exponent, std::int64_t exponent_scale,
                     std::int64_t result_scale) {
  const int128 one = power_of_ten(static_cast<int>(exponent_scale));
  const bool whole = exponent % one == 0;
  if (base == 0 && exponent < 0) raise(FunctionError::kZeroToNegativePower);
  if (base < 0 && !whole) raise(FunctionError::kNegativeToFraction);
  int128 exact = 0;
  if (whole && exact_power(base, base_scale, exponent / one, result_scale, exact)) return exact;
  return numeric_of(powq(quad_of(base, base_scale), quad_of(exponent, exponent_scale)), result_scale);
}

std::mt19937_64& generator() {
  static thread_local std::mt19937_64 engine{std::random_device{}()};
  return engine;
}

}  // namespace

void run_exp_double(TextCall& call) {
  each(call, [](double a) {
    const double result = checked(std::exp(a), std::isfinite(a));
    if (result == 0 && std::isfinite(a)) raise(FunctionError::kFloatUnderflow);
    return result;
  });
}

void run_ln_double(TextCall& call) {
  each(call, [](double a) {
    check_logarithm(a);
    return std::log(a);
  });
}

void run_log10_double(TextCall& call) {
  each(call, [](double a) {
    check_logarithm(a);
    return std::log10(a);
  });
}

void run_power_double(TextCall& call) {
  each_pair(call, power);
}

void run_cbrt_double(TextCall& call) {
  each(call, [](double a) { return std::cbrt(a); });
}

void run_sin_double(TextCall& call) {
  each(call, [](double a) {
    check_angle(a);
    return std::sin(a);
  });
}

void run_cos_double(TextCall& call) {
  each(call, [](double a) {
    check_angle(a);
    return std::cos(a);
  });
}

void run_tan_double(TextCall& call) {
  each(call, [](double a) {
    check_angle(a);
    return std::tan(a);
  });
}

void run_cot_double(TextCall& call) {
  each(call, [](double a) {
    check_angle(a);
    return 1 / std::tan(a);
  });
}

void run_asin_double(TextCall& call) {
  each(call, [](double a) {
    check_within(a, -1, 1);
    return std::asin(a);
  });
}

void run_acos_double(TextCall& call) {
  each(call, [](double a) {
    check_within(a, -1, 1);
    return std::acos(a);
  });
}

void run_atan_double(TextCall& call) {
  each(call, [](double a) { return std::atan(a); });
}

void run_atan2_double(TextCall& call) {
  each_pair(call, [](double a, double b) { return std::atan2(a, b); });
}

void run_sinh_double(TextCall& call) {
  each(call, [](double a) { return std::sinh(a); });
}

void run_cosh_double(TextCall& call) {
  each(call, [](double a) { return std::cosh(a); });
}

void run_tanh_double(TextCall& call) {
  each(call, [](double a) { return std::tanh(a); });
}

void run_asinh_double(TextCall& call) {
  each(call, [](double a) { return std::asinh(a); });
}

void run_acosh_double(TextCall& call) {
  each(call, [](double a) {
    check_within(a, 1, std::numeric_limits<double>::infinity());
    return std::acosh(a);
  });
}

void run_atanh_double(TextCall& call) {
  each(call, [](double a) {
    check_within(a, -1, 1);
    return std::atanh(a);
  });
}

// Arguments: value, its scale, the result's scale.
void run_exp_numeric(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const auto& o = call.operands;
    call.put_wide(row, numeric_of(expq(quad_of(o[0].wide(row), o[1].integer(row))), o[2].integer(row)));
  });
}

void run_ln_numeric(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const auto& o = call.operands;
    call.put_wide(row, numeric_of(logarithm(o[0].wide(row), o[1].integer(row)), o[2].integer(row)));
  });
}

// Arguments: base, its scale, value, its scale, the result's scale.
void run_log_numeric(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const auto& o = call.operands;
    const __float128 base = logarithm(o[0].wide(row), o[1].integer(row)), value = logarithm(o[2].wide(row), o[3].integer(row));
    if (base == 0) raise(FunctionError::kDivisionByZero);
    call.put_wide(row, numeric_of(value / base, o[4].integer(row)));
  });
}

void run_power_numeric(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const auto& o = call.operands;
    call.put_wide(row, numeric_power(o[0].wide(row), o[1].integer(row), o[2].wide(row), o[3].integer(row), o[4].integer(row)));
  });
}

// In [0, 1), from 53 bits; the argument only tells calls apart.
void run_random_double(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put_real(row, static_cast<double>(generator()() >> 11) * 0x1p-53); });
}

// Version 4: four bits say so, two the variant.
void run_random_uuid(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::uint64_t high = (generator()() & 0xffffffffffff0fffULL) | 0x4000;
    const std::uint64_t low = (generator()() & 0x3fffffffffffffffULL) | 0x8000000000000000ULL;
    const uint128 bits = static_cast<uint128>(high) << 64 | low;
    call.put_wide(row, static_cast<int128>(bits ^ (uint128{1} << 127)));
  });
}

}  // namespace saccade::text_impl
