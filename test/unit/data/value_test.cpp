#include "data/value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "common/error.hpp"

namespace saccade {
namespace {

std::string state_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "no error";
}

std::string date(std::int64_t days) {
  return to_string(Value{{TypeKind::kDate}, int128{days}});
}
std::string timestamp(std::int64_t microseconds) {
  return to_string(Value{{TypeKind::kTimestamp}, int128{microseconds}});
}
std::string number(double value) {
  return to_string(Value{{TypeKind::kDouble}, value});
}
std::string interval(std::string_view text, std::string_view field = {}) {
  return to_string(Value{{TypeKind::kInterval}, parse_interval(text, field)});
}

TEST(Calendar, GoesBothWaysOverEveryDayOfManyYears) {
  std::int64_t expected = days_from_civil(-401, 1, 1);
  for (std::int64_t year = -401; year < 2500; ++year) {
    for (int month = 1; month <= 12; ++month) {
      const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
      const int days = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
      for (int day = 1; day <= days; ++day, ++expected) {
        ASSERT_EQ(days_from_civil(year, month, day), expected);
        std::int64_t y = 0;
        int m = 0, d = 0;
        civil_from_days(expected, y, m, d);
        ASSERT_TRUE(y == year && m == month && d == day);
      }
    }
  }
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11017);
}

// The texts are what PostgreSQL 15 prints.
TEST(Date, IsReadAndPrinted) {
  EXPECT_EQ(parse_date("1998-12-01"), 10561);
  for (const char* text : {"1998-12-01", "0001-01-01", "1600-02-29", "9999-12-31", "5874897-12-31", "0001-12-31 BC",
                           "4714-11-24 BC", "12345-06-07"}) {
    EXPECT_EQ(date(parse_date(text)), text);
  }
  EXPECT_EQ(date(parse_date(" 1998-2-3 ")), "1998-02-03");
  EXPECT_EQ(date(parse_date("19980203")), "1998-02-03");
  EXPECT_EQ(date(parse_date("1998/02/03")), "1998-02-03");
  EXPECT_EQ(date(parse_date("1998-02-03 10:11:12")), "1998-02-03");
}

TEST(Date, RefusesWhatIsNone) {
  for (const char* text : {"", "abc", "1998", "1998-12", "1998-12-", "1998-12-01x", "1998-12-01-01", "1998-012-01",
                           "123456789-01-01", "-1998-01-01", "1998/01-01"}) {
    EXPECT_EQ(state_of([&] { parse_date(text); }), "22007") << text;
  }
  for (const char* text : {"1998-13-01", "1998-00-01", "1998-02-29", "1900-02-29", "1998-04-31", "1998-01-00", "0000-01-01",
                           "98-12-01", "5874898-01-01", "4714-11-23 BC"}) {
    EXPECT_EQ(state_of([&] { parse_date(text); }), "22008") << text;
  }
}

TEST(Timestamp, IsReadAndPrinted) {
  EXPECT_EQ(parse_timestamp("1970-01-01"), 0);
  EXPECT_EQ(parse_timestamp("1970-01-02 00:00:00.000001"), 86400000001);
  for (const char* text : {"1998-12-01 10:00:00.5", "1969-12-31 23:59:59.999999", "292276-12-31 23:59:59.999999",
                           "4714-11-24 00:00:00 BC", "2000-02-29 12:34:56.78", "0001-01-01 00:00:00"}) {
    EXPECT_EQ(timestamp(parse_timestamp(text)), text);
  }
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-01T10:11")), "1998-12-01 10:11:00");
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-01 24:00:00")), "1998-12-02 00:00:00");
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-01 10:00:60")), "1998-12-01 10:01:00");
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-01 10:00:00.1234567")), "1998-12-01 10:00:00.123457");
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-31 23:59:59.9999999")), "1999-01-01 00:00:00");
}

