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

// PostgreSQL prints a double or a real in the shortest form that reads back; fixed from 1e-4 up to 1e15 or 1e6, else with an
// exponent of at least two digits.
template <class T>
std::string float_text(T value) {
  constexpr int kFixedDigits = sizeof(T) == sizeof(double) ? 15 : 6;
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 64> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific).ptr;
  const std::string_view scientific(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1), end, exponent);
  if (value != 0 && (exponent < -4 || exponent >= kFixedDigits)) return std::string(scientific);
  const auto fixed_end = std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed).ptr;
  return std::string(text.data(), fixed_end);
}

std::string uuid_text(int128 value) {
  const uint128 bits = static_cast<uint128>(value) ^ (uint128{1} << 127);
  const auto high = static_cast<std::uint64_t>(bits >> 64), low = static_cast<std::uint64_t>(bits);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff, high & 0xffff, low >> 48,
                     low & 0xffffffffffffULL);
}

std::string integer_lane_text(const DataType& type, int128 value, const TimeZone& zone) {
  switch (type.kind) {
    case TypeKind::kNumeric:
      return decimal_text(value, type.scale);
    case TypeKind::kDate:
      return date_text(static_cast<std::int64_t>(value));
    case TypeKind::kTime:
      return time_text(static_cast<std::int64_t>(value));
    case TypeKind::kTimestamp:
      return timestamp_text(static_cast<std::int64_t>(value));
    case TypeKind::kTimestamptz:
      return timestamptz_text(static_cast<std::int64_t>(value), zone);
    case TypeKind::kUuid:
      return uuid_text(value);
    default:
      return decimal_text(value, 0);
  }
}

std::string bytea_text(const std::string& bytes) {
  std::string text = "\\x";
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// A char(n) with the blanks that it is kept without; its length counts characters.
std::string padded(std::string text, std::int32_t length) {
  std::int64_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  if (characters < length) text.append(static_cast<std::size_t>(length - characters), ' ');
  return text;
}

std::string string_text(const DataType& type, const std::string& text) {
  if (type.kind == TypeKind::kBytea) return bytea_text(text);
  return type.kind == TypeKind::kChar ? padded(text, type.length) : text;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool is_octal(std::string_view text) {
  return text.size() >= 3 && text[0] >= '0' && text[0] <= '3' && text[1] >= '0' && text[1] <= '7' && text[2] >= '0' &&
         text[2] <= '7';
}

std::string parse_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size();) {
    if (digits[i] == ' ' || digits[i] == '\n' || digits[i] == '\t') {
      ++i;
      continue;
    }
    const int high = hex_digit(digits[i]);
    if (high < 0) {
      throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid hexadecimal digit: \"{}\"", digits[i]));
    }
    if (i + 1 == digits.size() || hex_digit(digits[i + 1]) < 0) {
      throw Error(sqlstate::kInvalidParameterValue, "invalid hexadecimal data: odd number of digits");
    }
    bytes += static_cast<char>(high * 16 + hex_digit(digits[i + 1]));
    i += 2;
  }
  return bytes;
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

std::string to_string(const Value& value, const TimeZone& zone) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return string_text(value.type, *text);
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth ? "t" : "f";
  if (const auto* number = std::get_if<double>(&value.data)) {
    return value.type.kind == TypeKind::kReal ? float_text(static_cast<float>(*number)) : float_text(*number);
  }
  if (const auto* interval = std::get_if<Interval>(&value.data)) return interval_text(*interval);
  if (const auto* integer = std::get_if<int128>(&value.data)) return integer_lane_text(value.type, *integer, zone);
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

// Digits in pairs, with a hyphen after any group of four; braces may stand around all.
int128 parse_uuid(std::string_view text) {
  std::string_view rest = text;
  const bool braces = rest.starts_with('{');
  if (braces) rest.remove_prefix(1);
  uint128 bits = 0;
  int digits = 0;
  bool valid = true;
  while (valid && digits < 32 && !rest.empty()) {
    const int digit = hex_digit(rest.front());
    valid = digit >= 0;
    bits = bits << 4 | static_cast<unsigned>(digit & 15);
    ++digits;
    rest.remove_prefix(1);
    if (digits % 4 == 0 && digits < 32 && rest.starts_with('-')) rest.remove_prefix(1);
  }
  if (braces && rest.starts_with('}')) {
    rest.remove_prefix(1);
  } else {
    valid &= !braces;
  }
  if (!valid || digits != 32 || !rest.empty()) {
    throw Error(sqlstate::kInvalidTextRepresentation, fmt::format("invalid input syntax for type uuid: \"{}\"", text));
  }
  return static_cast<int128>(bits ^ (uint128{1} << 127));
}

std::string parse_bytea(std::string_view text) {
  if (text.starts_with("\\x")) return parse_hex(text.substr(2));
  std::string bytes;
  while (!text.empty()) {
    const bool escape = text.front() == '\\';
    if (escape && text.size() > 1 && text[1] == '\\') {
      bytes += '\\';
      text.remove_prefix(2);
    } else if (escape && is_octal(text.substr(1))) {
      bytes += static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
      text.remove_prefix(4);
    } else if (escape) {
      throw Error(sqlstate::kInvalidTextRepresentation, "invalid input syntax for type bytea");
    } else {
      bytes += text.front();
      text.remove_prefix(1);
    }
  }
  return bytes;
}

}  // namespace saccade
