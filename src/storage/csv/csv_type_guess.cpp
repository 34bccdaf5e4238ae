#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/error.hpp"
#include "data/value.hpp"
#include "storage/csv/csv_detect.hpp"

namespace saccade {
namespace {

// In the order in which they are preferred.
enum Kind : std::uint32_t {
  kBoolean = 1U << 0,
  kInteger = 1U << 1,
  kBigint = 1U << 2,
  kWholeNumber = 1U << 3,
  kDouble = 1U << 4,
  kDate = 1U << 5,
  kTimestamp = 1U << 6,
  kNone = 0,
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_word(std::string_view text, std::string_view lower_case) {
  return text.size() == lower_case.size() && std::equal(text.begin(), text.end(), lower_case.begin(), [](char a, char b) {
           return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
         });
}

std::uint32_t boolean_kinds(std::string_view text) {
  const bool boolean = text == "t" || text == "f" || is_word(text, "true") || is_word(text, "false");
  return boolean ? kBoolean : kNone;
}

std::uint32_t number_kinds(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return kNone;
  // 00123 is a code: as a number it would lose its zeros.
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) return kNone;
  if (all_digits(digits)) {
    const std::uint32_t wide = digits.size() <= 38 ? kWholeNumber | kDouble : static_cast<std::uint32_t>(kDouble);
    if (text.starts_with('+')) text.remove_prefix(1);
    std::int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return wide;
    return wide | kBigint | (value == static_cast<std::int32_t>(value) ? kInteger : kNone);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value) ? kDouble : kNone;
}

template <class Parse>
bool parses(Parse parse) {
  try {
    parse();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// 1998-12-01, 1998-12-01 10:00:00.5, 1998-12-01T10:00, and nothing else that PostgreSQL reads as a date.
std::uint32_t time_kinds(std::string_view text) {
  const auto digits_at = [&](std::size_t at, std::size_t count) {
    return text.size() >= at + count && all_digits(text.substr(at, count));
  };
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  if (!digits_at(0, 4) || at(4) != '-' || !digits_at(5, 2) || at(7) != '-' || !digits_at(8, 2)) return kNone;
  if (text.size() == 10) return parses([&] { parse_date(text); }) ? kDate | kTimestamp : kNone;
  if ((at(10) != ' ' && at(10) != 'T') || !digits_at(11, 2) || at(13) != ':' || !digits_at(14, 2)) return kNone;
  const char last = text.back();
  return is_digit(last) && text.find_first_of("+Z", 16) == std::string_view::npos &&
                 text.find('-', 16) == std::string_view::npos && parses([&] { parse_timestamp(text); })
             ? kTimestamp
             : kNone;
}

}  // namespace

bool is_null_text(const CsvField& field, const std::vector<std::string>& null_texts) {
  if (field.quoted) return false;
  const std::string_view text = field.raw();
  return std::find(null_texts.begin(), null_texts.end(), text) != null_texts.end();
}

void CsvTypeGuess::add(const CsvField& field, const CsvDialect& dialect, const std::vector<std::string>& null_texts) {
  if (is_null_text(field, null_texts)) return;
  any_ = true;
  if (possible_ == kNone) return;
  const std::string text = field.escaped ? unescape(field, dialect) : std::string(field.raw());
  std::uint32_t kinds = boolean_kinds(text);
  if (kinds == kNone) kinds = number_kinds(text);
  if (kinds == kNone) kinds = time_kinds(text);
  possible_ &= kinds;
}

DataType CsvTypeGuess::type() const {
  if (!any_ || possible_ == kNone) return {TypeKind::kText};
  if ((possible_ & kBoolean) != 0) return {TypeKind::kBoolean};
  if ((possible_ & kInteger) != 0) return {TypeKind::kInteger};
  if ((possible_ & kBigint) != 0) return {TypeKind::kBigint};
  if ((possible_ & kWholeNumber) != 0) return DataType::numeric(38, 0);
  if ((possible_ & kDouble) != 0) return {TypeKind::kDouble};
  if ((possible_ & kDate) != 0) return {TypeKind::kDate};
  if ((possible_ & kTimestamp) != 0) return {TypeKind::kTimestamp};
  return {TypeKind::kText};
}

}  // namespace saccade
