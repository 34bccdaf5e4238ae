// Arithmetic of the lowering: 64 bits where bounds prove it, 128 bits or a checked function otherwise.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "physical/lowering.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

namespace {

struct ArithmeticFunctions {
  FunctionId proven_i64, checked_i64, proven_i128, checked_i128;
};

ArithmeticFunctions functions_of(Operation operation) {
  using F = FunctionId;
  switch (operation) {
    case Operation::kAdd:
      return {F::add_i64, F::add_checked_i64, F::add_i128, F::add_checked_i128};
    case Operation::kSubtract:
      return {F::subtract_i64, F::subtract_checked_i64, F::subtract_i128, F::subtract_checked_i128};
    case Operation::kMultiply:
      return {F::multiply_i64, F::multiply_checked_i64, F::multiply_i128, F::multiply_checked_i128};
    default:
      throw Error(sqlstate::kInternalError, "not an operation of addition or multiplication");
  }
}

OptionalBounds result_bounds(Operation operation, const OptionalBounds& a, const OptionalBounds& b) {
  switch (operation) {
    case Operation::kAdd:
      return add_bounds(a, b);
    case Operation::kSubtract:
      return subtract_bounds(a, b);
    case Operation::kMultiply:
      return multiply_bounds(a, b);
    case Operation::kDivide:
      return quotient_bounds(a);
    default:
      return remainder_bounds(a, b);
  }
}

}  // namespace

Lowered Lowering::lower_arithmetic(const Expression& expression) {
  const TypeKind left = expression.arguments.at(0).type.kind;
  const TypeKind kind = expression.type.kind;
  if (left == TypeKind::kDate || kind == TypeKind::kDate || kind == TypeKind::kTimestamp || kind == TypeKind::kTimestamptz)
    return lower_date_arithmetic(expression);
  if (expression.type.is_float()) return lower_float_arithmetic(expression);
  if (expression.type.kind == TypeKind::kNumeric) return lower_numeric_arithmetic(expression);
  if (!expression.type.is_integer())
    throw Error(sqlstate::kFeatureNotSupported, "arithmetic on " + to_string(expression.type) + " is not supported yet",
                expression.position);
  return lower_integer_arithmetic(expression.operation, lower(expression.arguments[0]), lower(expression.arguments[1]),
                                  expression.type);
}

Lowered Lowering::lower_integer_arithmetic(Operation operation, Lowered a, Lowered b, const DataType& type) {
  if (!a.bounds) a.bounds = kInt64Bounds;
  if (!b.bounds) b.bounds = kInt64Bounds;
  const OptionalBounds exact = result_bounds(operation, a.bounds, b.bounds);
  Lowered result;
  result.bounds = clamp_bounds(exact, kInt64Bounds);
  std::vector<Node> arguments{std::move(a.node), std::move(b.node)};
  if (operation == Operation::kDivide || operation == Operation::kModulo) {
    const FunctionId function = operation == Operation::kDivide ? FunctionId::divide_i64 : FunctionId::modulo_i64;
    result.node = call_node(function, std::move(arguments));
  } else {
    const ArithmeticFunctions functions = functions_of(operation);
    result.node = call_node(within(exact, kInt64Bounds) ? functions.proven_i64 : functions.checked_i64, std::move(arguments));
  }
  return check_range(std::move(result), type);
}

Lowered Lowering::check_range(Lowered value, const DataType& type) {
  const OptionalBounds limits = type_bounds(type);
  if (!limits || within(value.bounds, *limits)) return value;
  switch (type.kind) {
    case TypeKind::kSmallint:
      value.node = call_node(FunctionId::check_smallint_i64, {std::move(value.node)});
      break;
    case TypeKind::kInteger:
      value.node = call_node(FunctionId::check_integer_i64, {std::move(value.node)});
      break;
    case TypeKind::kDate:
      value.node = call_node(FunctionId::check_date_i64, {std::move(value.node)});
      break;
    case TypeKind::kNumeric: {
      const Lane lane = value.node.lane;
      if (lane == Lane::kInt64 && type.precision > 18) return value;  // every int64 has at most 19 digits
      const FunctionId check = lane == Lane::kInt64 ? FunctionId::check_magnitude_i64 : FunctionId::check_magnitude_i128;
      value.node = call_node(check, {std::move(value.node), integer_literal(open_.pipeline, lane, limits->high)});
      break;
    }
    default:
      return value;
  }
  value.bounds = clamp_bounds(value.bounds, *limits);
  return value;
}

