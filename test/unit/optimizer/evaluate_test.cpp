#include "optimizer/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

std::string text_of(const std::optional<Value>& value) {
  return value ? to_string(*value) : "(not folded)";
}

std::string cast_text(const char* from, DataType to) {
  return text_of(cast_value({kText, std::string(from)}, to));
}

Expression real(double value) {
  return literal_expression({kDouble, value});
}
Expression interval(const char* value) {
  return literal_expression({kInterval, parse_interval(value)});
}
Expression timestamp(const char* value) {
  return literal_expression({kTimestamp, int128{parse_timestamp(value)}});
}

TEST(Evaluate, IntegersKeepTheirRange) {
  EXPECT_EQ(text_of(evaluate(call(Operation::kDivide, kInteger, {integer(-7), integer(2)}))), "-3");
  EXPECT_EQ(text_of(evaluate(call(Operation::kModulo, kInteger, {integer(-7), integer(3)}))), "-1");
  EXPECT_FALSE(evaluate(call(Operation::kAdd, kInteger, {integer(2147483647), integer(1)})));
  EXPECT_FALSE(evaluate(call(Operation::kDivide, kInteger, {integer(1), integer(0)})));
  EXPECT_FALSE(evaluate(call(Operation::kNegate, kInteger, {integer(-2147483648)})));
  EXPECT_EQ(text_of(evaluate(call(Operation::kNegate, kInteger, {integer(5)}))), "-5");
}

TEST(Evaluate, NumericsFollowTheirScales) {
  const auto scale = [](int s) { return DataType::numeric(38, s); };
  EXPECT_EQ(text_of(evaluate(call(Operation::kAdd, scale(3), {numeric(15, 1), numeric(125, 3)}))), "1.625");
  EXPECT_EQ(text_of(evaluate(call(Operation::kMultiply, scale(4), {numeric(15, 1), numeric(125, 3)}))), "0.1875");
  EXPECT_EQ(text_of(evaluate(call(Operation::kMultiply, scale(2), {numeric(15, 1), numeric(125, 3)}))), "0.19");
  EXPECT_EQ(text_of(evaluate(call(Operation::kDivide, scale(16), {numeric(1, 0), numeric(3, 0)}))), "0.3333333333333333");
  EXPECT_EQ(text_of(evaluate(call(Operation::kModulo, scale(2), {numeric(-55, 1), numeric(200, 2)}))), "-1.50");
  EXPECT_FALSE(evaluate(call(Operation::kDivide, scale(16), {numeric(1, 0), numeric(0, 3)})));
}

TEST(Evaluate, FloatsRaiseAsPostgresDoes) {
  EXPECT_EQ(text_of(evaluate(call(Operation::kAdd, kDouble, {real(0.5), real(1)}))), "1.5");
  EXPECT_FALSE(evaluate(call(Operation::kMultiply, kDouble, {real(1e200), real(1e200)})));
  EXPECT_FALSE(evaluate(call(Operation::kDivide, kDouble, {real(1), real(0)})));
  EXPECT_EQ(text_of(evaluate(equal(real(NAN), real(NAN)))), "t");
  EXPECT_EQ(text_of(evaluate(compare(Operation::kGreater, real(NAN), real(INFINITY)))), "t");
}

TEST(Evaluate, DatesAndIntervals) {
  EXPECT_EQ(text_of(evaluate(call(Operation::kAdd, kTimestamp, {date("2024-01-31"), interval("1 month")}))),
            "2024-02-29 00:00:00");
  EXPECT_EQ(text_of(evaluate(call(Operation::kSubtract, kTimestamp, {date("1998-12-01"), interval("90 days")}))),
            "1998-09-02 00:00:00");
  EXPECT_EQ(
      text_of(evaluate(call(Operation::kAdd, kTimestamp, {interval("1 day 02:00:00"), timestamp("2000-02-28 23:00:00")}))),
      "2000-03-01 01:00:00");
  EXPECT_EQ(text_of(evaluate(call(Operation::kAdd, kDate, {date("2024-02-28"), integer(2)}))), "2024-03-01");
  EXPECT_EQ(text_of(evaluate(call(Operation::kSubtract, kInteger, {date("2024-03-01"), date("2024-02-01")}))), "29");
  Expression year = call(Operation::kExtract, DataType::numeric(4, 0), {date("1995-06-17")});
  year.name = "year";
  EXPECT_EQ(text_of(evaluate(year)), "1995");
}

TEST(Evaluate, CastsOfText) {
  EXPECT_EQ(cast_text(" 42 ", kInteger), "42");
  EXPECT_EQ(cast_text("2147483648", kInteger), "(not folded)");
  EXPECT_EQ(cast_text("4x", kInteger), "(not folded)");
  EXPECT_EQ(cast_text("-1.005", DataType::numeric(4, 2)), "-1.01");
  EXPECT_EQ(cast_text("123.4", DataType::numeric(4, 2)), "(not folded)");
  EXPECT_EQ(cast_text("1e3", kDouble), "1000");
  EXPECT_EQ(cast_text("-Infinity", kDouble), "-Infinity");
  EXPECT_EQ(cast_text("0x10", kDouble), "(not folded)");
  EXPECT_EQ(cast_text("1996-02-29", kDate), "1996-02-29");
  EXPECT_EQ(cast_text("1995-02-29", kDate), "(not folded)");
  EXPECT_EQ(cast_text("yes", kBoolean), "t");
  EXPECT_EQ(cast_text("o", kBoolean), "(not folded)");
}

TEST(Evaluate, CastsOfNumbers) {
  EXPECT_EQ(text_of(cast_value({kDouble, 2.5}, kInteger)), "2");
  EXPECT_EQ(text_of(cast_value({DataType::numeric(2, 1), int128{25}}, kInteger)), "3");
  EXPECT_EQ(text_of(cast_value({DataType::numeric(2, 1), int128{-25}}, DataType::numeric(5, 0))), "-3");
  EXPECT_EQ(text_of(cast_value({kInteger, int128{7}}, DataType::numeric(12, 2))), "7.00");
  EXPECT_EQ(text_of(cast_value({kDouble, 0.1}, DataType::numeric(38, 10))), "0.1000000000");
  EXPECT_FALSE(cast_value({kBigint, int128{70000}}, {TypeKind::kSmallint}));
  EXPECT_EQ(text_of(cast_value({kBoolean, true}, kText)), "true");
  EXPECT_EQ(text_of(cast_value({kTimestamp, int128{-1}}, kDate)), "1969-12-31");
}

}  // namespace
}  // namespace saccade
