// Dates (days) and timestamps (microseconds) since 1970-01-01. Host and device; no standard headers.
//
// The calendar algorithms are Howard Hinnant's (chrono-compatible low-level date algorithms): the year begins in March, so that
// the leap day is its last.
#pragma once

#include "function/function_error.hpp"

namespace saccade {

struct CivilDate {
  i64 year;  // astronomical: 0 is 1 BC
  i64 month, day;
};

SACCADE_HOST_DEVICE CivilDate civil_of_days(i64 days) {
  const i64 shifted = static_cast<i64>(static_cast<u64>(days) + 719468UL);  // since 0000-03-01
  const i64 era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const i64 day_of_era = shifted - era * 146097;
  const i64 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const i64 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const i64 march_month = (5 * day_of_year + 2) / 153;
  const i64 month = march_month < 10 ? march_month + 3 : march_month - 9;
  return CivilDate{year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * march_month + 2) / 5 + 1};
}

SACCADE_HOST_DEVICE i64 days_of_civil(CivilDate date) {
  const i64 year = date.year - (date.month <= 2 ? 1 : 0);
  const i64 era = (year >= 0 ? year : year - 399) / 400;
  const i64 year_of_era = year - era * 400;
  const i64 day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

SACCADE_HOST_DEVICE i64 last_day_of_month(i64 year, i64 month) {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// As extract() gives it: there is no year 0, 1 BC is -1.
SACCADE_HOST_DEVICE i64 year_of_date_i64(i64 days) {
  const i64 year = civil_of_days(days).year;
  return year > 0 ? year : year - 1;
}
SACCADE_HOST_DEVICE i64 month_of_date_i64(i64 days) {
  return civil_of_days(days).month;
}
SACCADE_HOST_DEVICE i64 day_of_date_i64(i64 days) {
  return civil_of_days(days).day;
}

SACCADE_HOST_DEVICE i64 date_of_timestamp_i64(i64 microseconds) {
  const i64 days = microseconds / 86400000000L;
  return days - (microseconds % 86400000000L < 0 ? 1 : 0);
}

// Midnight of the day plus `microseconds` (less than a day). Timestamps begin where PostgreSQL's do, 4713-11-24 BC, and end
// with the 64 bits, in January 294247.
SACCADE_HOST_DEVICE i64 timestamp_of_parts(i64 days, i64 microseconds, FunctionError& error) {
  const bool outside = days < -2440588L || days > 106751991L || (days == 106751991L && microseconds > 14454775807L);
  report(error, outside, FunctionError::kTimestampOutOfRange);
  return static_cast<i64>(static_cast<u64>(days) * 86400000000UL + static_cast<u64>(microseconds));
}

SACCADE_HOST_DEVICE i64 timestamp_of_date_i64(i64 days, FunctionError& error) {
  return timestamp_of_parts(days, 0, error);
}

// The day is clamped to the end of the month.
SACCADE_HOST_DEVICE i64 add_months_i64(i64 timestamp, i64 months, FunctionError& error) {
  if (months < -120000000L || months > 120000000L) {  // more than the range of timestamps; keeps what follows small
    error = FunctionError::kTimestampOutOfRange;
    return 0;
  }
  const i64 days = date_of_timestamp_i64(timestamp);
  CivilDate date = civil_of_days(days);
  const i64 month = date.month - 1 + months;
  const i64 years = (month >= 0 ? month : month - 11) / 12;
  date.year += years;
  date.month = month - years * 12 + 1;
  const i64 last = last_day_of_month(date.year, date.month);
  date.day = date.day < last ? date.day : last;
  const i64 rest = timestamp % 86400000000L;
  return timestamp_of_parts(days_of_civil(date), rest < 0 ? rest + 86400000000L : rest, error);
}

SACCADE_HOST_DEVICE i64 add_microseconds_i64(i64 timestamp, i64 microseconds, FunctionError& error) {
  const i64 result = static_cast<i64>(static_cast<u64>(timestamp) + static_cast<u64>(microseconds));
  const bool overflows = ((timestamp ^ result) & (microseconds ^ result)) < 0;
  report(error, overflows || result < -210866803200000000L, FunctionError::kTimestampOutOfRange);
  return result;
}

}  // namespace saccade
