// Intervals and fields of dates, by PostgreSQL's values.
#include <gtest/gtest.h>

#include <string>

#include "data/date_time.hpp"
#include "data/value.hpp"
#include "function/scalar/all.hpp"

namespace saccade {
namespace {

i128 packed(const char* text) {
  return pack_interval(parse_interval(text));
}

std::string text_of(i128 interval) {
  return interval_text(unpack_interval(interval));
}

std::string moment(i64 timestamp) {
  return timestamp_text(timestamp);
}

i64 field(DateField value) {
  return static_cast<i64>(value);
}

TEST(PackedInterval, IsTheSameOnBothSidesAndReadsBack) {
  for (const char* text : {"0", "1 mon", "-1 mon", "1 day -3 hours", "-100 years 7 days 00:00:00.000001", "11000000 years"}) {
    const Interval interval = parse_interval(text);
    FunctionError error = FunctionError::kNone;
    const i128 value = pack_interval(interval.months, interval.days, interval.microseconds, error);
    EXPECT_EQ(error, FunctionError::kNone);
    EXPECT_TRUE(value == pack_interval(interval)) << text;
    EXPECT_EQ(unpack_interval(value), interval) << text;
    const IntervalParts parts = interval_parts(value);
    EXPECT_EQ(parts.months, interval.months) << text;
    EXPECT_EQ(parts.days, interval.days) << text;
    EXPECT_EQ(parts.microseconds, interval.microseconds) << text;
  }
}

TEST(PackedInterval, OrdersAsPostgresCompares) {
  const char* const kOrder[] = {"-1 mon",   "-1 day", "-00:00:01", "0",     "1 us",
                                "23:59:59", "1 day",  "29 days",   "1 mon", "31 days"};
  for (std::size_t i = 0; i + 1 < std::size(kOrder); ++i) {
    EXPECT_LT(interval_order_i128(packed(kOrder[i])), interval_order_i128(packed(kOrder[i + 1]))) << kOrder[i];
    EXPECT_LT(packed(kOrder[i]), packed(kOrder[i + 1])) << kOrder[i];
  }
  EXPECT_TRUE(interval_order_i128(packed("1 mon")) == interval_order_i128(packed("30 days")));
  EXPECT_TRUE(interval_order_i128(packed("1 day")) == interval_order_i128(packed("24:00")));
  EXPECT_FALSE(packed("1 mon") == packed("30 days"));
}

TEST(IntervalArithmetic, AddsScalesAndNegates) {
  FunctionError error = FunctionError::kNone;
  EXPECT_EQ(text_of(add_interval_i128(packed("1 mon"), packed("2 days 03:00"), error)), "1 mon 2 days 03:00:00");
  EXPECT_EQ(text_of(subtract_interval_i128(packed("1 mon"), packed("1 day"), error)), "1 mon -1 days");
  EXPECT_EQ(text_of(negate_interval_i128(packed("1 mon -1 day"), error)), "-1 mons +1 day");
  EXPECT_EQ(text_of(multiply_interval_i128(packed("1 mon"), 1.5, error)), "1 mon 15 days");
  EXPECT_EQ(text_of(multiply_interval_i128(packed("10:00"), 0.333, error)), "03:19:48");
  EXPECT_EQ(text_of(multiply_interval_i128(packed("-1 mon"), 0.7, error)), "-21 days");
  EXPECT_EQ(text_of(divide_interval_i128(packed("1 day"), 7, error)), "03:25:42.857143");
  EXPECT_EQ(error, FunctionError::kNone);
  divide_interval_i128(packed("1 day"), 0, error);
  EXPECT_EQ(error, FunctionError::kDivisionByZero);
  error = FunctionError::kNone;
  multiply_interval_i128(packed("11000000 years"), 2, error);
  EXPECT_EQ(error, FunctionError::kIntervalOutOfRange);
}

TEST(IntervalArithmetic, Justifies) {
  FunctionError error = FunctionError::kNone;
  EXPECT_EQ(text_of(justify_hours_i128(packed("27 hours"), error)), "1 day 03:00:00");
  EXPECT_EQ(text_of(justify_hours_i128(packed("-1 day 25 hours"), error)), "01:00:00");
  EXPECT_EQ(text_of(justify_days_i128(packed("1 mon -1 day"), error)), "29 days");
  EXPECT_EQ(text_of(justify_interval_i128(packed("1 mon -1 hour"), error)), "29 days 23:00:00");
  EXPECT_EQ(error, FunctionError::kNone);
}

TEST(IntervalsAndTimestamps, ClampTheDayAndAddInOrder) {
  FunctionError error = FunctionError::kNone;
  const auto add = [&](const char* start, const char* interval) {
    return moment(add_interval_timestamp_i64(parse_timestamp(start), packed(interval), error));
  };
  EXPECT_EQ(add("2024-01-31", "1 month"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-03-31", "-1 month"), "2024-02-29 00:00:00");
  EXPECT_EQ(add("2024-01-31", "1 month 1 day"), "2024-03-01 00:00:00");
  EXPECT_EQ(add("1970-01-01", "-1 second"), "1969-12-31 23:59:59");
  EXPECT_EQ(error, FunctionError::kNone);
  add("4714-11-24 BC", "-1 second");
  EXPECT_EQ(error, FunctionError::kTimestampOutOfRange);
}

TEST(IntervalsAndTimestamps, AgeCountsByTheCalendar) {
  const auto age = [](const char* a, const char* b) { return text_of(age_i64(parse_timestamp(a), parse_timestamp(b))); };
  EXPECT_EQ(age("2001-04-10", "1957-06-13"), "43 years 9 mons 27 days");
  EXPECT_EQ(age("2019-03-31 12:00", "2020-02-29"), "-10 mons -28 days -12:00:00");
  EXPECT_EQ(age("2020-01-01", "2020-01-01"), "00:00:00");
}

TEST(DateFields, AreThoseOfPostgres) {
  const auto of = [](const char* date, DateField value) { return date_field_i64(parse_date(date), field(value)); };
  EXPECT_EQ(of("2021-01-03", DateField::kWeek), 53);
  EXPECT_EQ(of("2021-01-03", DateField::kIsoYear), 2020);
  EXPECT_EQ(of("2020-08-02", DateField::kDayOfWeek), 0);
  EXPECT_EQ(of("2020-08-02", DateField::kIsoDayOfWeek), 7);
  EXPECT_EQ(of("2020-12-31", DateField::kDayOfYear), 366);
  EXPECT_EQ(of("2000-12-31", DateField::kCentury), 20);
  EXPECT_EQ(of("2001-01-01", DateField::kCentury), 21);
  EXPECT_EQ(of("0001-01-01 BC", DateField::kCentury), -1);
  EXPECT_EQ(of("0044-03-15 BC", DateField::kYear), -44);
  EXPECT_EQ(of("0011-01-01 BC", DateField::kDecade), -1);
  EXPECT_EQ(of("2020-01-01", DateField::kJulian), 2458850);
}

TEST(DateFields, AreCutOff) {
  FunctionError error = FunctionError::kNone;
  const auto cut = [&](const char* timestamp, DateField value) {
    return moment(truncate_timestamp_i64(parse_timestamp(timestamp), field(value), error));
  };
  EXPECT_EQ(cut("2020-08-02 10:20:30", DateField::kWeek), "2020-07-27 00:00:00");
  EXPECT_EQ(cut("2020-08-02", DateField::kQuarter), "2020-07-01 00:00:00");
  EXPECT_EQ(cut("1995-08-02", DateField::kDecade), "1990-01-01 00:00:00");
  EXPECT_EQ(cut("1995-08-02", DateField::kCentury), "1901-01-01 00:00:00");
  EXPECT_EQ(cut("1995-08-02", DateField::kMillennium), "1001-01-01 00:00:00");
  EXPECT_EQ(cut("1960-01-01 10:20:30.5", DateField::kMinute), "1960-01-01 10:20:00");
  EXPECT_EQ(error, FunctionError::kNone);
}

}  // namespace
}  // namespace saccade
