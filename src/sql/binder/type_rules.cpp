#include "sql/binder/type_rules.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/text_casts.hpp"
#include "sql/binder/time_casts.hpp"

namespace saccade {

namespace {

constexpr int kDivisionScale = 16;  // a quotient and an average have at least so many digits behind the point

DataType capped(int integer_digits, int scale) {
  return DataType::numeric(std::clamp(integer_digits + scale, 1, kMaxPrecision), scale);
}

DataType numeric_arithmetic(Operation operation, const DataType& a, const DataType& b, int position) {
  const int digits = std::max(a.precision - a.scale, b.precision - b.scale);
  const int scale = std::max(a.scale, b.scale);
  switch (operation) {
    case Operation::kMultiply:
      if (a.scale + b.scale > kMaxPrecision) {
        throw Error(
            sqlstate::kNumericValueOutOfRange,
            fmt::format("the product of {} and {} has more than 38 digits behind the point", to_string(a), to_string(b)),
            position, "Cast an operand to a numeric with a smaller scale, such as numeric(38, 10).");
      }
      return capped(a.precision - a.scale + b.precision - b.scale, a.scale + b.scale);
    case Operation::kDivide:
      return capped(a.precision - a.scale + b.scale, std::max(scale, kDivisionScale));
    case Operation::kModulo:
      return capped(digits, scale);
    default:
      return capped(digits + 1, scale);
  }
}

DataType wider_integer(const DataType& a, const DataType& b) {
  return a.kind < b.kind ? b : a;
}

// What an explicit cast makes of `from`; bare numeric (precision 0) keeps the scale of what is cast.
DataType numeric_target(const Expression& from, const DataType& type) {
  if (type.kind != TypeKind::kNumeric || type.precision != 0) return type;
  if (from.type.is_integer() || from.type.kind == TypeKind::kNumeric) return numeric_type_of(from);
  return DataType::numeric(kMaxPrecision, 10);
}

bool postgres_casts(const DataType& from, const DataType& to) {
  const auto is = [&](TypeKind a, TypeKind b) { return from.kind == a && to.kind == b; };
  if (from.kind == to.kind || (from.is_number() && to.is_number())) return true;
  if (from.is_text() || to.is_text()) return true;
  return time_cast_exists(from.kind, to.kind, false) || is(TypeKind::kBoolean, TypeKind::kInteger) ||
         is(TypeKind::kInteger, TypeKind::kBoolean);
}

// A parameter takes the first type that is asked of it, without digits or lengths: values keep the scale they are given with.
void settle_parameter(const Expression& from, const DataType& type) {
  if (from.parameter == nullptr || from.parameter->kind != TypeKind::kUnknown) return;
  *from.parameter = type.is_text() ? DataType{TypeKind::kText} : DataType{type.kind};
}

Expression literal_as(const Expression& from, Value value) {
  settle_parameter(from, value.type);
  Expression result = literal_expression(std::move(value));
  result.position = from.position;
  return result;
}

}  // namespace

bool is_unknown_literal(const Expression& expression) {
  return expression.type.kind == TypeKind::kUnknown;
}

namespace {

// A literal beside a varchar or a char is not cut to its length; beside a char its trailing blanks do not count.
Expression coerce_beside_text(Expression expression, const DataType& other) {
  expression = coerce(std::move(expression), {TypeKind::kText});
  auto* text = std::get_if<std::string>(&expression.literal.data);
  if (other.kind == TypeKind::kChar && text != nullptr) text->erase(text->find_last_not_of(' ') + 1);
  return expression;
}

}  // namespace

Expression resolve_literal(Expression expression, const DataType& other) {
  if (!is_unknown_literal(expression)) return expression;
  if (other.is_text() && other.kind != TypeKind::kText) return coerce_beside_text(std::move(expression), other);
  const bool as_written = other.kind == TypeKind::kNumeric && !expression.literal.is_null();
  return coerce(std::move(expression), as_written ? DataType{TypeKind::kNumeric} : other);
}

Expression narrow_literal(Expression expression, const DataType& other) {
  if (expression.operation != Operation::kLiteral || !expression.type.is_number()) return expression;
  if (!other.is_integer() && other.kind != TypeKind::kNumeric) return expression;
  const auto exact = convert_exactly(expression.literal, other);
  return exact ? literal_as(expression, *exact) : expression;
}

DataType numeric_type_of(const Expression& number) {
  if (number.type.kind == TypeKind::kNumeric) return number.type;
  if (number.operation == Operation::kLiteral && !number.literal.is_null()) {
    int128 magnitude = std::get<int128>(number.literal.data);
    if (magnitude < 0) magnitude = -magnitude;
    int digits = 1;
    while (digits < 19 && magnitude >= power_of_ten(digits)) ++digits;
    return DataType::numeric(digits, 0);
  }
  return DataType::numeric(number.type.kind == TypeKind::kSmallint ? 5 : number.type.kind == TypeKind::kInteger ? 10 : 19, 0);
}

DataType arithmetic_type(Operation operation, const Expression& left, const Expression& right, int position) {
  SACCADE_CHECK(left.type.is_number() && right.type.is_number());
  if (left.type.is_float() || right.type.is_float()) {
    if (operation == Operation::kModulo) {
      throw Error(sqlstate::kUndefinedFunction, "operator does not exist: double precision % double precision", position,
                  "Cast both operands to numeric or integer.");
    }
    const bool real = left.type == right.type && left.type.kind == TypeKind::kReal;
    return {real ? TypeKind::kReal : TypeKind::kDouble};
  }
  if (left.type.is_integer() && right.type.is_integer()) return wider_integer(left.type, right.type);
  return numeric_arithmetic(operation, numeric_type_of(left), numeric_type_of(right), position);
}

std::optional<DataType> common_type(const Expression& left, const Expression& right) {
  const DataType& a = left.type;
  const DataType& b = right.type;
  if (is_unknown_literal(left) && is_unknown_literal(right)) return DataType{TypeKind::kText};
  if (is_unknown_literal(left)) return b;
  if (is_unknown_literal(right) || a == b) return a;
  if (a.is_number() && b.is_number()) {
    if (a.kind == TypeKind::kDouble || b.kind == TypeKind::kDouble) return DataType{TypeKind::kDouble};
    if (a.is_float() || b.is_float()) return DataType{TypeKind::kReal};
    if (a.is_integer() && b.is_integer()) return wider_integer(a, b);
    const DataType x = numeric_type_of(left);
    const DataType y = numeric_type_of(right);
    return capped(std::max(x.precision - x.scale, y.precision - y.scale), std::max(x.scale, y.scale));
  }
  if (a.is_text() && b.is_text()) return common_text_type(a, b);
  if (time_cast_exists(a.kind, b.kind, true)) return b;
  if (time_cast_exists(b.kind, a.kind, true)) return a;
  return std::nullopt;
}

std::optional<DataType> aggregate_type(AggregateKind kind, const DataType& argument) {
  switch (kind) {
    case AggregateKind::kCountStar:
    case AggregateKind::kCount:
      return DataType{TypeKind::kBigint};
    case AggregateKind::kMin:
    case AggregateKind::kMax:
      if (argument.kind == TypeKind::kBoolean || argument.kind == TypeKind::kUnknown || argument.kind == TypeKind::kUuid ||
          argument.kind == TypeKind::kBytea) {
        return std::nullopt;
      }
      return argument;
    case AggregateKind::kSum:
      if (argument.kind == TypeKind::kSmallint || argument.kind == TypeKind::kInteger) return DataType{TypeKind::kBigint};
      if (argument.kind == TypeKind::kBigint) return DataType::numeric(kMaxPrecision, 0);
      if (argument.kind == TypeKind::kNumeric) return DataType::numeric(kMaxPrecision, argument.scale);
      break;
    case AggregateKind::kAnyValue:
      return argument;
    case AggregateKind::kBoolAnd:
    case AggregateKind::kBoolOr:
      if (argument.kind == TypeKind::kBoolean || argument.kind == TypeKind::kUnknown) return DataType{TypeKind::kBoolean};
      return std::nullopt;
    case AggregateKind::kAvg:
    case AggregateKind::kVarPop:
    case AggregateKind::kVarSamp:
    case AggregateKind::kStddevPop:
    case AggregateKind::kStddevSamp:
      if (argument.is_integer()) return DataType::numeric(kMaxPrecision, kDivisionScale);
      if (argument.kind == TypeKind::kNumeric)
        return DataType::numeric(kMaxPrecision, std::max<int>(argument.scale, kDivisionScale));
      break;
  }
  if (argument.is_float()) return kind == AggregateKind::kAvg ? DataType{TypeKind::kDouble} : argument;
  return std::nullopt;
}

Expression coerce(Expression expression, const DataType& type) {
  if (expression.type == type) return expression;
  if (expression.operation == Operation::kLiteral) {
    if (expression.literal.is_null()) return literal_as(expression, Value::null(type));
    Value value = expression.literal;
    if (is_unknown_literal(expression)) value = parse_literal(std::get<std::string>(value.data), type, expression.position);
    if (type.kind == TypeKind::kNumeric && type.precision == 0) return literal_as(expression, std::move(value));
    if (const auto converted = convert_exactly(value, type)) return literal_as(expression, *converted);
    expression = literal_as(expression, std::move(value));
  }
  if (auto text = cast_text(expression, type)) return std::move(*text);
  if (auto moment = cast_time(expression, type)) return std::move(*moment);
  const int position = expression.position;
  Expression result = call_expression(Operation::kCast, type, {std::move(expression)});
  result.position = position;
  return result;
}

Expression cast_explicitly(Expression expression, const DataType& type, int position) {
  const DataType from = expression.type;
  if (is_unknown_literal(expression)) return coerce(std::move(expression), type);
  if (!postgres_casts(from, type)) {
    const std::string target = type.kind == TypeKind::kNumeric && type.precision == 0 ? "numeric" : to_string(type);
    throw Error("42846", fmt::format("cannot cast type {} to {}", to_string(from), target), position);
  }
  const DataType target = numeric_target(expression, type);
  const bool text_involved = from.is_text() != target.is_text();
  if (text_involved && expression.operation == Operation::kLiteral && !expression.literal.is_null()) {
    if (target.is_text()) {
      const bool boolean = from.kind == TypeKind::kBoolean;
      const std::string text = boolean ? (std::get<bool>(expression.literal.data) ? "true" : "false")
                                       : to_string(expression.literal, literal_times().time_zone());
      return coerce(literal_as(expression, Value{{TypeKind::kText}, text}), target);
    }
    expression.literal.type = expression.type = DataType{};
    return coerce(std::move(expression), type);
  }
  return coerce(std::move(expression), target);
}

Expression assign(Expression expression, const DataType& type, const std::string& column) {
  const int position = expression.position;
  const DataType& from = expression.type;
  const bool same = from.kind == type.kind || (from.is_number() && type.is_number());
  const bool boolean = from.kind == TypeKind::kBoolean || type.kind == TypeKind::kBoolean;
  const bool castable = type.is_text() || (!from.is_text() && !boolean && postgres_casts(from, type));
  if (!is_unknown_literal(expression) && !same && !castable) {
    throw Error(
        sqlstate::kDatatypeMismatch,
        fmt::format("column \"{}\" is of type {} but expression is of type {}", column, to_string(type), to_string(from)),
        position, "You will need to rewrite or cast the expression.");
  }
  if (!type.is_text() || type.length == 0) return cast_explicitly(std::move(expression), type, position);
  return fit_to_column(cast_explicitly(std::move(expression), {TypeKind::kText}, position), type);
}

}  // namespace saccade
