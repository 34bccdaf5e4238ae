// Casts of constants.
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "function/scalar/all.hpp"
#include "optimizer/evaluate.hpp"

namespace saccade {
namespace {

using Result = std::optional<Value>;

std::string_view trimmed(std::string_view text) {
  const std::string_view blanks = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Any beginning of true, false, yes, no, on and off that is not ambiguous, and 1 and 0.
Result parse_boolean(const std::string& text, const DataType& to) {
  const auto begins = [&](std::string_view word, std::size_t least) {
    return text.size() >= least && word.substr(0, text.size()) == text;
  };
  if (begins("true", 1) || begins("yes", 1) || text == "on" || text == "1") return Value{to, true};
  if (begins("false", 1) || begins("no", 1) || begins("off", 2) || text == "0") return Value{to, false};
  return std::nullopt;
}

Result parse_double(const std::string& text, const DataType& to) {
  if (text == "nan") return Value{to, std::nan("")};
  if (text == "infinity" || text == "inf" || text == "+infinity") return Value{to, HUGE_VAL};
  if (text == "-infinity" || text == "-inf") return Value{to, -HUGE_VAL};
  if (text.find_first_not_of("0123456789+-.e") != std::string::npos) return std::nullopt;
  double value = 0;
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Value{to, value};
}

Result parse_integer(std::string_view text, const DataType& to) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto value = parse_int128(text);
  return value ? cast_value({DataType::numeric(38, 0), *value}, to) : std::nullopt;
}

Result parse_text(const std::string& whole, const DataType& to) {
  const std::string text(trimmed(whole));
  try {
    switch (to.kind) {
      case TypeKind::kBoolean:
        return parse_boolean(lower_case(text), to);
      case TypeKind::kSmallint:
      case TypeKind::kInteger:
      case TypeKind::kBigint:
        return parse_integer(text, to);
      case TypeKind::kDouble:
        return parse_double(lower_case(text), to);
      case TypeKind::kNumeric:
        return cast_value(parse_numeric(text), to);
      case TypeKind::kDate:
        return Value{to, int128{parse_date(text)}};
      case TypeKind::kTimestamp:
        return Value{to, int128{parse_timestamp(text)}};
      case TypeKind::kInterval:
        return Value{to, parse_interval(text)};
      default:
        return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
}

Result to_text(const Value& value, const DataType& to) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return Value{to, std::string(*truth ? "true" : "false")};
  return Value{to, to_string(value)};
}

int128 check_integer_type(i64 value, const DataType& to, FunctionError& error) {
  if (to.kind == TypeKind::kSmallint) return check_smallint_i64(value, error);
  if (to.kind == TypeKind::kInteger) return check_integer_i64(value, error);
  return value;
}

Result number_from_float(double value, const DataType& from, const DataType& to) {
  FunctionError error = FunctionError::kNone;
  if (to.is_float()) {
    const double rounded = to.kind == TypeKind::kReal ? real_of_f64(value, error) : value;
    return error == FunctionError::kNone ? Result(Value{to, rounded}) : std::nullopt;
  }
  int128 result = 0;
  if (to.kind == TypeKind::kNumeric) {
    const bool real = from.kind == TypeKind::kReal;
    result = real ? numeric_of_real_f64(value, to.scale, error) : numeric_of_f64(value, to.scale, error);
    check_magnitude_i128(result, power_of_ten(to.precision) - 1, error);
  } else {
    result = check_integer_type(bigint_of_f64(value, error), to, error);
  }
  return error == FunctionError::kNone ? Result(Value{to, result}) : std::nullopt;
}

// Between integers, numerics, reals and doubles.
Result cast_number(const Value& value, const DataType& to) {
  const DataType& from = value.type;
  if (const auto* real = std::get_if<double>(&value.data)) return number_from_float(*real, from, to);
  const int128 number = std::get<int128>(value.data);
  const int from_scale = from.kind == TypeKind::kNumeric ? from.scale : 0;
  if (to.kind == TypeKind::kDouble) return Value{to, float64_of_numeric_i128(number, from_scale)};
  if (to.kind == TypeKind::kReal) return Value{to, real_of_numeric_i128(number, from_scale)};
  const int to_scale = to.kind == TypeKind::kNumeric ? to.scale : 0;
  FunctionError error = FunctionError::kNone;
  int128 result = to_scale >= from_scale ? multiply_checked_i128(number, power_of_ten(to_scale - from_scale), error)
                                         : round_down_scale_i128(number, power_of_ten(from_scale - to_scale));
  if (to.kind == TypeKind::kNumeric) {
    check_magnitude_i128(result, power_of_ten(to.precision) - 1, error);
  } else {
    result = check_integer_type(bigint_of_i128(result, error), to, error);
  }
  return error == FunctionError::kNone ? Result(Value{to, result}) : std::nullopt;
}

Result cast_moment(const Value& value, const DataType& to) {
  const i64 moment = static_cast<i64>(std::get<int128>(value.data));
  FunctionError error = FunctionError::kNone;
  const i64 result = to.kind == TypeKind::kTimestamp ? timestamp_of_date_i64(moment, error) : date_of_timestamp_i64(moment);
  return error == FunctionError::kNone ? Result(Value{to, int128{result}}) : std::nullopt;
}

}  // namespace

std::optional<Value> cast_value(const Value& value, const DataType& to) {
  const DataType& from = value.type;
  if (value.is_null()) return Value::null(to);
  if (from == to) return value;
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return to.is_text() ? Result(Value{to, *text}) : parse_text(*text, to);
  }
  if (to.kind == TypeKind::kText) return from.kind == TypeKind::kTimestamptz ? std::nullopt : to_text(value, to);
  if (from.is_number() && to.is_number()) return cast_number(value, to);
  if (from.kind == TypeKind::kBoolean && to.kind == TypeKind::kInteger) return Value{to, int128{std::get<bool>(value.data)}};
  if (from.kind == TypeKind::kInteger && to.kind == TypeKind::kBoolean) return Value{to, std::get<int128>(value.data) != 0};
  const bool moments = (from.kind == TypeKind::kDate && to.kind == TypeKind::kTimestamp) ||
                       (from.kind == TypeKind::kTimestamp && to.kind == TypeKind::kDate);
  if (moments) return cast_moment(value, to);
  const bool in_utc = (from.kind == TypeKind::kTimestamp && to.kind == TypeKind::kTimestamptz) ||
                      (from.kind == TypeKind::kTimestamptz && to.kind == TypeKind::kTimestamp);
  return in_utc ? Result(Value{to, value.data}) : std::nullopt;
}

}  // namespace saccade