Lowered Lowering::wide_arithmetic(Operation operation, Lowered a, Lowered b) {
  const OptionalBounds exact = result_bounds(operation, a.bounds, b.bounds);
  const ArithmeticFunctions functions = functions_of(operation);
  const bool narrow = a.node.lane == Lane::kInt64 && b.node.lane == Lane::kInt64;
  if (narrow && within(exact, kInt64Bounds))
    return {call_node(functions.proven_i64, {std::move(a.node), std::move(b.node)}), exact, nullptr};
  a = to_int128(std::move(a));
  b = to_int128(std::move(b));
  const bool proven = within(exact, numeric_bounds());
  Lowered result;
  result.node = call_node(proven ? functions.proven_i128 : functions.checked_i128, {std::move(a.node), std::move(b.node)});
  result.bounds = clamp_bounds(exact, numeric_bounds());
  return result;
}

Lowered Lowering::rescale(Lowered value, int from_scale, int to_scale) {
  if (from_scale == to_scale) return value;
  if (to_scale > from_scale) {
    const int128 factor = power_of_ten(to_scale - from_scale);
    const bool fits = within(Bounds{factor, factor}, kInt64Bounds);
    return wide_arithmetic(Operation::kMultiply, std::move(value), constant(fits ? Lane::kInt64 : Lane::kInt128, factor));
  }
  const int128 divisor = power_of_ten(from_scale - to_scale);
  if (value.node.lane == Lane::kInt64 && !within(Bounds{divisor, divisor}, kInt64Bounds)) value = to_int128(std::move(value));
  const bool narrow = value.node.lane == Lane::kInt64;
  Lowered result;
  result.node =
      call_node(narrow ? FunctionId::round_down_scale_i64 : FunctionId::round_down_scale_i128,
                {std::move(value.node), integer_literal(open_.pipeline, narrow ? Lane::kInt64 : Lane::kInt128, divisor)});
  if (value.bounds) result.bounds = Bounds{value.bounds->low / divisor - 1, value.bounds->high / divisor + 1};
  return result;
}

Lowered Lowering::lower_numeric_arithmetic(const Expression& expression) {
  const int left_scale = expression.arguments[0].type.scale;
  const int right_scale = expression.arguments[1].type.scale;
  const int scale = expression.type.scale;
  Lowered a = lower(expression.arguments[0]);
  Lowered b = lower(expression.arguments[1]);
  switch (expression.operation) {
    case Operation::kMultiply:
      return rescale(wide_arithmetic(Operation::kMultiply, std::move(a), std::move(b)), left_scale + right_scale, scale);
    case Operation::kDivide: {
      const int shift = scale - left_scale + right_scale;
      SACCADE_CHECK(shift >= 0);
      Lowered result;
      result.node = call_node(FunctionId::divide_numeric_i128, {to_int128(std::move(a)).node, to_int128(std::move(b)).node,
                                                                integer_literal(open_.pipeline, Lane::kInt64, shift)});
      result.bounds = numeric_bounds();
      return result;
    }
    case Operation::kModulo: {
      const int common = std::max(left_scale, right_scale);
      a = rescale(std::move(a), left_scale, common);
      b = rescale(std::move(b), right_scale, common);
      Lowered result;
      result.bounds = remainder_bounds(a.bounds, b.bounds);
      const bool narrow = a.node.lane == Lane::kInt64 && b.node.lane == Lane::kInt64;
      if (!narrow) {
        a = to_int128(std::move(a));
        b = to_int128(std::move(b));
      }
      result.node =
          call_node(narrow ? FunctionId::modulo_i64 : FunctionId::modulo_i128, {std::move(a.node), std::move(b.node)});
      return rescale(std::move(result), common, scale);
    }
    default:
      return wide_arithmetic(expression.operation, rescale(std::move(a), left_scale, scale),
                             rescale(std::move(b), right_scale, scale));
  }
}

