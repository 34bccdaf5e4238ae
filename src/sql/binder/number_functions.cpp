#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "sql/binder/scalar_functions.hpp"
#include "sql/binder/text_casts.hpp"
#include "sql/binder/time_casts.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

using Result = std::optional<Expression>;
using Arguments = std::vector<Expression>;

constexpr DataType kDoubleType{TypeKind::kDouble};
constexpr DataType kBigintType{TypeKind::kBigint};
constexpr int kRootScale = 16;  // a root has at least so many digits behind the point, as a quotient

Expression number(const Expression& argument) {
  return resolve_literal(argument, kDoubleType);
}

Expression numeric(const Expression& argument) {
  return coerce(argument, numeric_type_of(argument));
}

Expression power_of_ten_argument(int exponent) {
  return literal_expression({DataType::numeric(kMaxPrecision, 0), power_of_ten(exponent)});
}

DataType numeric_of_digits(int integer_digits, int scale) {
  return DataType::numeric(std::clamp(integer_digits + scale, 1, kMaxPrecision), scale);
}

// A value in int64 back in its integer type, checked where it could have left it.
Expression as_integer_type(Expression value, const DataType& type) {
  const int position = value.position;
  value.type = kBigintType;
  if (type.kind == TypeKind::kSmallint) return function_call("check_smallint_i64", type, {std::move(value)}, position);
  if (type.kind == TypeKind::kInteger) return function_call("check_integer_i64", type, {std::move(value)}, position);
  return value;
}

Result absolute(const Expression& argument, int position) {
  const Expression value = number(argument);
  const DataType& type = value.type;
  if (type.is_integer()) return as_integer_type(function_call("absolute_i64", type, {value}, position), type);
  if (type.kind == TypeKind::kNumeric) return function_call("absolute_i128", type, {value}, position);
  return type.is_float() ? Result(function_call("absolute_f64", type, {value}, position)) : std::nullopt;
}

Result sign(const Expression& argument, int position) {
  const Expression value = number(argument);
  if (!value.type.is_number()) return std::nullopt;
  if (value.type.kind == TypeKind::kNumeric) return function_call("sign_i128", DataType::numeric(1, 0), {value}, position);
  return function_call("sign_f64", kDoubleType, {coerce(value, kDoubleType)}, position);
}

struct Rounding {
  std::string_view name;
  const char* real;     // of a double
  const char* numeric;  // of a numeric and the power of ten that goes
};

constexpr std::array<Rounding, 5> kRoundings = {{{"round", "round_f64", "round_down_scale_i128"},
                                                 {"trunc", "truncate_f64", "truncate_scale_i128"},
                                                 {"floor", "floor_f64", "floor_scale_i128"},
                                                 {"ceil", "ceiling_f64", "ceiling_scale_i128"},
                                                 {"ceiling", "ceiling_f64", "ceiling_scale_i128"}}};

// A numeric without the last `lost` digits behind its point.
Expression without_digits(const Rounding& rounding, const Expression& value, int lost, int position) {
  if (lost <= 0) return value;
  const DataType& from = value.type;
  const DataType type = numeric_of_digits(from.precision - from.scale + 1, from.scale - lost);
  return function_call(rounding.numeric, type, {value, power_of_ten_argument(lost)}, position);
}

Result round_whole(const Rounding& rounding, const Expression& argument, int position) {
  const Expression value = number(argument);
  if (!value.type.is_number()) return std::nullopt;
  if (value.type.kind == TypeKind::kNumeric) return without_digits(rounding, value, value.type.scale, position);
  return function_call(rounding.real, kDoubleType, {coerce(value, kDoubleType)}, position);
}

