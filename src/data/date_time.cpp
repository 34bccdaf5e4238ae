#include "data/date_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kMicrosecondsPerSecond = 1000000;
constexpr std::int64_t kMicrosecondsPerDay = 86400 * kMicrosecondsPerSecond;

std::string year_text(std::int64_t year, int month, int day) {
  return fmt::format("{:04}-{:02}-{:02}", year > 0 ? year : 1 - year, month, day);
}

std::string_view era_text(std::int64_t year) {
  return year > 0 ? "" : " BC";
}

// ".5" of 500,000 microseconds, "" of none.
std::string fraction_text(std::int64_t microseconds) {
  if (microseconds == 0) return {};
  std::string text = fmt::format(".{:06}", microseconds);
  while (text.back() == '0') text.pop_back();
  return text;
}

void append_part(std::string& text, std::int64_t value, std::string_view unit, bool& before) {
  if (value == 0) return;
  text +=
      fmt::format("{}{}{} {}{}", text.empty() ? "" : " ", before && value > 0 ? "+" : "", value, unit, value == 1 ? "" : "s");
  before = value < 0;
}

int days_of_month(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

[[noreturn]] void raise_syntax(std::string_view type, std::string_view text) {
  throw Error(sqlstate::kInvalidDatetimeFormat, fmt::format("invalid input syntax for type {}: \"{}\"", type, text), 0,
              "Write a date as 1998-12-01 and a timestamp as 1998-12-01 10:00:00.");
}

[[noreturn]] void raise_field_range(std::string_view text) {
  throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("date/time field value out of range: \"{}\"", text));
}

// Reads the parts of a date and time from left to right.
class Scanner {
 public:
  Scanner(std::string_view type, std::string_view text) : type_(type), text_(text), rest_(text) {
    skip_blanks();
    while (!rest_.empty() && rest_.back() == ' ') rest_.remove_suffix(1);
  }

  bool done() const { return rest_.empty(); }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  bool at_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  void skip_blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  // A number of at least one digit; more than `most` digits are an error.
  std::int64_t number(int most, int* digits = nullptr) {
    std::int64_t value = 0;
    int count = 0;
    for (; at_digit(); ++count, rest_.remove_prefix(1)) {
      if (count == most) fail();
      value = value * 10 + (rest_.front() - '0');
    }
    if (count == 0) fail();
    if (digits != nullptr) *digits = count;
    return value;
  }
  // Digits behind the point, rounded half to even to microseconds (PostgreSQL's rint).
  std::int64_t fraction() {
    std::int64_t value = 0;
    int count = 0, next = 0;
    bool more = false;
    for (; at_digit(); ++count, rest_.remove_prefix(1)) {
      const int digit = rest_.front() - '0';
      if (count < 6) value = value * 10 + digit;
      if (count == 6) next = digit;
      if (count > 6 && digit != 0) more = true;
    }
    for (; count < 6; ++count) value *= 10;
    return next > 5 || (next == 5 && (more || value % 2 == 1)) ? value + 1 : value;
  }
  bool accept_era() {
    if (rest_ != "BC" && rest_ != "bc") return false;
    rest_ = {};
    return true;
  }
  bool at_zone() const { return !rest_.empty() && (rest_.front() == '+' || rest_.front() == '-' || rest_.front() == 'Z'); }
  [[noreturn]] void fail() const { raise_syntax(type_, text_); }
  [[noreturn]] void fail_range() const { raise_field_range(text_); }

 private:
  std::string_view type_, text_, rest_;
};

struct DateTime {
  std::int64_t days = 0;
  std::int64_t microseconds = 0;  // of the day; 24:00:00 and a leap second reach the next one
};

std::int64_t scan_time(Scanner& scanner) {
  const std::int64_t hour = scanner.number(2);
  scanner.expect(':');
  const std::int64_t minute = scanner.number(2);
  std::int64_t second = 0, fraction = 0;
  if (scanner.accept(':')) {
    second = scanner.number(2);
    if (scanner.accept('.')) fraction = scanner.fraction();
  }
  const std::int64_t time = ((hour * 60 + minute) * 60 + second) * kMicrosecondsPerSecond + fraction;
  if (hour > 24 || minute > 59 || second > 60 || (hour == 24 && time > kMicrosecondsPerDay)) scanner.fail_range();
  return time;
}

DateTime scan_date_time(std::string_view type, std::string_view text) {
  Scanner scanner(type, text);
  int digits = 0;
  std::int64_t year = scanner.number(8, &digits);
  int month = 0, day = 0;
  if (digits == 8) {  // 19981201
    month = static_cast<int>(year / 100 % 100);
    day = static_cast<int>(year % 100);
    year /= 10000;
  } else {
    const char separator = scanner.accept('/') ? '/' : '-';
    if (separator == '-') scanner.expect('-');
    if (digits < 3) scanner.fail();  // 98-12-01: PostgreSQL's reading depends on DateStyle
    month = static_cast<int>(scanner.number(2));
    scanner.expect(separator);
    day = static_cast<int>(scanner.number(2));
  }
  DateTime result;
  const bool glued = scanner.accept('T');
  scanner.skip_blanks();
  const bool timed = glued || scanner.at_digit();
  if (timed) result.microseconds = scan_time(scanner);
  if (timed && scanner.at_zone()) {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("time zones are not supported: \"{}\"", text), 0,
                "Leave the time zone out.");
  }
  scanner.skip_blanks();
  const bool before_christ = scanner.accept_era();
  if (!scanner.done()) scanner.fail();
  if (year == 0 || month < 1 || month > 12 || day < 1) scanner.fail_range();
  if (before_christ) year = 1 - year;
  if (day > days_of_month(year, month)) scanner.fail_range();
  result.days = days_from_civil(year, month, day);
  return result;
}