TEST(Timestamp, RefusesWhatIsNone) {
  for (const char* text : {"1998-12-01 10", "1998-12-01 10:", "1998-12-01 10:00:", "1998-12-01 :00", "1998-12-01 x"}) {
    EXPECT_EQ(state_of([&] { parse_timestamp(text); }), "22007") << text;
  }
  for (const char* text :
       {"1998-12-01 25:00", "1998-12-01 24:00:00.1", "1998-12-01 10:60", "1998-12-01 10:00:61", "292277-01-01"}) {
    EXPECT_EQ(state_of([&] { parse_timestamp(text); }), "22008") << text;
  }
  EXPECT_EQ(state_of([&] { parse_timestamp("infinity"); }), "0A000");
}

TEST(Timestamp, IsReadInTheFormsOfPostgres) {
  EXPECT_EQ(date(parse_date("Jan 8, 1999")), "1999-01-08");
  EXPECT_EQ(date(parse_date("08-Jan-1999")), "1999-01-08");
  EXPECT_EQ(date(parse_date("1/8/99")), "1999-01-08");
  EXPECT_EQ(date(parse_date("1999.008")), "1999-01-08");
  EXPECT_EQ(date(parse_date("J2451187")), "1999-01-08");
  EXPECT_EQ(timestamp(parse_timestamp("19990108T040506")), "1999-01-08 04:05:06");
  EXPECT_EQ(timestamp(parse_timestamp("Jan 8 1999 4:05 PM")), "1999-01-08 16:05:00");
  EXPECT_EQ(timestamp(parse_timestamp("1998-12-01 10:00+02")), "1998-12-01 10:00:00");  // a zone is passed over
  EXPECT_EQ(timestamp(parse_timestamptz("1998-12-01 10:00+02")), "1998-12-01 08:00:00");
  EXPECT_EQ(timestamp(parse_timestamptz("1998-12-01 10:00 EST")), "1998-12-01 15:00:00");
  const TimeContext context{parse_timestamp("2020-03-04 05:06:07"), nullptr};
  EXPECT_EQ(date(parse_date("tomorrow", context)), "2020-03-05");
  EXPECT_EQ(timestamp(parse_timestamptz("now", context)), "2020-03-04 05:06:07");
}

TEST(Double, PrintsTheShortestFormAsPostgresDoes) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number(1e14), "100000000000000");
  EXPECT_EQ(number(1e15), "1e+15");
  EXPECT_EQ(number(123456789012345), "123456789012345");
  EXPECT_EQ(number(1234567890123456), "1.234567890123456e+15");
  EXPECT_EQ(number(1e20), "1e+20");
  EXPECT_EQ(number(0.0001), "0.0001");
  EXPECT_EQ(number(0.00001), "1e-05");
  EXPECT_EQ(number(5e-324), "5e-324");
  EXPECT_EQ(number(-1.7976931348623157e308), "-1.7976931348623157e+308");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(number(std::nan("")), "NaN");
}

TEST(Value, PrintsEveryKind) {
  EXPECT_EQ(to_string(Value::null({TypeKind::kDate})), "");
  EXPECT_EQ(to_string(Value{{TypeKind::kBoolean}, true}), "t");
  EXPECT_EQ(to_string(Value{{TypeKind::kBoolean}, false}), "f");
  EXPECT_EQ(to_string(Value{DataType::numeric(5, 2), int128{-7}}), "-0.07");
  EXPECT_EQ(to_string(Value{{TypeKind::kBigint}, int128{INT64_MIN}}), "-9223372036854775808");
  EXPECT_EQ(to_string(Value{{TypeKind::kText}, std::string("x y")}), "x y");
}