// round(x, n), trunc(x, n). The scale of the result is n where that is a constant from 0 on; else x keeps its own.
Result round_digits(const Rounding& rounding, const Expression& argument, const Expression& digits, int position) {
  Expression value = resolve_literal(argument, {TypeKind::kNumeric});
  const Expression count = resolve_literal(digits, {TypeKind::kInteger});
  const bool exact = value.type.is_integer() || value.type.kind == TypeKind::kNumeric;
  if (!exact || !(count.type.kind == TypeKind::kInteger || count.type.kind == TypeKind::kSmallint)) return std::nullopt;
  value = numeric(value);
  const int scale = value.type.scale;
  const auto* constant = std::get_if<int128>(&count.literal.data);
  if (count.operation == Operation::kLiteral && constant != nullptr && *constant >= 0) {
    const int wanted = static_cast<int>(std::min<int128>(*constant, kMaxPrecision));
    if (wanted <= scale) return without_digits(rounding, value, scale - wanted, position);
    return coerce(value, numeric_of_digits(value.type.precision - scale, wanted));
  }
  const char* name = rounding.name == "round" ? "round_digits_i128" : "truncate_digits_i128";
  const DataType type = numeric_of_digits(value.type.precision - scale + 1, scale);
  Expression result = function_call(name, type, {value, integer_argument(scale), coerce(count, kBigintType)}, position);
  const bool negative = count.operation == Operation::kLiteral && constant != nullptr;
  return negative ? coerce(std::move(result), numeric_of_digits(type.precision - scale, 0)) : result;
}

Result modulo(const Expression& a, const Expression& b, int position) {
  const Expression left = resolve_literal(a, b.type), right = resolve_literal(b, a.type);
  if (!left.type.is_number() || !right.type.is_number() || left.type.is_float() || right.type.is_float()) return std::nullopt;
  const DataType type = arithmetic_type(Operation::kModulo, left, right, position);
  const bool numerics = type.kind == TypeKind::kNumeric;
  Expression result =
      call_expression(Operation::kModulo, type,
                      {numerics ? numeric(left) : coerce(left, type), numerics ? numeric(right) : coerce(right, type)});
  result.position = position;
  return result;
}

// Two numbers as integers of one type, or as numerics of one scale; nothing where one is a float.
std::optional<std::pair<Expression, Expression>> exact_pair(const Expression& a, const Expression& b) {
  Expression left = resolve_literal(a, b.type), right = resolve_literal(b, a.type);
  if (!left.type.is_number() || !right.type.is_number()) return std::nullopt;
  const auto type = common_type(left, right);
  if (!type || type->is_float()) return std::nullopt;
  return std::pair(coerce(std::move(left), *type), coerce(std::move(right), *type));
}

Result divisor_or_multiple(bool gcd, const Expression& a, const Expression& b, int position) {
  const auto pair = exact_pair(a, b);
  if (!pair) return std::nullopt;
  const DataType type = pair->first.type;
  if (type.kind == TypeKind::kNumeric) {
    const DataType result = gcd ? type : DataType::numeric(kMaxPrecision, type.scale);
    return function_call(gcd ? "gcd_i128" : "lcm_i128", result, {pair->first, pair->second}, position);
  }
  return as_integer_type(function_call(gcd ? "gcd_i64" : "lcm_i64", type, {pair->first, pair->second}, position), type);
}

// div(a, b): the whole part of the quotient.
Result whole_quotient(const Expression& a, const Expression& b, int position) {
  const Expression left = resolve_literal(a, {TypeKind::kNumeric}), right = resolve_literal(b, {TypeKind::kNumeric});
  const bool numbers = left.type.is_number() && right.type.is_number() && !left.type.is_float() && !right.type.is_float();
  if (!numbers) return std::nullopt;
  const DataType x = numeric_type_of(left), y = numeric_type_of(right);
  const int scale = std::max(x.scale, y.scale);
  const Expression dividend = coerce(left, numeric_of_digits(x.precision - x.scale, scale));
  const Expression divisor = coerce(right, numeric_of_digits(y.precision - y.scale, scale));
  return function_call("quotient_i128", numeric_of_digits(x.precision - x.scale + y.scale, 0), {dividend, divisor}, position);
}

Result square_root(const Expression& argument, int position) {
  const Expression value = number(argument);
  if (!value.type.is_number()) return std::nullopt;
  if (value.type.kind != TypeKind::kNumeric) {
    return function_call("root_f64", kDoubleType, {coerce(value, kDoubleType)}, position);
  }
  const int scale = std::max<int>(value.type.scale, kRootScale);
  const DataType type = numeric_of_digits((value.type.precision - value.type.scale) / 2 + 1, scale);
  return function_call("root_numeric_i128", type, {value, integer_argument(2 * scale - value.type.scale)}, position);
}