// Both types begin where PostgreSQL's do, at Julian day 0, 4714-11-24 BC. Its dates end with the year 5874897; timestamps end
// with the last full year that 64 bits of microseconds since 1970 reach (PostgreSQL counts from 2000: 294276).
constexpr std::int64_t kFirstYear = -4713, kFirstMonth = 11, kFirstDay = 24;
constexpr std::int64_t kLastDateYear = 5874897, kLastTimestampYear = 292276;

std::int64_t first_day() {
  return days_from_civil(kFirstYear, kFirstMonth, kFirstDay);
}

std::int64_t checked_timestamp(int128 microseconds) {
  const int128 first = static_cast<int128>(first_day()) * kMicrosecondsPerDay;
  const int128 end = static_cast<int128>(days_from_civil(kLastTimestampYear + 1, 1, 1)) * kMicrosecondsPerDay;
  if (microseconds < first || microseconds >= end) {
    throw Error(sqlstate::kDatetimeFieldOverflow, "timestamp out of range", 0,
                "A timestamp lies between 4714-11-24 BC and the end of the year 292276.");
  }
  return static_cast<std::int64_t>(microseconds);
}

}  // namespace

// Howard Hinnant's algorithm: years begin in March, so that the leap day is the last of a year, and repeat every 400 years.
std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

void civil_from_days(std::int64_t days, std::int64_t& year, int& month, int& day) {
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t day_of_era = days - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  year = year_of_era + era * 400 + (month <= 2);
}

std::int64_t parse_date(std::string_view text) {
  const DateTime parsed = scan_date_time("date", text);
  if (parsed.days < first_day() || parsed.days >= days_from_civil(kLastDateYear + 1, 1, 1)) {
    throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("date out of range: \"{}\"", text), 0,
                "A date lies between 4714-11-24 BC and the end of the year 5874897.");
  }
  return parsed.days;
}

std::int64_t parse_timestamp(std::string_view text) {
  const DateTime parsed = scan_date_time("timestamp", text);
  return checked_timestamp(static_cast<int128>(parsed.days) * kMicrosecondsPerDay + parsed.microseconds);
}

std::int64_t add_interval(std::int64_t timestamp, const Interval& interval) {
  std::int64_t days = timestamp / kMicrosecondsPerDay, time = timestamp % kMicrosecondsPerDay;
  if (time < 0) {
    --days;
    time += kMicrosecondsPerDay;
  }
  if (interval.months != 0) {
    std::int64_t year = 0;
    int month = 0, day = 0;
    civil_from_days(days, year, month, day);
    const std::int64_t months = year * 12 + (month - 1) + interval.months;
    year = (months >= 0 ? months : months - 11) / 12;
    month = static_cast<int>(months - year * 12) + 1;
    days = days_from_civil(year, month, std::min(day, days_of_month(year, month)));
  }
  return checked_timestamp(static_cast<int128>(days + interval.days) * kMicrosecondsPerDay + time + interval.microseconds);
}

std::string date_text(std::int64_t days) {
  std::int64_t year = 0;
  int month = 0, day = 0;
  civil_from_days(days, year, month, day);
  return fmt::format("{}{}", year_text(year, month, day), era_text(year));
}

std::string timestamp_text(std::int64_t microseconds) {
  std::int64_t days = microseconds / kMicrosecondsPerDay, time = microseconds % kMicrosecondsPerDay;
  if (time < 0) {
    --days;
    time += kMicrosecondsPerDay;
  }
  std::int64_t year = 0;
  int month = 0, day = 0;
  civil_from_days(days, year, month, day);
  const std::int64_t seconds = time / kMicrosecondsPerSecond;
  return fmt::format("{} {:02}:{:02}:{:02}{}{}", year_text(year, month, day), seconds / 3600, seconds / 60 % 60, seconds % 60,
                     fraction_text(time % kMicrosecondsPerSecond), era_text(year));
}

std::string interval_text(const Interval& interval) {
  std::string text;
  bool before = false;
  append_part(text, interval.months / 12, "year", before);
  append_part(text, interval.months % 12, "mon", before);
  append_part(text, interval.days, "day", before);
  const std::int64_t time = interval.microseconds;
  if (time == 0 && !text.empty()) return text;
  const std::uint64_t magnitude = time < 0 ? -static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  const std::uint64_t seconds = magnitude / kMicrosecondsPerSecond;
  return fmt::format("{}{}{}{:02}:{:02}:{:02}{}", text, text.empty() ? "" : " ",
                     time < 0 ? "-"
                     : before ? "+"
                              : "",
                     seconds / 3600, seconds / 60 % 60, seconds % 60,
                     fraction_text(static_cast<std::int64_t>(magnitude % kMicrosecondsPerSecond)));
}

}  // namespace saccade
