#include "optimizer/evaluate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "function/like.hpp"
#include "function/scalar/all.hpp"

namespace saccade {
namespace {

using Result = std::optional<Value>;

Result if_none(FunctionError error, Value value) {
  return error == FunctionError::kNone ? Result(std::move(value)) : std::nullopt;
}

int128 integer_of(const Value& value) {
  return std::get<int128>(value.data);
}

Result integer_arithmetic(Operation operation, const Value& left, const Value& right, const DataType& type) {
  const i64 a = static_cast<i64>(integer_of(left)), b = static_cast<i64>(integer_of(right));
  FunctionError error = FunctionError::kNone;
  const i64 value = operation == Operation::kAdd        ? add_checked_i64(a, b, error)
                    : operation == Operation::kSubtract ? subtract_checked_i64(a, b, error)
                    : operation == Operation::kMultiply ? multiply_checked_i64(a, b, error)
                    : operation == Operation::kDivide   ? divide_i64(a, b, error)
                                                        : modulo_i64(a, b, error);
  if (type.kind == TypeKind::kSmallint) check_smallint_i64(value, error);
  if (type.kind == TypeKind::kInteger) check_integer_i64(value, error);
  if (type.kind == TypeKind::kDate) check_date_i64(value, error);
  return if_none(error, {type, int128{value}});
}

i128 rescaled(const Value& value, int scale, FunctionError& error) {
  const int from = value.type.scale;
  if (scale >= from) return multiply_checked_i128(integer_of(value), power_of_ten(scale - from), error);
  return round_down_scale_i128(integer_of(value), power_of_ten(from - scale));
}

Result numeric_arithmetic(Operation operation, const Value& left, const Value& right, const DataType& type) {
  FunctionError error = FunctionError::kNone;
  i128 value = 0;
  if (operation == Operation::kMultiply) {
    const int scale = left.type.scale + right.type.scale;
    if (scale > 38) return std::nullopt;
    const i128 product = multiply_checked_i128(integer_of(left), integer_of(right), error);
    value = rescaled({DataType::numeric(38, scale), product}, type.scale, error);
  } else if (operation == Operation::kDivide) {
    const int exponent = type.scale - left.type.scale + right.type.scale;
    if (exponent < 0) return std::nullopt;
    value = divide_numeric_i128(integer_of(left), integer_of(right), exponent, error);
  } else {
    const int scale = operation == Operation::kModulo ? std::max(left.type.scale, right.type.scale) : type.scale;
    const i128 a = rescaled(left, scale, error), b = rescaled(right, scale, error);
    value = operation == Operation::kAdd        ? add_checked_i128(a, b, error)
            : operation == Operation::kSubtract ? subtract_checked_i128(a, b, error)
                                                : modulo_i128(a, b, error);
    if (operation == Operation::kModulo) value = rescaled({DataType::numeric(38, scale), value}, type.scale, error);
  }
  return if_none(error, {type, value});
}

Result float_arithmetic(Operation operation, double a, double b, const DataType& type) {
  if (operation == Operation::kModulo) return std::nullopt;
  FunctionError error = FunctionError::kNone;
  const double value = operation == Operation::kAdd        ? add_f64(a, b, error)
                       : operation == Operation::kSubtract ? subtract_f64(a, b, error)
                       : operation == Operation::kMultiply ? multiply_f64(a, b, error)
                                                           : divide_f64(a, b, error);
  const double rounded = type.kind == TypeKind::kReal ? real_of_f64(value, error) : value;
  return if_none(error, {type, rounded});
}

// A date or timestamp plus or minus an interval: months, then days, then microseconds.
Result add_interval_value(const Value& moment, const Interval& interval, int sign, const DataType& type) {
  const auto start = moment.type.kind == TypeKind::kDate ? cast_value(moment, {TypeKind::kTimestamp}) : Result(moment);
  if (!start) return std::nullopt;
  FunctionError error = FunctionError::kNone;
  i64 value = static_cast<i64>(integer_of(*start));
  if (interval.months != 0) value = add_months_i64(value, i64{sign} * interval.months, error);
  const i128 rest = (static_cast<i128>(interval.days) * 86400000000L + interval.microseconds) * sign;
  const i64 microseconds = bigint_of_i128(rest, error);
  if (microseconds != 0) value = add_microseconds_i64(value, microseconds, error);
  return if_none(error, {type, int128{value}});
}

Result arithmetic(const Expression& expression) {
  const Value &left = expression.arguments.at(0).literal, &right = expression.arguments.at(1).literal;
  const DataType& type = expression.type;
  const int sign = expression.operation == Operation::kSubtract ? -1 : 1;
  if (const auto* interval = std::get_if<Interval>(&right.data)) {
    return std::holds_alternative<int128>(left.data) ? add_interval_value(left, *interval, sign, type) : std::nullopt;
  }
  if (const auto* interval = std::get_if<Interval>(&left.data)) {
    return std::holds_alternative<int128>(right.data) ? add_interval_value(right, *interval, 1, type) : std::nullopt;
  }
  if (left.type.kind == TypeKind::kTimestamp || right.type.kind == TypeKind::kTimestamp) return std::nullopt;
  if (type.is_float()) {
    const auto a = cast_value(left, type), b = cast_value(right, type);
    return a && b ? float_arithmetic(expression.operation, std::get<double>(a->data), std::get<double>(b->data), type)
                  : std::nullopt;
  }
  if (!std::holds_alternative<int128>(left.data) || !std::holds_alternative<int128>(right.data)) return std::nullopt;
  if (type.kind == TypeKind::kNumeric) return numeric_arithmetic(expression.operation, left, right, type);
  const bool integers = type.is_integer() || type.kind == TypeKind::kDate;
  return integers ? integer_arithmetic(expression.operation, left, right, type) : std::nullopt;
}

Result negate(const Value& value, const DataType& type) {
  if (const auto* real = std::get_if<double>(&value.data)) return Value{type, -*real};
  if (!std::holds_alternative<int128>(value.data) || !type.is_number()) return std::nullopt;
  if (type.kind == TypeKind::kNumeric) return Value{type, -integer_of(value)};
  return integer_arithmetic(Operation::kSubtract, {type, int128{0}}, value, type);
}

// -1, 0 or 1; nothing for values that do not compare here.
std::optional<int> compare(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index() || a.type.scale != b.type.scale) return std::nullopt;
  if (const auto* x = std::get_if<int128>(&a.data)) return *x < integer_of(b) ? -1 : *x > integer_of(b);
  if (const auto* x = std::get_if<bool>(&a.data)) return int{*x} - int{std::get<bool>(b.data)};
  if (const auto* x = std::get_if<double>(&a.data)) {
    const double y = std::get<double>(b.data);
    return less_f64(*x, y) ? -1 : greater_f64(*x, y);
  }
  if (const auto* x = std::get_if<std::string>(&a.data)) {
    const int order = x->compare(std::get<std::string>(b.data));
    return order < 0 ? -1 : order > 0;
  }
  if (const auto* x = std::get_if<Interval>(&a.data)) {
    const i128 left = interval_order_i128(pack_interval(*x));
    const i128 right = interval_order_i128(pack_interval(std::get<Interval>(b.data)));
    return left < right ? -1 : left > right;
  }
  return std::nullopt;
}

Result comparison(const Expression& expression) {
  const auto order = compare(expression.arguments.at(0).literal, expression.arguments.at(1).literal);
  if (!order) return std::nullopt;
  const auto boolean = [&](bool value) { return Value{{TypeKind::kBoolean}, value}; };
  switch (expression.operation) {
    case Operation::kEqual:
      return boolean(*order == 0);
    case Operation::kNotEqual:
      return boolean(*order != 0);
    case Operation::kLess:
      return boolean(*order < 0);
    case Operation::kLessEqual:
      return boolean(*order <= 0);
    case Operation::kGreater:
      return boolean(*order > 0);
    default:
      return boolean(*order >= 0);
  }
}

Result extract(const Expression& expression) {
  const auto date = cast_value(expression.arguments.at(0).literal, {TypeKind::kDate});
  if (!date || expression.type.kind != TypeKind::kNumeric) return std::nullopt;
  const i64 days = static_cast<i64>(integer_of(*date));
  const bool year = expression.name == "year", month = expression.name == "month", day = expression.name == "day";
  if (!year && !month && !day) return std::nullopt;
  const i64 field = year ? year_of_date_i64(days) : month ? month_of_date_i64(days) : day_of_date_i64(days);
  if (expression.type.scale != 0) return std::nullopt;
  return Value{expression.type, int128{field}};
}

Result like(const Expression& expression) {
  const auto* text = std::get_if<std::string>(&expression.arguments.at(0).literal.data);
  const auto* pattern = std::get_if<std::string>(&expression.arguments.at(1).literal.data);
  if (text == nullptr || pattern == nullptr) return std::nullopt;
  try {
    return Value{{TypeKind::kBoolean}, LikePattern(*pattern, expression.name == "ilike").matches(*text)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Value> evaluate(const Expression& expression) {
  switch (expression.operation) {
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kModulo:
      return arithmetic(expression);
    case Operation::kNegate:
      return negate(expression.arguments.at(0).literal, expression.type);
    case Operation::kEqual:
    case Operation::kNotEqual:
    case Operation::kLess:
    case Operation::kLessEqual:
    case Operation::kGreater:
    case Operation::kGreaterEqual:
      return comparison(expression);
    case Operation::kLike:
      return like(expression);
    case Operation::kCast:
      return cast_value(expression.arguments.at(0).literal, expression.type);
    case Operation::kFunction:
      return evaluate_function(expression);
    case Operation::kExtract:
      return extract(expression);
    case Operation::kTextFunction:
      return evaluate_text_function(expression);
    default:
      return std::nullopt;
  }
}

}  // namespace saccade