Result angle(const char* name, const Expression& argument, int position) {
  const Expression value = number(argument);
  if (!value.type.is_number()) return std::nullopt;
  return function_call(name, kDoubleType, {coerce(value, kDoubleType)}, position);
}

Result factorial(const Expression& argument, int position) {
  const Expression value = resolve_literal(argument, kBigintType);
  if (!value.type.is_integer()) return std::nullopt;
  return function_call("factorial_i64", DataType::numeric(kMaxPrecision, 0), {coerce(value, kBigintType)}, position);
}

struct HostFunction {
  std::string_view name, function;
};

constexpr std::array<HostFunction, 20> kHostFunctions = {{
    {"exp", "exp_double"},     {"ln", "ln_double"},       {"log", "log10_double"},   {"log10", "log10_double"},
    {"cbrt", "cbrt_double"},   {"sin", "sin_double"},     {"cos", "cos_double"},     {"tan", "tan_double"},
    {"cot", "cot_double"},     {"asin", "asin_double"},   {"acos", "acos_double"},   {"atan", "atan_double"},
    {"sinh", "sinh_double"},   {"cosh", "cosh_double"},   {"tanh", "tanh_double"},   {"asinh", "asinh_double"},
    {"acosh", "acosh_double"}, {"atanh", "atanh_double"}, {"atan2", "atan2_double"}, {"power", "power_double"},
}};

std::string_view host_function(std::string_view name) {
  for (const HostFunction& function : kHostFunctions) {
    if (function.name == name) return function.function;
  }
  return name == "pow" ? "power_double" : std::string_view();
}

// Of a numeric, its scale and the one of the result.
Expression numeric_function(std::string_view name, const Expression& a, const Expression* b, int position) {
  int scale = std::max<int>(a.type.scale, kRootScale);
  Arguments arguments{a, integer_argument(a.type.scale)};
  if (b != nullptr) {
    scale = std::max<int>(scale, b->type.scale);
    arguments.push_back(*b);
    arguments.push_back(integer_argument(b->type.scale));
  }
  arguments.push_back(integer_argument(scale));
  return text_function(name, DataType::numeric(kMaxPrecision, scale), std::move(arguments), position);
}

Result host_of_one(const std::string& name, const Expression& argument, int position) {
  const std::string_view function = host_function(name);
  if (function.empty() || name == "atan2" || name == "power" || name == "pow") return std::nullopt;
  const Expression value = number(argument);
  if (!value.type.is_number()) return std::nullopt;
  if (value.type.kind == TypeKind::kNumeric) {
    if (name == "exp" || name == "ln") return numeric_function(name + "_numeric", value, nullptr, position);
    if (name == "log" || name == "log10") {
      const Expression ten = literal_expression({DataType::numeric(2, 0), int128{10}});
      return numeric_function("log_numeric", ten, &value, position);
    }
  }
  return text_function(function, kDoubleType, {coerce(value, kDoubleType)}, position);
}

// power(a, b), log(b, x) and atan2(y, x): of numerics where one is a numeric and none a float.
Result host_of_two(const std::string& name, const Expression& a, const Expression& b, int position) {
  const bool power = name == "power" || name == "pow", log = name == "log";
  if (!power && !log && name != "atan2") return std::nullopt;
  const DataType untyped{log ? TypeKind::kNumeric : TypeKind::kDouble};
  Expression left = resolve_literal(a, is_unknown_literal(b) ? untyped : b.type);
  Expression right = resolve_literal(b, is_unknown_literal(a) ? untyped : a.type);
  if (!left.type.is_number() || !right.type.is_number()) return std::nullopt;
  const bool floats = left.type.is_float() || right.type.is_float();
  const bool numerics = left.type.kind == TypeKind::kNumeric || right.type.kind == TypeKind::kNumeric;
  if (log && floats) return std::nullopt;
  if (name != "atan2" && !floats && (log || numerics)) {
    const Expression x = numeric(left), y = numeric(right);
    return numeric_function(log ? "log_numeric" : "power_numeric", x, &y, position);
  }
  return text_function(host_function(name), kDoubleType,
                       {coerce(std::move(left), kDoubleType), coerce(std::move(right), kDoubleType)}, position);
}