TEST(Numeric, KeepsPrecisionAndScaleAsWritten) {
  const auto check = [](std::string_view text, int precision, int scale, std::string_view printed) {
    const Value value = parse_numeric(text);
    EXPECT_EQ(value.type, DataType::numeric(precision, scale)) << text;
    EXPECT_EQ(to_string(value), printed) << text;
  };
  check("0.06", 2, 2, "0.06");
  check("12.50", 4, 2, "12.50");
  check("-12.50", 4, 2, "-12.50");
  check("+.5", 1, 1, "0.5");
  check("5.", 1, 0, "5");
  check("007", 1, 0, "7");
  check("0", 1, 0, "0");
  check("0e99", 1, 0, "0");
  check("1e3", 4, 0, "1000");
  check("1.5E-3", 4, 4, "0.0015");
  check("1.25e1", 3, 1, "12.5");
  check(" 1 ", 1, 0, "1");
  check("99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999");
  check("1e37", 38, 0, "10000000000000000000000000000000000000");
}

TEST(Numeric, RefusesWhatIsNone) {
  for (const char* text : {"", ".", "-", "abc", "1x", "1e", "1e+", "1e+-2", "1e-+2", "1.2.3", "--1", "1 2", "NaN"}) {
    EXPECT_EQ(state_of([&] { parse_numeric(text); }), "22P02") << text;
  }
  for (const char* text : {"100000000000000000000000000000000000000", "1e38", "1e-39", "1e99999999999", "9e999999999",
                           "0.000000000000000000000000000000000000001"}) {
    EXPECT_EQ(state_of([&] { parse_numeric(text); }), "22003") << text;
  }
}

TEST(Interval, IsReadAndPrinted) {
  EXPECT_EQ(parse_interval("90 days"), (Interval{0, 90, 0}));
  EXPECT_EQ(parse_interval("90", "day"), (Interval{0, 90, 0}));
  EXPECT_EQ(parse_interval("3", "month"), (Interval{3, 0, 0}));
  EXPECT_EQ(parse_interval("1", "year"), (Interval{12, 0, 0}));
  EXPECT_EQ(parse_interval("1-2", "year to month"), (Interval{14, 0, 0}));
  EXPECT_EQ(interval("1 year 2 mons 03:04:05"), "1 year 2 mons 03:04:05");
  EXPECT_EQ(interval("1 year 2 months 3 days 4 hours 5 minutes 6.5 seconds"), "1 year 2 mons 3 days 04:05:06.5");
  EXPECT_EQ(interval("-1 day 2 hours"), "-1 days +02:00:00");
  EXPECT_EQ(interval("1 mon -1 day"), "1 mon -1 days");
  EXPECT_EQ(interval("-1 mon 1 day"), "-1 mons +1 day");
  EXPECT_EQ(interval("1 day ago"), "-1 days");
  EXPECT_EQ(interval("1 week"), "7 days");
  EXPECT_EQ(interval("1.5 months"), "1 mon 15 days");
  EXPECT_EQ(interval("1.5 years"), "1 year 6 mons");
  EXPECT_EQ(interval("1.5 days"), "1 day 12:00:00");
  EXPECT_EQ(interval("0"), "00:00:00");
  EXPECT_EQ(interval("90"), "00:01:30");
  EXPECT_EQ(interval("100:00:00"), "100:00:00");
  EXPECT_EQ(interval("-00:00:01"), "-00:00:01");
  EXPECT_EQ(interval("1 day 13:14:15", "day"), "1 day");
  EXPECT_EQ(interval("1 day 13:14:15", "hour"), "1 day 13:00:00");
}

TEST(Interval, RefusesWhatIsNone) {
  for (const char* text : {"", "abc", "1 fortnight", "day", "1 day x", "ago", "1:", "1 day ago 2 days", "-"}) {
    EXPECT_EQ(state_of([&] { parse_interval(text); }), "22007") << text;
  }
  for (const char* text : {"99999999999 years", "3000000000 days", "1:60:00", "9999999999999999 seconds", "1-12"}) {
    EXPECT_EQ(state_of([&] { parse_interval(text); }), "22015") << text;
  }
}

}  // namespace
}  // namespace saccade
