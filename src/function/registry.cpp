#include "function/registry.hpp"

#include <array>
#include <string>

namespace saccade {
namespace {

#define SACCADE_SCALAR_1(name, result, can_fail, a) \
  ScalarFunction{FunctionId::name, #name, Lane::k##result, 1, {Lane::k##a}, can_fail},
#define SACCADE_SCALAR_2(name, result, can_fail, a, b) \
  ScalarFunction{FunctionId::name, #name, Lane::k##result, 2, {Lane::k##a, Lane::k##b}, can_fail},
#define SACCADE_SCALAR_3(name, result, can_fail, a, b, c) \
  ScalarFunction{FunctionId::name, #name, Lane::k##result, 3, {Lane::k##a, Lane::k##b, Lane::k##c}, can_fail},
constexpr std::array kFunctions = {
#include "function/scalar/functions.inc"
};
#undef SACCADE_SCALAR_1
#undef SACCADE_SCALAR_2
#undef SACCADE_SCALAR_3

}  // namespace

const ScalarFunction& scalar_function(FunctionId id) {
  const auto index = static_cast<std::size_t>(id);
  SACCADE_CHECK(index < kFunctions.size());
  return kFunctions[index];
}

std::span<const ScalarFunction> scalar_functions() {
  return kFunctions;
}

FunctionId find_function(std::string_view name) {
  for (const ScalarFunction& function : kFunctions) {
    if (function.name == name) return function.id;
  }
  throw Error(sqlstate::kInternalError, "a plan names the function \"" + std::string(name) + "\", which does not exist");
}

Error to_error(FunctionError error) {
  switch (error) {
    case FunctionError::kSeveralRows:
      return Error(sqlstate::kCardinalityViolation, "more than one row returned by a subquery used as an expression", 0,
                   "Make sure that the subquery gives at most one row: add a condition, an aggregate or LIMIT 1.");
    case FunctionError::kDivisionByZero:
      return Error(sqlstate::kDivisionByZero, "division by zero");
    case FunctionError::kSmallintOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "smallint out of range");
    case FunctionError::kIntegerOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "integer out of range");
    case FunctionError::kBigintOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "bigint out of range");
    case FunctionError::kNumericOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "numeric field overflow", 0,
                   "A numeric holds at most 38 digits, and numeric(p,s) at most p; cast to double precision for more.");
    case FunctionError::kFloatOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "value out of range: overflow");
    case FunctionError::kFloatUnderflow:
      return Error(sqlstate::kNumericValueOutOfRange, "value out of range: underflow");
    case FunctionError::kDateOutOfRange:
      return Error(sqlstate::kDatetimeFieldOverflow, "date out of range");
    case FunctionError::kTimestampOutOfRange:
      return Error(sqlstate::kDatetimeFieldOverflow, "timestamp out of range");
    case FunctionError::kIntervalOutOfRange:
      return Error(sqlstate::kDatetimeFieldOverflow, "interval out of range", 0,
                   "The months and the days of an interval are at most 134,217,727 each.");
    case FunctionError::kDateFieldOutOfRange:
      return Error(sqlstate::kDatetimeFieldOverflow, "date field value out of range");
    case FunctionError::kTimeFieldOutOfRange:
      return Error(sqlstate::kDatetimeFieldOverflow, "time field value out of range");
    case FunctionError::kRootOfNegative:
      return Error("2201F", "cannot take square root of a negative number");
    case FunctionError::kZeroToNegativePower:
      return Error("2201F", "zero raised to a negative power is undefined");
    case FunctionError::kNegativeToFraction:
      return Error("2201F", "a negative number raised to a non-integer power yields a complex result");
    case FunctionError::kLogarithmOfZero:
      return Error("2201E", "cannot take logarithm of zero");
    case FunctionError::kLogarithmOfNegative:
      return Error("2201E", "cannot take logarithm of a negative number");
    case FunctionError::kInputOutOfRange:
      return Error(sqlstate::kNumericValueOutOfRange, "input is out of range");
    case FunctionError::kTimeZoneUnknown:
      return Error(sqlstate::kInvalidParameterValue, "a time zone of the plan is not known on this rank", 0,
                   "Install the same time zone data on all machines.");
    case FunctionError::kNone:
      break;
  }
  return Error(sqlstate::kInternalError,
               "a function reported the unknown error " + std::to_string(static_cast<unsigned int>(error)));
}

}  // namespace saccade