Result of_one(const std::string& name, const Expression& argument, int position) {
  for (const Rounding& rounding : kRoundings) {
    if (rounding.name == name) return round_whole(rounding, argument, position);
  }
  if (name == "abs") return absolute(argument, position);
  if (name == "sign") return sign(argument, position);
  if (name == "sqrt") return square_root(argument, position);
  if (name == "degrees") return angle("degrees_f64", argument, position);
  if (name == "radians") return angle("radians_f64", argument, position);
  if (name == "factorial") return factorial(argument, position);
  return host_of_one(name, argument, position);
}

Result of_two(const std::string& name, const Arguments& arguments, int position) {
  const Expression &a = arguments[0], &b = arguments[1];
  if (name == "round") return round_digits(kRoundings[0], a, b, position);
  if (name == "trunc") return round_digits(kRoundings[1], a, b, position);
  if (name == "mod") return modulo(a, b, position);
  if (name == "gcd" || name == "lcm") return divisor_or_multiple(name == "gcd", a, b, position);
  if (name == "div") return whole_quotient(a, b, position);
  return host_of_two(name, a, b, position);
}

// The count of a shift is an integer, and the result has the type of what is shifted.
Result shift(bool to_left, const Expression& value, const Expression& count, int position) {
  if (!value.type.is_integer() || !count.type.is_integer() || count.type.kind == TypeKind::kBigint) return std::nullopt;
  const TypeKind kind = value.type.kind;
  const char* name = kind == TypeKind::kBigint     ? (to_left ? "shift_left_i64" : "shift_right_i64")
                     : !to_left                    ? "shift_right_integer_i64"
                     : kind == TypeKind::kSmallint ? "shift_left_smallint_i64"
                                                   : "shift_left_integer_i64";
  return function_call(name, value.type, {value, count}, position);
}

}  // namespace

Result bind_number_function(const std::string& name, const Arguments& arguments, int position) {
  if (arguments.empty()) {
    if (name == "pi") return literal_expression({kDoubleType, std::numbers::pi});
    // The place in the text tells one call from another.
    if (name == "random") return text_function("random_double", kDoubleType, {integer_argument(position)}, position);
    if (name != "gen_random_uuid") return std::nullopt;
    return text_function("random_uuid", {TypeKind::kUuid}, {integer_argument(position)}, position);
  }
  const bool bytes = arguments.size() == 1 && arguments[0].type.kind == TypeKind::kBytea;
  if (bytes && (name == "length" || name == "octet_length")) {
    return text_function("octet_length", {TypeKind::kInteger}, {arguments[0]}, position);
  }
  if (arguments.size() == 1) return of_one(name, arguments[0], position);
  return arguments.size() == 2 ? of_two(name, arguments, position) : std::nullopt;
}

Result bind_number_operator(const std::string& symbol, std::optional<Expression> left, Expression right, int position) {
  if (!left) {
    if (symbol == "@") return absolute(right, position);
    if (symbol == "||/") return host_of_one("cbrt", right, position);
    if (symbol == "|/") return square_root(coerce(number(right), kDoubleType), position);
    if (symbol != "~" || !right.type.is_integer()) return std::nullopt;
    const DataType type = right.type;
    return function_call("bit_not_i64", type, {std::move(right)}, position);
  }
  if (symbol == "^") return host_of_two("power", *left, right, position);
  Expression a = resolve_literal(*left, right.type), b = resolve_literal(right, left->type);
  if (symbol == "<<" || symbol == ">>") return shift(symbol == "<<", a, b, position);
  const char* name = symbol == "&" ? "bit_and_i64" : symbol == "|" ? "bit_or_i64" : symbol == "#" ? "bit_xor_i64" : nullptr;
  if (name == nullptr || !a.type.is_integer() || !b.type.is_integer()) return std::nullopt;
  const auto type = common_type(a, b);
  return function_call(name, *type, {coerce(std::move(a), *type), coerce(std::move(b), *type)}, position);
}

}  // namespace saccade
