#include "data/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "common/error.hpp"
#include "data/date_time.hpp"

namespace saccade {
namespace {

// PostgreSQL prints a double in the shortest form that reads back; fixed from 1e-4 up to 1e15, else with an exponent of at
// least two digits.
std::string double_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 64> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1), end, exponent);
  if (value != 0 && (exponent < -4 || exponent >= 15)) return std::string(scientific);
  const auto fixed_end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed).ptr;
  return std::string(text.data(), fixed_end);
}

std::string integer_lane_text(const DataType& type, int128 value) {
  switch (type.kind) {
    case TypeKind::kNumeric:
      return decimal_text(value, type.scale);
    case TypeKind::kDate:
      return date_text(static_cast<std::int64_t>(value));
    case TypeKind::kTimestamp:
      return timestamp_text(static_cast<std::int64_t>(value));
    default:
      return decimal_text(value, 0);
  }
}

[[noreturn]] void raise_numeric_range(std::string_view text) {
  throw Error(sqlstate::kNumericValueOutOfRange, fmt::format("value \"{}\" is out of range for type numeric", text), 0,
              "A numeric has at most 38 digits.");
}

[[noreturn]] void raise_numeric_syntax(std::string_view text) {
  throw Error(sqlstate::kInvalidTextRepresentation, fmt::format("invalid input syntax for type numeric: \"{}\"", text));
}

// The parts of a decimal literal: all its digits, how many stand behind the point, and the exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  // without leading zeros
  std::int64_t scale = 0;
};

Decimal scan_decimal(std::string_view whole) {
  Decimal decimal;
  std::string_view text = whole;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    decimal.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  bool any = false, point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (point) ++decimal.scale;
      if (c != '0' || !decimal.digits.empty()) decimal.digits.push_back(c);
    } else {
      break;
    }
  }
  if (!any) raise_numeric_syntax(whole);
  if (i == text.size()) return decimal;
  if (text[i] != 'e' && text[i] != 'E') raise_numeric_syntax(whole);
  text.remove_prefix(i + 1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(text.size() > 1 && text[1] == '-' ? 0 : 1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error == std::errc::result_out_of_range) raise_numeric_range(whole);
  if (error != std::errc() || end != text.data() + text.size()) raise_numeric_syntax(whole);
  decimal.scale -= exponent;
  return decimal;
}

}  // namespace

std::string to_string(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth ? "t" : "f";
  if (const auto* number = std::get_if<double>(&value.data)) return double_text(*number);
  if (const auto* interval = std::get_if<Interval>(&value.data)) return interval_text(*interval);
  if (const auto* integer = std::get_if<int128>(&value.data)) return integer_lane_text(value.type, *integer);
  return {};
}

Value parse_numeric(std::string_view text) {
  std::string_view trimmed = text;
  while (!trimmed.empty() && trimmed.front() == ' ') trimmed.remove_prefix(1);
  while (!trimmed.empty() && trimmed.back() == ' ') trimmed.remove_suffix(1);
  Decimal decimal = scan_decimal(trimmed);
  if (decimal.scale < 0) {
    if (!decimal.digits.empty()) {
      if (decimal.scale < -38) raise_numeric_range(trimmed);
      decimal.digits.append(static_cast<std::size_t>(-decimal.scale), '0');
    }
    decimal.scale = 0;
  }
  if (decimal.scale > 38 || decimal.digits.size() > 38) raise_numeric_range(trimmed);
  int128 value = 0;
  for (const char c : decimal.digits) value = value * 10 + (c - '0');
  const int precision = std::max({static_cast<int>(decimal.digits.size()), static_cast<int>(decimal.scale), 1});
  return {DataType::numeric(precision, static_cast<int>(decimal.scale)), decimal.negative ? -value : value};
}

}  // namespace saccade
