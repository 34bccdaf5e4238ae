// Casts of the lowering; those between text and other types are in lowering_text_call.cpp.
#include <utility>

#include "common/error.hpp"
#include "physical/lowering.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

Lowered Lowering::to_float(Lowered value, const DataType& from) {
  if (value.node.lane == Lane::kFloat64) return value;
  Lowered result;
  if (from.kind == TypeKind::kNumeric) {
    result.node = call_node(FunctionId::float64_of_numeric_i128,
                            {to_int128(std::move(value)).node, integer_literal(open_.pipeline, Lane::kInt64, from.scale)});
  } else {
    result.node = call_node(FunctionId::float64_of_i64, {std::move(value.node)});
  }
  return result;
}

// From a numeric and an integer at once: through a double they would be rounded twice.
Lowered Lowering::to_real(Lowered value, const DataType& from) {
  Lowered result;
  if (from.is_float()) {
    result.node = call_node(FunctionId::real_of_f64, {std::move(value.node)});
  } else if (from.kind == TypeKind::kNumeric) {
    result.node = call_node(FunctionId::real_of_numeric_i128,
                            {to_int128(std::move(value)).node, integer_literal(open_.pipeline, Lane::kInt64, from.scale)});
  } else {
    result.node = call_node(FunctionId::real_of_i64, {std::move(value.node)});
  }
  return result;
}

Lowered Lowering::cast_number(Lowered value, const DataType& from, const DataType& to) {
  if (to.kind == TypeKind::kDouble) return to_float(std::move(value), from);
  if (to.kind == TypeKind::kReal) return to_real(std::move(value), from);
  if (from.is_float()) {
    Lowered result;
    if (to.kind == TypeKind::kNumeric) {
      const bool real = from.kind == TypeKind::kReal;
      result.node = call_node(real ? FunctionId::numeric_of_real_f64 : FunctionId::numeric_of_f64,
                              {std::move(value.node), integer_literal(open_.pipeline, Lane::kInt64, to.scale)});
      result.bounds = numeric_bounds();
    } else {
      result.node = call_node(FunctionId::bigint_of_f64, {std::move(value.node)});
      result.bounds = kInt64Bounds;
    }
    return check_range(std::move(result), to);
  }
  const int from_scale = from.kind == TypeKind::kNumeric ? from.scale : 0;
  const int to_scale = to.kind == TypeKind::kNumeric ? to.scale : 0;
  value = rescale(std::move(value), from_scale, to_scale);
  if (to.is_integer() && value.node.lane == Lane::kInt128) {
    const bool proven = within(value.bounds, kInt64Bounds);
    value.node = call_node(proven ? FunctionId::int64_of_i128 : FunctionId::bigint_of_i128, {std::move(value.node)});
    value.bounds = clamp_bounds(value.bounds, kInt64Bounds);
  }
  return check_range(std::move(value), to);
}

Lowered Lowering::lower_cast(const Expression& expression) {
  const DataType& from = expression.arguments.at(0).type;
  const DataType& to = expression.type;
  Lowered value = lower(expression.arguments[0]);
  if (from.kind == TypeKind::kUnknown && value.node.kind == NodeKind::kLiteral && value.node.nullable)
    return lower_literal(literal_expression(Value::null(to)));
  if (from == to || (from.is_text() && to.is_text())) return value;
  if (to.kind == TypeKind::kText) return cast_to_text(std::move(value), expression);
  if (from.is_text()) return cast_from_text(std::move(value), expression);
  if (from.is_number() && to.is_number()) return cast_number(std::move(value), from, to);
  if (from.kind == TypeKind::kBoolean && to.kind == TypeKind::kInteger)
    return {call_node(FunctionId::int64_of_boolean, {std::move(value.node)}), Bounds{0, 1}, nullptr};
  if (from.kind == TypeKind::kInteger && to.kind == TypeKind::kBoolean)
    return {call_node(FunctionId::boolean_of_i64, {std::move(value.node)}), Bounds{0, 1}, nullptr};
  if (from.kind == TypeKind::kDate && to.kind == TypeKind::kTimestamp)
    return {call_node(FunctionId::timestamp_of_date_i64, {std::move(value.node)}), kInt64Bounds, nullptr};
  if (from.kind == TypeKind::kTimestamp && to.kind == TypeKind::kDate)
    return {call_node(FunctionId::date_of_timestamp_i64, {std::move(value.node)}), Bounds{INT32_MIN, INT32_MAX}, nullptr};
  const bool in_utc = (from.kind == TypeKind::kTimestamp && to.kind == TypeKind::kTimestamptz) ||
                      (from.kind == TypeKind::kTimestamptz && to.kind == TypeKind::kTimestamp);
  if (in_utc) return value;  // the binder has moved it from and to other zones
  throw Error(sqlstate::kFeatureNotSupported,
              "casting a column from " + to_string(from) + " to " + to_string(to) + " is not supported yet",
              expression.position);
}

}  // namespace saccade::physical
