#include "common/int128.hpp"

#include <gtest/gtest.h>

namespace saccade {
namespace {

TEST(DecimalText, HasAllDigitsOfTheScale) {
  EXPECT_EQ(decimal_text(0, 0), "0");
  EXPECT_EQ(decimal_text(0, 2), "0.00");
  EXPECT_EQ(decimal_text(-5, 2), "-0.05");
  EXPECT_EQ(decimal_text(12345, 2), "123.45");
  EXPECT_EQ(decimal_text(kInt128Max, 0), "170141183460469231731687303715884105727");
  EXPECT_EQ(decimal_text(kInt128Min, 38), "-1.70141183460469231731687303715884105728");
}

TEST(ParseInt128, ReadsBackTheExtremesAndRefusesMore) {
  for (const int128 value : {int128{0}, int128{-1}, kInt128Max, kInt128Min, power_of_ten(38)}) {
    EXPECT_TRUE(parse_int128(decimal_text(value, 0)) == value) << decimal_text(value, 0);
  }
  for (const char* text :
       {"", "-", "1x", "+1", " 1", "170141183460469231731687303715884105728", "1701411834604692317316873037158841057270"}) {
    EXPECT_FALSE(parse_int128(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace saccade
