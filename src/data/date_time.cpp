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

// Both types begin where PostgreSQL's do, at Julian day 0, 4714-11-24 BC. Its dates end with the year 5874897; timestamps end
// with the last full year that 64 bits of microseconds since 1970 reach (PostgreSQL counts from 2000: 294276).
constexpr std::int64_t kFirstYear = -4713, kFirstMonth = 11, kFirstDay = 24;
constexpr std::int64_t kLastDateYear = 5874897, kLastTimestampYear = 292276;

std::int64_t first_day() {
  return days_from_civil(kFirstYear, kFirstMonth, kFirstDay);
}

}  // namespace

int days_of_month(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

std::int64_t checked_date(std::int64_t days, std::string_view text) {
  if (days < first_day() || days >= days_from_civil(kLastDateYear + 1, 1, 1)) {
    throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("date out of range: \"{}\"", text), 0,
                "A date lies between 4714-11-24 BC and the end of the year 5874897.");
  }
  return days;
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

std::string date_text(std::int64_t days) {
  std::int64_t year = 0;
  int month = 0, day = 0;
  civil_from_days(days, year, month, day);
  return fmt::format("{}{}", year_text(year, month, day), era_text(year));
}

std::string time_text(std::int64_t microseconds) {
  const std::int64_t seconds = microseconds / kMicrosecondsPerSecond;
  return fmt::format("{:02}:{:02}:{:02}{}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                     fraction_text(microseconds % kMicrosecondsPerSecond));
}

namespace {

std::string moment_text(std::int64_t microseconds, std::string_view zone) {
  std::int64_t days = microseconds / kMicrosecondsPerDay, time = microseconds % kMicrosecondsPerDay;
  if (time < 0) {
    --days;
    time += kMicrosecondsPerDay;
  }
  std::int64_t year = 0;
  int month = 0, day = 0;
  civil_from_days(days, year, month, day);
  return fmt::format("{} {}{}{}", year_text(year, month, day), time_text(time), zone, era_text(year));
}

}  // namespace

std::string timestamp_text(std::int64_t microseconds) {
  return moment_text(microseconds, "");
}

std::string timestamptz_text(std::int64_t microseconds, const TimeZone& zone) {
  const int offset = zone.offset_at(microseconds);
  const int magnitude = offset < 0 ? -offset : offset;
  std::string text = fmt::format("{}{:02}", offset < 0 ? "-" : "+", magnitude / 3600);
  if (magnitude % 3600 != 0) text += fmt::format(":{:02}", magnitude / 60 % 60);
  if (magnitude % 60 != 0) text += fmt::format(":{:02}", magnitude % 60);
  return moment_text(zone.to_local(microseconds), text);
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