Lowered Lowering::lower_float_arithmetic(const Expression& expression) {
  using F = FunctionId;
  const F function = expression.operation == Operation::kAdd        ? F::add_f64
                     : expression.operation == Operation::kSubtract ? F::subtract_f64
                     : expression.operation == Operation::kMultiply ? F::multiply_f64
                                                                    : F::divide_f64;
  if (expression.operation == Operation::kModulo)
    throw Error(sqlstate::kUndefinedFunction, "operator does not exist: double precision % double precision",
                expression.position);
  std::vector<Node> arguments;
  for (const Expression& argument : expression.arguments) arguments.push_back(to_float(lower(argument), argument.type).node);
  Node result = call_node(function, std::move(arguments));
  if (expression.type.kind == TypeKind::kReal) result = call_node(F::real_of_f64, {std::move(result)});
  return {std::move(result), std::nullopt, nullptr};
}

Lowered Lowering::lower_date_arithmetic(const Expression& expression) {
  const Expression& left = expression.arguments.at(0);
  const Expression& right = expression.arguments.at(1);
  const bool subtract = expression.operation == Operation::kSubtract;
  const Expression& amount = right.type.kind == TypeKind::kInterval || right.type.is_integer() ? right : left;
  const Expression& moment = &amount == &right ? left : right;
  if (amount.type.kind != TypeKind::kInterval) {
    return lower_integer_arithmetic(expression.operation, lower(left), lower(right), expression.type);
  }
  const auto* interval = std::get_if<Interval>(&amount.literal.data);
  SACCADE_CHECK(amount.operation == Operation::kLiteral && interval != nullptr);  // others are functions
  const int sign = subtract ? -1 : 1;
  Lowered value = lower(moment);
  if (moment.type.kind == TypeKind::kDate) value.node = call_node(FunctionId::timestamp_of_date_i64, {std::move(value.node)});
  value.bounds = kInt64Bounds;
  if (interval->months != 0) {
    value.node = call_node(FunctionId::add_months_i64,
                           {std::move(value.node), integer_literal(open_.pipeline, Lane::kInt64, sign * interval->months)});
  }
  const int128 microseconds = static_cast<int128>(interval->days) * 86400000000LL + interval->microseconds;
  if (microseconds != 0) {
    value.node = call_node(FunctionId::add_microseconds_i64,
                           {std::move(value.node), integer_literal(open_.pipeline, Lane::kInt64, sign * microseconds)});
  }
  return value;
}

Lowered Lowering::lower_negate(const Expression& expression) {
  Lowered value = lower(expression.arguments.at(0));
  if (value.node.lane == Lane::kFloat64)
    return {call_node(FunctionId::negate_f64, {std::move(value.node)}), std::nullopt, nullptr};
  const OptionalBounds exact = negate_bounds(value.bounds);
  if (expression.type.kind == TypeKind::kNumeric) {
    if (value.node.lane == Lane::kInt64 && within(exact, kInt64Bounds))
      return {call_node(FunctionId::negate_i64, {std::move(value.node)}), exact, nullptr};
    value = to_int128(std::move(value));
    return {call_node(FunctionId::negate_i128, {std::move(value.node)}), exact, nullptr};
  }
  Lowered result;
  result.node =
      call_node(within(exact, kInt64Bounds) ? FunctionId::negate_i64 : FunctionId::negate_checked_i64, {std::move(value.node)});
  result.bounds = clamp_bounds(exact, kInt64Bounds);
  return check_range(std::move(result), expression.type);
}

}  // namespace saccade::physical
