#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "function/hash.hpp"
#include "function/scalar/all.hpp"
#include "unit/function/edge_values.hpp"

namespace saccade {
namespace {

constexpr i64 kMax = std::numeric_limits<i64>::max(), kMin = std::numeric_limits<i64>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
const i128 kLargest = test::ten_to(38) - 1;

i128 wide(const char* text) {
  return parse_int128(text).value();
}

// The result of a failing function with its error: {value, kNone} or {anything, error}. The function is a template argument, so
// that calls of it are direct: it is always inlined, and sanitizers' code keeps pointers opaque.
template <auto function, class... A>
FunctionError error_of(A... arguments) {
  FunctionError error = FunctionError::kNone;
  function(arguments..., error);
  return error;
}

template <auto function, class... A>
auto value_of(A... arguments) {
  FunctionError error = FunctionError::kNone;
  const auto result = function(arguments..., error);
  EXPECT_EQ(error, FunctionError::kNone);
  return result;
}

TEST(Arithmetic, ChecksSixtyFourBits) {
  EXPECT_EQ(value_of<&add_checked_i64>(kMax - 1, i64{1}), kMax);
  EXPECT_EQ(error_of<&add_checked_i64>(kMax, i64{1}), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&add_checked_i64>(kMin, i64{-1}), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(value_of<&subtract_checked_i64>(i64{-1}, kMin), kMax);
  EXPECT_EQ(error_of<&subtract_checked_i64>(i64{0}, kMin), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(value_of<&multiply_checked_i64>(i64{3037000499}, i64{-3037000499}), -9223372030926249001L);
  EXPECT_EQ(error_of<&multiply_checked_i64>(i64{3037000500}, i64{3037000500}), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&multiply_checked_i64>(kMin, i64{-1}), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&negate_checked_i64>(kMin), FunctionError::kBigintOutOfRange);
}

TEST(Arithmetic, DivisionTruncates) {
  EXPECT_EQ(value_of<&divide_i64>(i64{-7}, i64{2}), -3);
  EXPECT_EQ(value_of<&modulo_i64>(i64{-7}, i64{3}), -1);
  EXPECT_EQ(value_of<&modulo_i64>(kMin, i64{-1}), 0);
  EXPECT_EQ(error_of<&divide_i64>(kMin, i64{-1}), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&divide_i64>(i64{1}, i64{0}), FunctionError::kDivisionByZero);
  EXPECT_EQ(error_of<&modulo_i64>(i64{1}, i64{0}), FunctionError::kDivisionByZero);
}

TEST(Arithmetic, ChecksNarrowTypes) {
  EXPECT_EQ(value_of<&check_smallint_i64>(i64{-32768}), -32768);
  EXPECT_EQ(error_of<&check_smallint_i64>(i64{32768}), FunctionError::kSmallintOutOfRange);
  EXPECT_EQ(value_of<&check_integer_i64>(i64{-2147483648}), -2147483648L);
  EXPECT_EQ(error_of<&check_integer_i64>(i64{2147483648}), FunctionError::kIntegerOutOfRange);
  EXPECT_EQ(error_of<&check_date_i64>(i64{2145042906}), FunctionError::kDateOutOfRange);
}

TEST(Numeric, HoldsThirtyEightDigits) {
  EXPECT_EQ(value_of<&add_checked_i128>(kLargest - 1, i128{1}), kLargest);
  EXPECT_EQ(error_of<&add_checked_i128>(kLargest, i128{1}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&add_checked_i128>(kLargest, kLargest), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&subtract_checked_i128>(-kLargest, i128{1}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(value_of<&multiply_checked_i128>(test::ten_to(18), -test::ten_to(19)), -test::ten_to(37));
  EXPECT_EQ(error_of<&multiply_checked_i128>(test::ten_to(19), test::ten_to(19)), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&multiply_checked_i128>(kLargest, kLargest), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&multiply_checked_i128>(kLargest, i128{2}), FunctionError::kNumericOutOfRange);
  // 2^64 * 2^64 has no low bits at all.
  EXPECT_EQ(error_of<&multiply_checked_i128>(i128{1} << 64, i128{1} << 64), FunctionError::kNumericOutOfRange);
}

TEST(Numeric, DividesHalfAwayFromZero) {
  EXPECT_EQ(value_of<&divide_numeric_i128>(i128{1}, i128{3}, i64{16}), 3333333333333333L);
  EXPECT_EQ(value_of<&divide_numeric_i128>(i128{2}, i128{3}, i64{16}), 6666666666666667L);
  EXPECT_EQ(value_of<&divide_numeric_i128>(i128{-5}, i128{2}, i64{0}), -3);
  EXPECT_EQ(value_of<&divide_numeric_i128>(i128{5}, i128{-2}, i64{0}), -3);
  EXPECT_EQ(error_of<&divide_numeric_i128>(i128{5}, i128{0}, i64{0}), FunctionError::kDivisionByZero);
  // 10^37 * 10^38 / (10^38 - 1) needs 250 bits; by arithmetic 10^37 * (1 + 10^-38 + ...) = 10^37 + 0.1...
  EXPECT_EQ(value_of<&divide_numeric_i128>(test::ten_to(37), kLargest, i64{38}), test::ten_to(37));
  EXPECT_EQ(value_of<&divide_numeric_i128>(kLargest, kLargest, i64{37}), test::ten_to(37));
  EXPECT_EQ(error_of<&divide_numeric_i128>(kLargest, kLargest, i64{38}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&divide_numeric_i128>(kLargest, i128{1}, i64{76}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(value_of<&divide_numeric_i128>(i128{0}, i128{1}, i64{76}), 0);
  // A divisor of one 64-bit digit under a dividend of three.
  EXPECT_EQ(value_of<&divide_numeric_i128>(wide("12345678901234567890123456789012345678"), i128{1000000007}, i64{9}),
            wide("12345678814814816186419743484074141289"));
  // The same of two digits: 12345678901234567890123456789012345678 * 10^30 / 98765432109876543210987654321098.
  EXPECT_EQ(value_of<&divide_numeric_i128>(wide("12345678901234567890123456789012345678"),
                                           wide("98765432109876543210987654321098"), i64{30}),
            wide("124999998860937500014238281249822990"));
}

TEST(Numeric, RescalesHalfAwayFromZero) {
  EXPECT_EQ(round_down_scale_i64(25, 10), 3);
  EXPECT_EQ(round_down_scale_i64(-25, 10), -3);
  EXPECT_EQ(round_down_scale_i64(-24, 10), -2);
  EXPECT_EQ(round_down_scale_i64(7, 1), 7);
  EXPECT_EQ(round_down_scale_i128(kInt128Max, test::ten_to(38)), 2);
  EXPECT_EQ(round_down_scale_i128(-test::ten_to(38) / 2, test::ten_to(38)), -1);
  EXPECT_EQ(round_down_scale_i128(test::ten_to(38) / 2 - 1, test::ten_to(38)), 0);
  EXPECT_EQ(error_of<&check_magnitude_i128>(i128{1000}, i128{999}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&check_magnitude_i64>(i64{-1000}, i64{999}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(value_of<&check_magnitude_i64>(i64{-999}, i64{999}), -999);
}

TEST(Numeric, WideSumsNeverWrap) {
  // sum(9e37, 9e37, -9e37) = 9e37 though its first two terms alone overflow.
  const i128 value = test::ten_to(37) * 9;
  i128 high = 0, low = 0;
  for (const i128 term : {value, value, -value}) {
    high += sum_high_i128(term);
    low += sum_low_i128(term);
  }
  EXPECT_EQ(value_of<&combine_sum_i128>(high, low), value);
  EXPECT_EQ(error_of<&combine_sum_i128>(sum_high_i128(value) * 2, sum_low_i128(value) * 2), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&combine_sum_i128>(i128{1} << 64, i128{0}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(value_of<&combine_sum_i128>(sum_high_i128(-1), sum_low_i128(-1)), -1);
}

TEST(Floating, RaisesWhatPostgresRaises) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(error_of<&add_f64>(largest, largest), FunctionError::kFloatOutOfRange);
  EXPECT_EQ(value_of<&add_f64>(kInfinity, 1.0), kInfinity);
  EXPECT_EQ(error_of<&multiply_f64>(1e200, 1e200), FunctionError::kFloatOutOfRange);
  EXPECT_EQ(error_of<&multiply_f64>(1e-200, 1e-200), FunctionError::kFloatUnderflow);
  EXPECT_EQ(error_of<&divide_f64>(1.0, 0.0), FunctionError::kDivisionByZero);
  EXPECT_EQ(error_of<&divide_f64>(0.0, -0.0), FunctionError::kDivisionByZero);
  EXPECT_EQ(error_of<&divide_f64>(kInfinity, 0.0), FunctionError::kDivisionByZero);
  EXPECT_TRUE(std::isnan(value_of<&divide_f64>(kNan, 0.0)));
  EXPECT_EQ(value_of<&divide_f64>(1.0, kInfinity), 0);
  EXPECT_EQ(error_of<&divide_f64>(1e-300, 1e300), FunctionError::kFloatUnderflow);
}

TEST(Comparison, NanIsOneValueAboveInfinity) {
  EXPECT_TRUE(equal_f64(kNan, -kNan));
  EXPECT_FALSE(not_equal_f64(kNan, kNan));
  EXPECT_TRUE(greater_f64(kNan, kInfinity));
  EXPECT_TRUE(less_f64(kInfinity, kNan));
  EXPECT_FALSE(less_f64(kNan, kNan));
  EXPECT_TRUE(less_equal_f64(kNan, kNan));
  EXPECT_TRUE(greater_equal_f64(kNan, 1.0));
  EXPECT_FALSE(greater_equal_f64(1.0, kNan));
  EXPECT_TRUE(equal_f64(-0.0, 0.0));
  EXPECT_FALSE(less_f64(-0.0, 0.0));
}

// Comparisons and keys are two ways to say the same order.
TEST(Key, OrdersLikeTheComparison) {
  for (const auto& a : test::edge_values(Lane::kFloat64)) {
    EXPECT_TRUE(equal_f64(float64_of_key_i64(key_of_f64(a.float64)), a.float64));
    for (const auto& b : test::edge_values(Lane::kFloat64)) {
      EXPECT_EQ(less_f64(a.float64, b.float64), key_of_f64(a.float64) < key_of_f64(b.float64));
      EXPECT_EQ(equal_f64(a.float64, b.float64), key_of_f64(a.float64) == key_of_f64(b.float64));
    }
  }
  for (const auto& a : test::edge_values(Lane::kInt128)) {
    EXPECT_EQ(int128_of_parts_i64(high_part_i128(a.int128), low_part_i128(a.int128)), a.int128);
    for (const auto& b : test::edge_values(Lane::kInt128)) {
      EXPECT_EQ(a.int128 < b.int128, std::pair(high_part_i128(a.int128), low_part_i128(a.int128)) <
                                         std::pair(high_part_i128(b.int128), low_part_i128(b.int128)));
    }
  }
  EXPECT_LT(descending_i64(kMax), descending_i64(kMin));
}

TEST(Conversion, DoubleToBigintRoundsHalfToEven) {
  EXPECT_EQ(value_of<&bigint_of_f64>(2.5), 2);
  EXPECT_EQ(value_of<&bigint_of_f64>(3.5), 4);
  EXPECT_EQ(value_of<&bigint_of_f64>(-2.5), -2);
  EXPECT_EQ(value_of<&bigint_of_f64>(-0.5), 0);
  EXPECT_EQ(value_of<&bigint_of_f64>(-0.7), -1);
  EXPECT_EQ(value_of<&bigint_of_f64>(4503599627370495.5), 4503599627370496L);
  EXPECT_EQ(value_of<&bigint_of_f64>(-9223372036854775808.0), kMin);
  EXPECT_EQ(error_of<&bigint_of_f64>(9223372036854775808.0), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&bigint_of_f64>(kNan), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(error_of<&bigint_of_i128>(i128{1} << 63), FunctionError::kBigintOutOfRange);
  EXPECT_EQ(value_of<&bigint_of_i128>(-(i128{1} << 63)), kMin);
}

// strtod is correctly rounded, and reads the decimal text of a numeric.
TEST(Conversion, NumericToDoubleIsCorrectlyRounded) {
  std::uint64_t random = 88172645463325252UL;
  const auto next = [&] {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  };
  for (int round = 0; round < 20000; ++round) {
    i128 value = static_cast<i128>(static_cast<u128>(next()) << 64 | next()) >> next() % 127;
    if (value > kLargest || value < -kLargest) value %= kLargest;
    const int scale = static_cast<int>(next() % 39);
    EXPECT_EQ(float64_of_numeric_i128(value, scale), std::strtod(decimal_text(value, scale).c_str(), nullptr))
        << decimal_text(value, scale);
  }
  EXPECT_EQ(float64_of_numeric_i128(1, 38), 1e-38);
  EXPECT_EQ(float64_of_numeric_i128(0, 38), 0.0);
  EXPECT_EQ(float64_of_numeric_i128(kLargest, 0), 1e38);
}

TEST(Conversion, DoubleToNumericTakesFifteenDigits) {
  EXPECT_EQ(value_of<&numeric_of_f64>(0.1, i64{10}), 1000000000);
  EXPECT_EQ(value_of<&numeric_of_f64>(0.1, i64{20}), wide("10000000000000000000"));
  EXPECT_EQ(value_of<&numeric_of_f64>(-2.5, i64{0}), -3);
  EXPECT_EQ(value_of<&numeric_of_f64>(1.005, i64{2}), 101);  // 15 digits make it 1.005 exactly
  EXPECT_EQ(value_of<&numeric_of_f64>(999999999999999.96, i64{2}), wide("100000000000000000"));
  EXPECT_EQ(value_of<&numeric_of_f64>(1234567890123456789.0, i64{0}), wide("1234567890123460000"));
  EXPECT_EQ(value_of<&numeric_of_f64>(5e-11, i64{10}), 1);
  EXPECT_EQ(value_of<&numeric_of_f64>(4.9e-11, i64{10}), 0);
  EXPECT_EQ(value_of<&numeric_of_f64>(5e-324, i64{38}), 0);
  EXPECT_EQ(value_of<&numeric_of_f64>(-0.0, i64{5}), 0);
  EXPECT_EQ(value_of<&numeric_of_f64>(9.99e37, i64{0}), test::ten_to(35) * 999);
  EXPECT_EQ(error_of<&numeric_of_f64>(1e38, i64{0}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&numeric_of_f64>(1e28, i64{10}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&numeric_of_f64>(kNan, i64{10}), FunctionError::kNumericOutOfRange);
  EXPECT_EQ(error_of<&numeric_of_f64>(kInfinity, i64{10}), FunctionError::kNumericOutOfRange);
}

// printf rounds to 15 digits exactly; its digits, read as a decimal at a scale that holds them all, are ours.
TEST(Conversion, DoubleToNumericAgreesWithPrintf) {
  std::uint64_t random = 88172645463325252UL;
  for (int round = 0; round < 20000; ++round) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const int exponent = static_cast<int>(random % 30) - 12;
    const double value = std::ldexp(static_cast<double>(random >> 11), -53) * std::pow(10.0, exponent);
    char text[64];
    std::snprintf(text, sizeof text, "%.14e", value);
    const std::string digits = std::string(text, 1) + std::string(text + 2, 14);
    const int power = std::atoi(text + 17) - 14 + 20;  // at scale 20
    const i128 parsed = wide(digits.c_str());
    const i128 expected = power >= 0 ? parsed * test::ten_to(power) : round_down_scale_i128(parsed, test::ten_to(-power));
    EXPECT_EQ(value_of<&numeric_of_f64>(value, i64{20}), expected) << text;
  }
}

TEST(DateTime, ReadsTheCalendar) {
  EXPECT_EQ(year_of_date_i64(0), 1970);
  EXPECT_EQ(month_of_date_i64(-1), 12);
  EXPECT_EQ(day_of_date_i64(11016), 29);     // 2000-02-29
  EXPECT_EQ(year_of_date_i64(-719528), -1);  // 0000-01-01 is 1 BC
  EXPECT_EQ(year_of_date_i64(-719162), 1);
  EXPECT_EQ(year_of_date_i64(2145042905), 5874897);
  for (i64 day = -1000000; day < 1000000; day += 13) {
    const CivilDate date = civil_of_days(day);
    EXPECT_EQ(days_of_civil(date), day);
    EXPECT_LE(date.day, last_day_of_month(date.year, date.month));
  }
}

TEST(DateTime, AddsMonthsClampingTheDay) {
  const i64 day = 86400000000;
  EXPECT_EQ(value_of<&add_months_i64>(30 * day + 5, i64{1}), 58 * day + 5);  // 1970-01-31 -> 1970-02-28
  EXPECT_EQ(value_of<&add_months_i64>(11016 * day, i64{-12}), 10650 * day);  // 2000-02-29 -> 1999-02-28
  EXPECT_EQ(value_of<&add_months_i64>(11016 * day, i64{48}), 12477 * day);   // 2000-02-29 -> 2004-02-29
  EXPECT_EQ(value_of<&add_months_i64>(i64{-1}, i64{-1}), -31 * day - 1);  // the last microsecond of 1969-12-31 -> of 1969-11-30
  EXPECT_EQ(error_of<&add_months_i64>(i64{0}, i64{12} * 300000), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(error_of<&add_months_i64>(i64{0}, kMin), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(error_of<&add_months_i64>(i64{0}, i64{-12} * 7000), FunctionError::kTimestampOutOfRange);
}

TEST(DateTime, ConvertsWithinTheRange) {
  EXPECT_EQ(date_of_timestamp_i64(-1), -1);
  EXPECT_EQ(date_of_timestamp_i64(-86400000000), -1);
  EXPECT_EQ(value_of<&timestamp_of_date_i64>(i64{106751991}), 106751991 * 86400000000);
  EXPECT_EQ(error_of<&timestamp_of_date_i64>(i64{106751992}), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(error_of<&timestamp_of_date_i64>(i64{-2440589}), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(error_of<&add_microseconds_i64>(kMax, i64{1}), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(error_of<&add_microseconds_i64>(i64{0}, kMin), FunctionError::kTimestampOutOfRange);
  EXPECT_EQ(value_of<&add_microseconds_i64>(kMax, i64{-1}), kMax - 1);
}

TEST(Hash, SpreadsOverRanksAndLowBits) {
  constexpr int kKeys = 30000;
  std::vector<int> ranks(3), slots(64);
  std::set<u64> hashes;
  for (i64 key = 0; key < kKeys; ++key) {
    const u64 hash = hash_finish(hash_part(kHashSeed, key * 4));
    hashes.insert(hash);
    ++ranks.at(static_cast<std::size_t>(partition_of(hash, 3)));
    ++slots[hash % 64];
  }
  EXPECT_EQ(hashes.size(), kKeys);
  for (const int count : ranks) EXPECT_NEAR(count, kKeys / 3, kKeys / 30);
  for (const int count : slots) EXPECT_NEAR(count, kKeys / 64, kKeys / 320);
  EXPECT_EQ(partition_of(~u64{0}, 7), 6);
  EXPECT_EQ(partition_of(0, 7), 0);
  EXPECT_NE(hash_part(hash_part(kHashSeed, 1), 2), hash_part(hash_part(kHashSeed, 2), 1));
}

}  // namespace
}  // namespace saccade
