// Fields of dates, times and intervals: what extract and date_trunc take. Host and device; no standard headers.
//
// A field comes as the number of a DateField, so that one function serves all of them; a constant one is not chosen per row.
#pragma once

#include "function/scalar/arithmetic.hpp"
#include "function/scalar/interval.hpp"

namespace saccade {

enum class DateField : i64 {
  kMicroseconds,
  kMilliseconds,  // in millionths of a second, as kMicroseconds: the scale of the result tells them apart
  kSecond,        // likewise
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
  kDecade,
  kCentury,
  kMillennium,
  kIsoYear,
  kDayOfWeek,     // Sunday is 0
  kIsoDayOfWeek,  // Monday is 1
  kDayOfYear,
  kJulian,
  kEpoch,  // seconds since 1970, for dates
};

SACCADE_HOST_DEVICE i64 floor_divide(i64 a, i64 b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Monday is 0.
SACCADE_HOST_DEVICE i64 weekday_of(i64 days) {
  const i64 rest = (days % 7 + 3) % 7;  // 1970-01-01 was a Thursday
  return rest < 0 ? rest + 7 : rest;
}

// The year (astronomical) of the ISO week in which a day lies: that of the week's Thursday.
SACCADE_HOST_DEVICE i64 iso_year_of(i64 days) {
  return civil_of_days(days - weekday_of(days) + 3).year;
}

SACCADE_HOST_DEVICE i64 iso_week_of(i64 days) {
  const i64 thursday = days - weekday_of(days) + 3;
  return (thursday - days_of_civil(CivilDate{civil_of_days(thursday).year, 1, 1})) / 7 + 1;
}

// Decades, centuries and millennia count as PostgreSQL does; `year` is astronomical. There is no century 0.
SACCADE_HOST_DEVICE i64 decade_of(i64 year) {
  return floor_divide(year, 10);
}
SACCADE_HOST_DEVICE i64 century_of(i64 year, i64 years) {
  return year > 0 ? (year + years - 1) / years : -((years - 1 - (year - 1)) / years);
}

SACCADE_HOST_DEVICE i64 year_field(i64 year, DateField field) {
  switch (field) {
    case DateField::kDecade:
      return decade_of(year);
    case DateField::kCentury:
      return century_of(year, 100);
    case DateField::kMillennium:
      return century_of(year, 1000);
    default:
      return year > 0 ? year : year - 1;
  }
}

// Fields of a day; 0 for a number that is none.
SACCADE_HOST_DEVICE i64 date_field_i64(i64 days, i64 field) {
  if (days < -2440588L || days > 2145042905L) return 0;  // no date: a null row's garbage
  const CivilDate date = civil_of_days(days);
  switch (static_cast<DateField>(field)) {
    case DateField::kDay:
      return date.day;
    case DateField::kMonth:
      return date.month;
    case DateField::kQuarter:
      return (date.month - 1) / 3 + 1;
    case DateField::kYear:
    case DateField::kDecade:
    case DateField::kCentury:
    case DateField::kMillennium:
      return year_field(date.year, static_cast<DateField>(field));
    case DateField::kWeek:
      return iso_week_of(days);
    case DateField::kIsoYear: {
      const i64 year = iso_year_of(days);
      return year > 0 ? year : year - 1;
    }
    case DateField::kDayOfWeek:
      return (weekday_of(days) + 1) % 7;
    case DateField::kIsoDayOfWeek:
      return weekday_of(days) + 1;
    case DateField::kDayOfYear:
      return days - days_of_civil(CivilDate{date.year, 1, 1}) + 1;
    case DateField::kJulian:
      return days + 2440588;
    case DateField::kEpoch:
      return days * 86400;
    default:
      return 0;
  }
}

// Fields of a time of day in microseconds, or of an interval's time, whose sign they keep.
SACCADE_HOST_DEVICE i64 time_field_i64(i64 time, i64 field) {
  switch (static_cast<DateField>(field)) {
    case DateField::kMicroseconds:
    case DateField::kMilliseconds:
    case DateField::kSecond:
      return time % 60000000L;
    case DateField::kMinute:
      return time / 60000000L % 60;
    case DateField::kHour:
      return time / 3600000000L;
    default:
      return 0;
  }
}

SACCADE_HOST_DEVICE i64 interval_field_i128(i128 interval, i64 field) {
  const IntervalParts x = interval_parts(interval);
  switch (static_cast<DateField>(field)) {
    case DateField::kDay:
      return x.days;
    case DateField::kMonth:
      return x.months % 12;
    case DateField::kQuarter:
      return x.months % 12 / 3 + 1;
    case DateField::kYear:
      return x.months / 12;
    case DateField::kDecade:
      return x.months / 120;
    case DateField::kCentury:
      return x.months / 1200;
    case DateField::kMillennium:
      return x.months / 12000;
    default:
      return time_field_i64(x.microseconds, field);
  }
}

// In microseconds; a year has 365.25 days here, other months 30.
SACCADE_HOST_DEVICE i128 interval_epoch_i128(i128 interval) {
  const IntervalParts x = interval_parts(interval);
  const i64 quarter_days = x.months / 12 * 1461 + x.months % 12 * 120 + x.days * 4;
  return static_cast<i128>(quarter_days) * 21600000000L + x.microseconds;
}

// The Julian day with 16 digits of the day that has passed, half away from zero.
SACCADE_HOST_DEVICE i128 julian_timestamp_i64(i64 timestamp) {
  const i128 one = 10000000000000000L;
  const i128 time = static_cast<i128>(time_of_day(timestamp)) * one;
  return (date_of_timestamp_i64(timestamp) + 2440588) * one + (time + kMicrosecondsPerDay / 2) / kMicrosecondsPerDay;
}

// ---- date_trunc -----------------------------------------------------------------------------------------------------------

// The first year of a span of `years` years.
SACCADE_HOST_DEVICE i64 first_year_of(i64 year, DateField field) {
  switch (field) {
    case DateField::kDecade:
      return decade_of(year) * 10;
    case DateField::kCentury:
      return year > 0 ? century_of(year, 100) * 100 - 99 : century_of(year, 100) * 100 + 1;
    case DateField::kMillennium:
      return year > 0 ? century_of(year, 1000) * 1000 - 999 : century_of(year, 1000) * 1000 + 1;
    default:
      return year;
  }
}

SACCADE_HOST_DEVICE i64 truncated_day(i64 days, DateField field) {
  if (field == DateField::kDay) return days;
  if (field == DateField::kWeek) return days - weekday_of(days);
  CivilDate date = civil_of_days(days);
  if (field == DateField::kQuarter) date.month -= (date.month - 1) % 3;
  if (field != DateField::kMonth && field != DateField::kQuarter) date.month = 1;
  return days_of_civil(CivilDate{first_year_of(date.year, field), date.month, 1});
}

SACCADE_HOST_DEVICE i64 unit_of_time(DateField field) {
  switch (field) {
    case DateField::kMilliseconds:
      return 1000;
    case DateField::kSecond:
      return 1000000;
    case DateField::kMinute:
      return 60000000;
    case DateField::kHour:
      return 3600000000;
    default:
      return 1;
  }
}

SACCADE_HOST_DEVICE i64 truncate_timestamp_i64(i64 timestamp, i64 field, FunctionError& error) {
  const DateField unit = static_cast<DateField>(field);
  if (unit <= DateField::kHour) {
    const i64 rest = timestamp % unit_of_time(unit);
    return add_microseconds_i64(timestamp, rest < 0 ? -rest - unit_of_time(unit) : -rest, error);
  }
  return timestamp_of_parts(truncated_day(date_of_timestamp_i64(timestamp), unit), 0, error);
}

SACCADE_HOST_DEVICE i128 truncate_interval_i128(i128 interval, i64 field) {
  FunctionError none = FunctionError::kNone;
  IntervalParts x = interval_parts(interval);
  const DateField unit = static_cast<DateField>(field);
  if (unit <= DateField::kHour) {
    x.microseconds -= x.microseconds % unit_of_time(unit);
    return pack_interval(x.months, x.days, x.microseconds, none);
  }
  const i64 months = unit == DateField::kMonth     ? 1
                     : unit == DateField::kQuarter ? 3
                     : unit == DateField::kYear    ? 12
                     : unit == DateField::kDecade  ? 120
                     : unit == DateField::kCentury ? 1200
                                                   : 12000;
  if (unit == DateField::kDay) return pack_interval(x.months, x.days, 0, none);
  return pack_interval(x.months - x.months % months, 0, 0, none);
}

// ---- making ---------------------------------------------------------------------------------------------------------------

// make_date: a negative year is BC, and there is none 0.
SACCADE_HOST_DEVICE i64 make_date_i64(i64 year, i64 month, i64 day, FunctionError& error) {
  const i64 astronomical = year < 0 ? year + 1 : year;
  const bool valid = year != 0 && year >= -4714 && year <= 5874897 && month >= 1 && month <= 12 && day >= 1 &&
                     day <= last_day_of_month(astronomical, month);
  if (!valid) {
    error = FunctionError::kDateFieldOutOfRange;
    return 0;
  }
  return check_date_i64(days_of_civil(CivilDate{astronomical, month, day}), error);
}

// make_time: seconds with a fraction, 60 meaning the next minute.
SACCADE_HOST_DEVICE i64 make_time_i64(i64 hour, i64 minute, double second, FunctionError& error) {
  const bool fields = hour >= 0 && hour <= 24 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60;
  if (!fields) {
    error = FunctionError::kTimeFieldOutOfRange;
    return 0;
  }
  const i64 time = (hour * 60 + minute) * 60000000L + static_cast<i64>(round_f64(second * 1000000.0));
  report(error, time > kMicrosecondsPerDay, FunctionError::kTimeFieldOutOfRange);
  return time;
}

SACCADE_HOST_DEVICE i64 timestamp_of_date_and_time_i64(i64 days, i64 time, FunctionError& error) {
  return add_microseconds_i64(timestamp_of_date_i64(days, error), time, error);
}

// Seconds since 1970 as a timestamp: to_timestamp(double precision).
SACCADE_HOST_DEVICE i64 timestamp_of_epoch_f64(double seconds, FunctionError& error) {
  const bool fits = seconds > -2.2e11 && seconds < 9.3e12;  // false for NaN
  if (!fits) {
    error = FunctionError::kTimestampOutOfRange;
    return 0;
  }
  return add_microseconds_i64(static_cast<i64>(round_f64(seconds * 1000000.0)), 0, error);
}

}  // namespace saccade
