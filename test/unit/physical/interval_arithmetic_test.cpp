#include "physical/interval_arithmetic.hpp"

#include <gtest/gtest.h>

namespace saccade::physical {
namespace {

TEST(IntervalArithmetic, ProductsCoverAllCornersExhaustively) {
  for (int a = -3; a <= 3; ++a)
    for (int b = a; b <= 3; ++b)
      for (int c = -3; c <= 3; ++c)
        for (int d = c; d <= 3; ++d) {
          int low = 100;
          int high = -100;
          for (int x = a; x <= b; ++x)
            for (int y = c; y <= d; ++y) {
              low = std::min(low, x * y);
              high = std::max(high, x * y);
            }
          EXPECT_EQ(multiply_bounds(Bounds{a, b}, Bounds{c, d}), (Bounds{low, high}));
          EXPECT_EQ(add_bounds(Bounds{a, b}, Bounds{c, d}), (Bounds{a + c, b + d}));
          EXPECT_EQ(subtract_bounds(Bounds{a, b}, Bounds{c, d}), (Bounds{a - d, b - c}));
        }
}

TEST(IntervalArithmetic, RemaindersStayWithin) {
  for (int a = -9; a <= 9; ++a)
    for (int b = -4; b <= 4; ++b) {
      if (b == 0) continue;
      EXPECT_TRUE(within(Bounds{a % b, a % b}, *remainder_bounds(Bounds{a, a}, Bounds{b, b})));
      EXPECT_TRUE(within(Bounds{a / b, a / b}, *quotient_bounds(Bounds{a, a})));
    }
}

TEST(IntervalArithmetic, WhatDoesNotFitIsUnknown) {
  EXPECT_EQ(add_bounds(Bounds{0, kInt128Max}, Bounds{0, 1}), std::nullopt);
  EXPECT_EQ(multiply_bounds(Bounds{kInt128Min, 0}, Bounds{-1, 1}), std::nullopt);
  EXPECT_EQ(negate_bounds(Bounds{kInt128Min, 0}), std::nullopt);
  EXPECT_EQ(add_bounds(std::nullopt, Bounds{0, 1}), std::nullopt);
  EXPECT_FALSE(within(std::nullopt, kInt64Bounds));
}

TEST(IntervalArithmetic, ClampingUnknownGivesTheLimits) {
  EXPECT_EQ(clamp_bounds(std::nullopt, Bounds{1, 2}), (Bounds{1, 2}));
  EXPECT_EQ(clamp_bounds(Bounds{-5, 7}, Bounds{0, 3}), (Bounds{0, 3}));
}

}  // namespace
}  // namespace saccade::physical
