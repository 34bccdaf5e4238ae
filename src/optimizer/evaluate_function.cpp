// Registered functions of constants, computed by the functions that rows are computed with.
#include <optional>
#include <vector>

#include "function/call_scalar.hpp"
#include "optimizer/evaluate.hpp"

namespace saccade {
namespace {

// The value in a lane; nothing where it is carried in another one.
std::optional<ScalarValue> in_lane(const Value& value, Lane lane) {
  ScalarValue result{.lane = lane};
  if (const auto* truth = std::get_if<bool>(&value.data); truth != nullptr && lane == Lane::kBoolean) {
    result.boolean = *truth;
    return result;
  }
  if (const auto* real = std::get_if<double>(&value.data); real != nullptr && lane == Lane::kFloat64) {
    result.float64 = *real;
    return result;
  }
  const auto* interval = std::get_if<Interval>(&value.data);
  const auto* integer = std::get_if<int128>(&value.data);
  if (interval == nullptr && integer == nullptr) return std::nullopt;
  result.int128 = interval != nullptr ? pack_interval(*interval) : *integer;
  result.int64 = static_cast<std::int64_t>(result.int128);
  const bool fits = lane == Lane::kInt128 || (lane == Lane::kInt64 && result.int64 == result.int128);
  return fits ? std::optional(result) : std::nullopt;
}

Value from_lane(const ScalarValue& value, const DataType& type) {
  switch (value.lane) {
    case Lane::kBoolean:
      return {type, value.boolean};
    case Lane::kFloat64:
      return {type, value.float64};
    case Lane::kInt64:
      return {type, int128{value.int64}};
    default:
      break;
  }
  if (type.kind == TypeKind::kInterval) return {type, unpack_interval(value.int128)};
  return {type, value.int128};
}

}  // namespace

std::optional<Value> evaluate_function(const Expression& expression) {
  const ScalarFunction& function = scalar_function(find_function(expression.name));
  std::vector<ScalarValue> arguments;
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    const auto argument = in_lane(expression.arguments[i].literal, function.arguments[i]);
    if (!argument) return std::nullopt;
    arguments.push_back(*argument);
  }
  FunctionError error = FunctionError::kNone;
  const ScalarValue result = call_scalar(function.id, arguments, error);
  return error == FunctionError::kNone ? std::optional(from_lane(result, expression.type)) : std::nullopt;
}

}  // namespace saccade
