// Intervals: months, days and microseconds in one int128, and what is computed with them. Host and device; no standard headers.
//
// PostgreSQL compares intervals by their microseconds when a month has 30 days and a day 24 hours. That sum is the value's
// upper part, so that the order of the int128 is the order of intervals, with months and days below it (28 bits each, offset by
// 2^27) to tell apart and to restore what is equal. Equality and keys take interval_order_i128, which drops them.
#pragma once

#include "function/scalar/date_time.hpp"
#include "function/scalar/floating.hpp"

namespace saccade {

struct IntervalParts {
  i64 months, days, microseconds;
};

inline constexpr i64 kMicrosecondsPerDay = 86400000000L;
inline constexpr i64 kIntervalPartLimit = i64{1} << 27;  // of months and of days

SACCADE_HOST_DEVICE i128 pack_interval(i64 months, i64 days, i64 microseconds, FunctionError& error) {
  report(
      error,
      months < -kIntervalPartLimit || months >= kIntervalPartLimit || days < -kIntervalPartLimit || days >= kIntervalPartLimit,
      FunctionError::kIntervalOutOfRange);
  const i128 sum = static_cast<i128>(months * 30 + days) * kMicrosecondsPerDay + microseconds;
  const u64 low = static_cast<u64>(months + kIntervalPartLimit) << 28 | static_cast<u64>(days + kIntervalPartLimit);
  return static_cast<i128>(static_cast<u128>(sum) << 56 | (low & 0xffffffffffffffUL));
}

// The microseconds that an interval is compared by.
SACCADE_HOST_DEVICE i128 interval_order_i128(i128 a) {
  return a >> 56;
}

SACCADE_HOST_DEVICE IntervalParts interval_parts(i128 a) {
  const u64 low = static_cast<u64>(a) & 0xffffffffffffffUL;
  const i64 months = static_cast<i64>(low >> 28) - kIntervalPartLimit;
  const i64 days = static_cast<i64>(low & 0xfffffffUL) - kIntervalPartLimit;
  const i128 rest = (a >> 56) - static_cast<i128>(months * 30 + days) * kMicrosecondsPerDay;
  return IntervalParts{months, days, static_cast<i64>(rest)};
}

SACCADE_HOST_DEVICE i64 checked_microseconds(i128 value, FunctionError& error) {
  report(error, value != static_cast<i64>(value), FunctionError::kIntervalOutOfRange);
  return static_cast<i64>(value);
}

// months, days, microseconds
SACCADE_HOST_DEVICE i128 make_interval_i64(i64 months, i64 days, i64 microseconds, FunctionError& error) {
  if (months < -kIntervalPartLimit || months >= kIntervalPartLimit || days < -kIntervalPartLimit ||
      days >= kIntervalPartLimit) {
    error = FunctionError::kIntervalOutOfRange;
    return 0;
  }
  return pack_interval(months, days, microseconds, error);
}

SACCADE_HOST_DEVICE i128 add_interval_i128(i128 a, i128 b, FunctionError& error) {
  const IntervalParts x = interval_parts(a), y = interval_parts(b);
  const i64 time = checked_microseconds(static_cast<i128>(x.microseconds) + y.microseconds, error);
  return pack_interval(x.months + y.months, x.days + y.days, time, error);
}

SACCADE_HOST_DEVICE i128 subtract_interval_i128(i128 a, i128 b, FunctionError& error) {
  const IntervalParts x = interval_parts(a), y = interval_parts(b);
  const i64 time = checked_microseconds(static_cast<i128>(x.microseconds) - y.microseconds, error);
  return pack_interval(x.months - y.months, x.days - y.days, time, error);
}

SACCADE_HOST_DEVICE i128 negate_interval_i128(i128 a, FunctionError& error) {
  const IntervalParts x = interval_parts(a);
  const i64 time = checked_microseconds(-static_cast<i128>(x.microseconds), error);
  return pack_interval(-x.months, -x.days, time, error);
}

// To millionths, as PostgreSQL rounds the days and seconds that fractions of months and days become.
SACCADE_HOST_DEVICE double rounded_to_millionths(double a) {
  return round_f64(a * 1000000.0) / 1000000.0;
}

// months * 30 and so on of the parts that whole months and days leave; `months` and `days` are those parts as they were scaled.
SACCADE_HOST_DEVICE i128 scaled_interval(double months, double days, double microseconds, FunctionError& error) {
  const bool fits = months > -2e8 && months < 2e8 && days > -2e9 && days < 2e9;  // false for NaN
  if (!fits) {
    error = FunctionError::kIntervalOutOfRange;
    return 0;
  }
  const i64 whole_months = static_cast<i64>(months);
  i64 whole_days = static_cast<i64>(days);
  const double month_days = rounded_to_millionths((months - static_cast<double>(whole_months)) * 30.0);
  const double month_day_fraction = month_days - static_cast<double>(static_cast<i64>(month_days));
  double seconds = rounded_to_millionths((days - static_cast<double>(whole_days) + month_day_fraction) * 86400.0);
  if (seconds >= 86400.0 || seconds <= -86400.0) {
    const i64 carried = static_cast<i64>(seconds / 86400.0);
    whole_days += carried;
    seconds -= static_cast<double>(carried) * 86400.0;
  }
  whole_days += static_cast<i64>(month_days);
  const double time = round_f64(microseconds + seconds * 1000000.0);
  const bool time_fits = time >= -9223372036854775808.0 && time < 9223372036854775808.0;
  if (!time_fits || whole_days < -kIntervalPartLimit || whole_days >= kIntervalPartLimit) {
    error = FunctionError::kIntervalOutOfRange;
    return 0;
  }
  return make_interval_i64(whole_months, whole_days, static_cast<i64>(time), error);
}

SACCADE_HOST_DEVICE i128 multiply_interval_i128(i128 a, double factor, FunctionError& error) {
  const IntervalParts x = interval_parts(a);
  return scaled_interval(static_cast<double>(x.months) * factor, static_cast<double>(x.days) * factor,
                         static_cast<double>(x.microseconds) * factor, error);
}

SACCADE_HOST_DEVICE i128 divide_interval_i128(i128 a, double divisor, FunctionError& error) {
  if (divisor == 0) {
    error = FunctionError::kDivisionByZero;
    return 0;
  }
  const IntervalParts x = interval_parts(a);
  return scaled_interval(static_cast<double>(x.months) / divisor, static_cast<double>(x.days) / divisor,
                         static_cast<double>(x.microseconds) / divisor, error);
}

// Whole days of the time become days, with the sign of what is larger.
SACCADE_HOST_DEVICE IntervalParts justified_hours(IntervalParts x) {
  x.days += x.microseconds / kMicrosecondsPerDay;
  x.microseconds %= kMicrosecondsPerDay;
  const i64 step = x.days > 0 && x.microseconds < 0 ? 1 : x.days < 0 && x.microseconds > 0 ? -1 : 0;
  x.microseconds += step * kMicrosecondsPerDay;
  x.days -= step;
  return x;
}

SACCADE_HOST_DEVICE i128 justify_hours_i128(i128 a, FunctionError& error) {
  const IntervalParts x = justified_hours(interval_parts(a));
  return pack_interval(x.months, x.days, x.microseconds, error);
}

SACCADE_HOST_DEVICE i128 justify_days_i128(i128 a, FunctionError& error) {
  IntervalParts x = interval_parts(a);
  x.months += x.days / 30;
  x.days %= 30;
  const i64 step = x.months > 0 && x.days < 0 ? 1 : x.months < 0 && x.days > 0 ? -1 : 0;
  return pack_interval(x.months - step, x.days + step * 30, x.microseconds, error);
}

SACCADE_HOST_DEVICE i128 justify_interval_i128(i128 a, FunctionError& error) {
  IntervalParts x = interval_parts(a);
  x.days += x.microseconds / kMicrosecondsPerDay;
  x.microseconds %= kMicrosecondsPerDay;
  x.months += x.days / 30;
  x.days %= 30;
  const i64 month_step = x.months > 0 && (x.days < 0 || (x.days == 0 && x.microseconds < 0))   ? 1
                         : x.months < 0 && (x.days > 0 || (x.days == 0 && x.microseconds > 0)) ? -1
                                                                                               : 0;
  x.days += month_step * 30;
  x.months -= month_step;
  const i64 day_step = x.days > 0 && x.microseconds < 0 ? 1 : x.days < 0 && x.microseconds > 0 ? -1 : 0;
  return pack_interval(x.months, x.days - day_step, x.microseconds + day_step * kMicrosecondsPerDay, error);
}

// ---- with dates and times -----------------------------------------------------------------------------------------------

// Months, with the day clamped to the month's end; then days; then microseconds.
SACCADE_HOST_DEVICE i64 add_interval_parts(i64 timestamp, IntervalParts x, FunctionError& error) {
  i64 result = x.months == 0 ? timestamp : add_months_i64(timestamp, x.months, error);
  const i64 days = x.days < -200000000L ? -200000000L : x.days > 200000000L ? 200000000L : x.days;  // beyond every timestamp
  const i128 rest = static_cast<i128>(days) * kMicrosecondsPerDay;
  report(error, rest != static_cast<i64>(rest), FunctionError::kTimestampOutOfRange);
  if (rest != 0) result = add_microseconds_i64(result, static_cast<i64>(rest), error);
  return add_microseconds_i64(result, x.microseconds, error);
}

SACCADE_HOST_DEVICE i64 add_interval_timestamp_i64(i64 timestamp, i128 interval, FunctionError& error) {
  return add_interval_parts(timestamp, interval_parts(interval), error);
}

SACCADE_HOST_DEVICE i64 subtract_interval_timestamp_i64(i64 timestamp, i128 interval, FunctionError& error) {
  const IntervalParts x = interval_parts(interval);
  const i64 time = checked_microseconds(-static_cast<i128>(x.microseconds), error);
  return add_interval_parts(timestamp, IntervalParts{-x.months, -x.days, time}, error);
}

// The months and days of an interval alone, and its time alone: with a time zone, the former are added to the local time.
SACCADE_HOST_DEVICE i128 interval_days_i128(i128 a) {
  FunctionError none = FunctionError::kNone;
  const IntervalParts x = interval_parts(a);
  return pack_interval(x.months, x.days, 0, none);
}
SACCADE_HOST_DEVICE i64 interval_time_i128(i128 a) {
  return interval_parts(a).microseconds;
}

SACCADE_HOST_DEVICE i128 subtract_timestamps_i64(i64 a, i64 b, FunctionError& error) {
  const i64 time = checked_microseconds(static_cast<i128>(a) - b, error);
  const IntervalParts x = justified_hours(IntervalParts{0, 0, time});
  return pack_interval(x.months, x.days, x.microseconds, error);
}

// Into [0, 24 h).
SACCADE_HOST_DEVICE i64 time_of_day(i128 microseconds) {
  const i64 rest = static_cast<i64>(microseconds % kMicrosecondsPerDay);
  return rest < 0 ? rest + kMicrosecondsPerDay : rest;
}

SACCADE_HOST_DEVICE i64 add_interval_time_i64(i64 time, i128 interval) {
  return time_of_day(static_cast<i128>(time) + interval_parts(interval).microseconds);
}
SACCADE_HOST_DEVICE i64 subtract_interval_time_i64(i64 time, i128 interval) {
  return time_of_day(static_cast<i128>(time) - interval_parts(interval).microseconds);
}
SACCADE_HOST_DEVICE i64 time_of_interval_i128(i128 a) {
  return time_of_day(interval_parts(a).microseconds);
}
SACCADE_HOST_DEVICE i64 time_of_timestamp_i64(i64 a) {
  return time_of_day(a);
}

// age(a, b): years, months, days and time from b to a by the calendar. A month that is borrowed is the earlier moment's.
SACCADE_HOST_DEVICE i128 age_i64(i64 a, i64 b) {
  FunctionError none = FunctionError::kNone;
  const bool negative = a < b;
  const i64 later = negative ? b : a, earlier = negative ? a : b;
  const CivilDate x = civil_of_days(date_of_timestamp_i64(later)), y = civil_of_days(date_of_timestamp_i64(earlier));
  i64 time = time_of_day(later) - time_of_day(earlier);
  i64 days = x.day - y.day;
  i64 months = (x.year - y.year) * 12 + x.month - y.month;
  if (time < 0) {
    time += kMicrosecondsPerDay;
    --days;
  }
  while (days < 0) {
    days += last_day_of_month(y.year, y.month);
    --months;
  }
  return negative ? pack_interval(-months, -days, -time, none) : pack_interval(months, days, time, none);
}

}  // namespace saccade
