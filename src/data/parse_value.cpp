#include "data/parse_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "common/error.hpp"

namespace saccade {

bool fits(int128 value, const DataType& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
      return value >= INT16_MIN && value <= INT16_MAX;
    case TypeKind::kInteger:
      return value >= INT32_MIN && value <= INT32_MAX;
    case TypeKind::kBigint:
      return value >= INT64_MIN && value <= INT64_MAX;
    default: {
      const int128 limit = power_of_ten(type.precision);
      return value > -limit && value < limit;
    }
  }
}

namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

[[noreturn]] void invalid(std::string_view text, const DataType& type) {
  throw Error(sqlstate::kInvalidTextRepresentation,
              fmt::format("invalid input syntax for type {}: \"{}\"", to_string(type), text));
}

[[noreturn]] void out_of_range(std::string_view text, const DataType& type) {
  throw Error(sqlstate::kNumericValueOutOfRange,
              fmt::format("value \"{}\" is out of range for type {}", text, to_string(type)));
}

bool parse_boolean(std::string_view text, const DataType& type) {
  const std::string word = lower(trimmed(text));
  const auto abbreviates = [&](std::string_view full, std::size_t least) {
    return word.size() >= least && full.starts_with(word);
  };
  if (abbreviates("true", 1) || abbreviates("yes", 1) || word == "on" || word == "1") return true;
  if (abbreviates("false", 1) || abbreviates("no", 1) || abbreviates("off", 2) || word == "0") return false;
  invalid(text, type);
}

int128 parse_integer(std::string_view text, const DataType& type) {
  std::string_view digits = trimmed(text);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    invalid(text, type);
  }
  int128 value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
    if (value > int128{1} << 64) out_of_range(text, type);
  }
  if (negative) value = -value;
  if (!fits(value, type)) out_of_range(text, type);
  return value;
}

double parse_double(std::string_view text, const DataType& type) {
  std::string_view number = trimmed(text);
  if (number.starts_with('+')) number.remove_prefix(1);
  const std::string word = lower(number);
  if (word == "infinity" || word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-infinity" || word == "-inf") return -std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  if (read.ec == std::errc::result_out_of_range) out_of_range(text, type);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size() || !std::isfinite(value)) invalid(text, type);
  return value;
}

double parse_real(std::string_view text, const DataType& type) {
  const double value = parse_double(text, type);
  if (!std::isfinite(value)) return value;
  std::string_view number = trimmed(text);
  if (number.starts_with('+')) number.remove_prefix(1);
  float real = 0;  // from the text: through a double it would be rounded twice
  if (std::from_chars(number.data(), number.data() + number.size(), real).ec == std::errc::result_out_of_range) {
    out_of_range(text, type);
  }
  return real;
}

std::string parse_char(std::string_view text, const DataType& type) {
  if (type.length > 0) text = truncate_text(text, type.length);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

std::string_view truncate_text(std::string_view text, std::int64_t length) {
  std::size_t bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool first_byte = (static_cast<unsigned char>(text[bytes]) & 0xc0) != 0x80;
    if (first_byte && length-- == 0) break;
  }
  return text.substr(0, bytes);
}

Value parse_value(std::string_view text, const DataType& type, const TimeContext& context) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return {type, parse_boolean(text, type)};
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return {type, parse_integer(text, type)};
    case TypeKind::kReal:
      return {type, parse_real(text, type)};
    case TypeKind::kDouble:
      return {type, parse_double(text, type)};
    case TypeKind::kNumeric:
      return parse_numeric(trimmed(text));
    case TypeKind::kDate:
      return {type, static_cast<int128>(parse_date(trimmed(text), context))};
    case TypeKind::kTime:
      return {type, static_cast<int128>(parse_time(trimmed(text), context))};
    case TypeKind::kTimestamp:
      return {type, static_cast<int128>(parse_timestamp(trimmed(text), context))};
    case TypeKind::kTimestamptz:
      return {type, static_cast<int128>(parse_timestamptz(trimmed(text), context))};
    case TypeKind::kUuid:
      return {type, parse_uuid(trimmed(text))};
    case TypeKind::kBytea:
      return {type, parse_bytea(text)};
    case TypeKind::kVarchar:
      return {type, std::string(type.length > 0 ? truncate_text(text, type.length) : text)};
    case TypeKind::kChar:
      return {type, parse_char(text, type)};
    case TypeKind::kInterval:
      return {type, parse_interval(text)};
    case TypeKind::kUnknown:
    case TypeKind::kText:
      break;
  }
  return {type, std::string(text)};
}

}  // namespace saccade
