#include "data/time_zone.hpp"

#include <gtest/gtest.h>

#include <string>

#include "common/error.hpp"
#include "data/date_time.hpp"

namespace saccade {
namespace {

std::string local(const char* zone, const char* utc) {
  return timestamp_text(find_time_zone(zone).to_local(parse_timestamp(utc)));
}

std::string utc(const char* zone, const char* local) {
  return timestamp_text(find_time_zone(zone).to_utc(parse_timestamp(local)));
}

TEST(TimeZone, KnowsSummerTimeOfEveryYear) {
  EXPECT_EQ(local("America/New_York", "2020-01-01 12:00"), "2020-01-01 07:00:00");
  EXPECT_EQ(local("America/New_York", "2020-07-01 12:00"), "2020-07-01 08:00:00");
  EXPECT_EQ(local("europe/berlin", "2050-07-01 12:00"), "2050-07-01 14:00:00");
  EXPECT_EQ(local("Australia/Sydney", "2099-01-01 12:00"), "2099-01-01 23:00:00");
  EXPECT_EQ(local("Asia/Kolkata", "2020-01-01 00:00"), "2020-01-01 05:30:00");
  EXPECT_EQ(local("America/New_York", "1850-01-01 12:00"), "1850-01-01 07:03:58");
}

TEST(TimeZone, ReadsLocalTimesThatASkipOrARepeatTouches) {
  EXPECT_EQ(utc("America/New_York", "2020-03-08 02:30"), "2020-03-08 07:30:00");  // skipped: as before the change
  EXPECT_EQ(utc("America/New_York", "2020-11-01 01:30"), "2020-11-01 06:30:00");  // twice: the later one
  EXPECT_EQ(utc("America/New_York", "2040-11-04 01:30"), "2040-11-04 06:30:00");
}

TEST(TimeZone, HasFixedAndPosixForms) {
  EXPECT_EQ(local("UTC", "2020-01-01 12:00"), "2020-01-01 12:00:00");
  EXPECT_EQ(local("5.5", "2020-01-01 12:00"), "2020-01-01 17:30:00");
  EXPECT_EQ(local("-8", "2020-01-01 12:00"), "2020-01-01 04:00:00");
  EXPECT_EQ(local("UTC+3", "2020-01-01 12:00"), "2020-01-01 09:00:00");  // POSIX counts to the west
  EXPECT_EQ(local("pst", "2020-07-01 12:00"), "2020-07-01 04:00:00");
  EXPECT_TRUE(find_time_zone("UTC").is_fixed());
  EXPECT_FALSE(find_time_zone("Europe/Berlin").is_fixed());
}

TEST(TimeZone, RefusesWhatIsNone) {
  for (const char* name : {"", "Mars/Phobos", "../passwd", "/etc/passwd", "Europe", "Europe/", "zone.tab", "999", "."}) {
    try {
      find_time_zone(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.sqlstate(), "22023") << name;
    }
  }
}

TEST(TimeZone, PrintsTheOffset) {
  const auto text = [](const char* zone, const char* utc) {
    return timestamptz_text(parse_timestamp(utc), find_time_zone(zone));
  };
  EXPECT_EQ(text("UTC", "2020-01-01"), "2020-01-01 00:00:00+00");
  EXPECT_EQ(text("Asia/Kolkata", "2020-01-01"), "2020-01-01 05:30:00+05:30");
  EXPECT_EQ(text("America/New_York", "1850-01-01 12:00"), "1850-01-01 07:03:58-04:56:02");
}

}  // namespace
}  // namespace saccade
