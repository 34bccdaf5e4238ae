#include "storage/csv/csv_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "common/error.hpp"
#include "data/parse_value.hpp"
#include "storage/csv/csv_detect.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <class T>
std::optional<T> read_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Digits with at most one point and at most 38 of them, for numeric(precision, scale); half is rounded away from zero. Nothing
// where the text has another form or does not fit.
std::optional<int128> read_decimal(std::string_view text, const DataType& type) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 38) return std::nullopt;
  int128 value = 0;
  int behind = -1;  // digits behind the point that were read; -1 before it
  bool round_up = false, any = false;
  for (const char c : text) {
    if (c == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    any = true;
    if (behind >= type.scale) {
      if (behind++ == type.scale) round_up = c >= '5';
      continue;
    }
    value = value * 10 + (c - '0');
    if (behind >= 0) ++behind;
  }
  if (!any) return std::nullopt;
  const int128 limit = power_of_ten(type.precision);
  for (int digits = std::max(behind, 0); digits < type.scale; ++digits) {
    if (value >= limit) return std::nullopt;
    value *= 10;
  }
  if (round_up) ++value;
  if (value >= limit) return std::nullopt;
  return negative ? -value : value;
}

// A numeric in any of PostgreSQL's forms.
int128 parse_decimal(std::string_view text, const DataType& type) {
  const Value value = parse_value(text, type);
  int128 digits = std::get<int128>(value.data);
  int128 result = 0;
  if (value.type.scale <= type.scale) {
    if (!__builtin_mul_overflow(digits, power_of_ten(type.scale - value.type.scale), &result) && fits(result, type))
      return result;
  } else {
    const int128 divisor = power_of_ten(value.type.scale - type.scale), rest = digits % divisor;
    result = digits / divisor + (rest * 2 >= divisor ? 1 : rest * 2 <= -divisor ? -1 : 0);
    if (fits(result, type)) return result;
  }
  throw Error(sqlstate::kNumericValueOutOfRange,
              fmt::format("value \"{}\" is out of range for type {}", text, to_string(type)));
}

int two_digits(const char* text) {
  return (text[0] - '0') * 10 + (text[1] - '0');
}

// 1998-12-01 of a day that there is; nothing where the text has another form.
std::optional<std::int64_t> read_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (!is_digit(text[i])) return std::nullopt;
  }
  const int year = two_digits(text.data()) * 100 + two_digits(text.data() + 2);
  const int month = two_digits(text.data() + 5), day = two_digits(text.data() + 8);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 28) return std::nullopt;  // the last days are told by parse_value
  return days_from_civil(year, month, day);
}

std::string_view cut_to_length(std::string_view text, const DataType& type) {
  if (type.kind == TypeKind::kChar) {
    while (text.ends_with(' ')) text.remove_suffix(1);
  }
  if (type.length == 0) return text;
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
  std::int64_t characters = std::count_if(text.begin(), text.end(), begins);
  for (; characters > type.length && text.ends_with(' '); --characters) text.remove_suffix(1);  // blanks may be cut off
  if (characters <= type.length) return text;
  throw Error(sqlstate::kStringDataRightTruncation, fmt::format("value too long for type {}", to_string(type)));
}

void set_text(PartColumn& column, std::int64_t row, std::string_view text) {
  if (!is_valid_utf8(text) || std::memchr(text.data(), 0, text.size()) != nullptr) {
    throw Error(sqlstate::kCharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\"", 0,
                "Convert the file to UTF-8 first, as by iconv.");
  }
  column.set_text(row, cut_to_length(text, column.type()));
}

void set_integer(PartColumn& column, std::int64_t row, int128 value) {
  if (column.lane() == Lane::kInt128) {
    column.set<int128>(row, value);
  } else {
    column.set<std::int64_t>(row, static_cast<std::int64_t>(value));
  }
}

// Types and forms that are rare in files.
void set_parsed(PartColumn& column, std::int64_t row, std::string_view text) {
  const Value value = parse_value(text, column.type());
  if (const auto* truth = std::get_if<bool>(&value.data)) {
    column.set<std::uint8_t>(row, *truth ? 1 : 0);
  } else if (const auto* number = std::get_if<double>(&value.data)) {
    column.set<double>(row, *number);
  } else if (const auto* integer = std::get_if<int128>(&value.data)) {
    set_integer(column, row, *integer);
  } else if (const auto* interval = std::get_if<Interval>(&value.data)) {
    column.set<int128>(row, pack_interval(*interval));
  } else {
    column.set_text(row, std::get<std::string>(value.data));
  }
}

void set_value(PartColumn& column, std::int64_t row, std::string_view text) {
  const DataType& type = column.type();
  switch (type.kind) {
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kChar:
      return set_text(column, row, text);
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      if (const auto value = read_number<std::int64_t>(text); value && fits(*value, type)) {
        return column.set<std::int64_t>(row, *value);
      }
      break;
    case TypeKind::kDouble:
      if (const auto value = read_number<double>(text); value && std::isfinite(*value)) return column.set<double>(row, *value);
      break;
    case TypeKind::kNumeric: {
      const std::optional<int128> value = read_decimal(text, type);
      return set_integer(column, row, value ? *value : parse_decimal(text, type));
    }
    case TypeKind::kDate:
      if (const auto value = read_date(text)) return column.set<std::int64_t>(row, *value);
      break;
    default:
      break;
  }
  set_parsed(column, row, text);
}

}  // namespace

void set_csv_value(PartColumn& column, std::int64_t row, const CsvField& field, const CsvValueRules& rules) {
  if (is_null_text(field, rules.null_texts)) return column.set_null(row);
  if (!field.escaped) return set_value(column, row, field.raw());
  set_value(column, row, unescape(field, rules.dialect));
}

}  // namespace saccade
