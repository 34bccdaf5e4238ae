#include "sql/binder/time_arithmetic.hpp"

#include <utility>

#include "sql/binder/literals.hpp"
#include "sql/binder/time_casts.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

using Kind = TypeKind;
using Result = std::optional<Expression>;

constexpr DataType kDateType{Kind::kDate};
constexpr DataType kTimestampType{Kind::kTimestamp};
constexpr DataType kTimestamptzType{Kind::kTimestamptz};
constexpr DataType kTimeType{Kind::kTime};
constexpr DataType kIntervalType{Kind::kInterval};
constexpr DataType kDoubleType{Kind::kDouble};

bool is_moment(Kind kind) {
  return kind == Kind::kDate || kind == Kind::kTimestamp || kind == Kind::kTimestamptz;
}

Expression call(Operation operation, DataType type, Expression left, Expression right, int position) {
  Expression result = call_expression(operation, type, {std::move(left), std::move(right)});
  result.position = position;
  return result;
}

Expression function(const char* name, DataType type, Expression left, Expression right, int position) {
  return function_call(name, type, {std::move(left), std::move(right)}, position);
}

// Months and days are added to the local time, hours and less to the moment itself.
Expression add_in_zone(bool add, Expression moment, const Expression& interval, int position) {
  const TimeZone& zone = literal_times().time_zone();
  const char* name = add ? "add_interval_timestamp_i64" : "subtract_interval_timestamp_i64";
  Expression days = function_call("interval_days_i128", kIntervalType, {interval}, position);
  Expression time = function_call(
      "make_interval_i64", kIntervalType,
      {integer_argument(0), integer_argument(0), function_call("interval_time_i128", {Kind::kBigint}, {interval}, position)},
      position);
  Expression local = local_timestamp(std::move(moment), zone);
  local = function(name, kTimestampType, std::move(local), std::move(days), position);
  return function(name, kTimestamptzType, zoned_timestamp(std::move(local), zone), std::move(time), position);
}

// A date, a timestamp or a timestamptz with an interval.
Expression add_to_moment(bool add, Expression moment, Expression interval, int position) {
  const bool zoned = moment.type.kind == Kind::kTimestamptz;
  if (zoned && !literal_times().time_zone().is_fixed()) return add_in_zone(add, std::move(moment), interval, position);
  const DataType type = zoned ? kTimestamptzType : kTimestampType;
  if (interval.operation == Operation::kLiteral) {
    const Operation operation = add ? Operation::kAdd : Operation::kSubtract;
    return call(operation, type, std::move(moment), std::move(interval), position);
  }
  if (moment.type.kind == Kind::kDate) moment = coerce(std::move(moment), kTimestampType);
  const char* name = add ? "add_interval_timestamp_i64" : "subtract_interval_timestamp_i64";
  return function(name, type, std::move(moment), std::move(interval), position);
}

Result with_interval(bool add, Expression left, Expression interval, int position) {
  if (is_moment(left.type.kind)) return add_to_moment(add, std::move(left), std::move(interval), position);
  if (left.type.kind == Kind::kTime) {
    const char* name = add ? "add_interval_time_i64" : "subtract_interval_time_i64";
    return function(name, kTimeType, std::move(left), std::move(interval), position);
  }
  if (left.type.kind != Kind::kInterval) return std::nullopt;
  const char* name = add ? "add_interval_i128" : "subtract_interval_i128";
  return function(name, kIntervalType, std::move(left), std::move(interval), position);
}

Result with_date(Operation operation, Expression date, Expression right, int position) {
  const Kind kind = right.type.kind;
  if (kind == Kind::kInteger || kind == Kind::kSmallint) {
    return call(operation, kDateType, std::move(date), coerce(std::move(right), {Kind::kInteger}), position);
  }
  if (kind != Kind::kTime) return std::nullopt;
  if (operation == Operation::kAdd) {
    return function("timestamp_of_date_and_time_i64", kTimestampType, std::move(date), std::move(right), position);
  }
  return add_to_moment(false, std::move(date), coerce(std::move(right), kIntervalType), position);
}

Result difference(Expression left, Expression right, int position) {
  const Kind a = left.type.kind, b = right.type.kind;
  if (a == Kind::kDate && b == Kind::kDate) {
    return call(Operation::kSubtract, {Kind::kInteger}, std::move(left), std::move(right), position);
  }
  if (a == Kind::kTime && b == Kind::kTime) {
    Expression microseconds = function("subtract_checked_i64", {Kind::kBigint}, std::move(left), std::move(right), position);
    return function_call("make_interval_i64", kIntervalType,
                         {integer_argument(0), integer_argument(0), std::move(microseconds)}, position);
  }
  if (!is_moment(a) || !is_moment(b)) return std::nullopt;
  const bool zoned = a == Kind::kTimestamptz || b == Kind::kTimestamptz;
  const DataType& type = zoned ? kTimestamptzType : kTimestampType;
  return function("subtract_timestamps_i64", kIntervalType, coerce(std::move(left), type), coerce(std::move(right), type),
                  position);
}

Result scaled(Operation operation, Expression left, Expression right, int position) {
  left = resolve_literal(std::move(left), kDoubleType);
  right = resolve_literal(std::move(right), kDoubleType);
  for (Expression* side : {&left, &right}) {
    if (side->type.kind == Kind::kTime) *side = coerce(std::move(*side), kIntervalType);
  }
  const bool multiply = operation == Operation::kMultiply;
  if (multiply && right.type.kind == Kind::kInterval) std::swap(left, right);
  if (left.type.kind != Kind::kInterval || !right.type.is_number()) return std::nullopt;
  const char* name = multiply ? "multiply_interval_i128" : "divide_interval_i128";
  return function(name, kIntervalType, std::move(left), coerce(std::move(right), kDoubleType), position);
}

// Beside a date, '1 day' may be any of three types for PostgreSQL.
Expression summand(Expression expression, const DataType& other) {
  if (!is_unknown_literal(expression) || other.kind == Kind::kDate) return expression;
  return coerce(std::move(expression), kIntervalType);
}

}  // namespace

bool is_date_or_time(const DataType& type) {
  return is_moment(type.kind) || type.kind == Kind::kTime || type.kind == Kind::kInterval;
}

Result time_arithmetic(Operation operation, Expression left, Expression right, int position) {
  if (operation == Operation::kMultiply || operation == Operation::kDivide) {
    return scaled(operation, std::move(left), std::move(right), position);
  }
  if (operation == Operation::kAdd) {
    left = summand(std::move(left), right.type);
    right = summand(std::move(right), left.type);
    const Kind b = right.type.kind;
    const bool mirrored = is_moment(b) || (b == Kind::kTime && left.type.kind == Kind::kInterval);
    if (mirrored) std::swap(left, right);
  } else if (operation == Operation::kSubtract) {
    left = resolve_literal(std::move(left), right.type);
    right = resolve_literal(std::move(right), left.type);
  } else {
    return std::nullopt;
  }
  const bool add = operation == Operation::kAdd;
  if (right.type.kind == Kind::kInterval) return with_interval(add, std::move(left), std::move(right), position);
  if (!add && is_date_or_time(left.type)) {
    if (Result result = difference(left, right, position)) return result;
  }
  return left.type.kind == Kind::kDate ? with_date(operation, std::move(left), std::move(right), position) : std::nullopt;
}

}  // namespace saccade
