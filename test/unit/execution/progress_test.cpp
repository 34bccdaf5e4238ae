#include "execution/progress.hpp"

#include <gtest/gtest.h>

namespace saccade {
namespace {

TEST(ProgressMeter, WeighsPipelinesByTheirRows) {
  ProgressMeter meter;
  EXPECT_FALSE(meter.read().running);
  meter.start();
  EXPECT_TRUE(meter.read().running);
  EXPECT_EQ(meter.read().fraction, -1);
  meter.start_plan({100, 300});
  meter.start_pipeline(0, -1);
  EXPECT_EQ(meter.read().fraction, 0);
  meter.add_rows(50);
  EXPECT_EQ(meter.read().fraction, 0.125);
  meter.add_rows(50);
  meter.start_pipeline(1, -1);
  EXPECT_EQ(meter.read().fraction, 0.25);
  meter.add_rows(150);
  EXPECT_EQ(meter.read().fraction, 0.625);
  EXPECT_EQ(meter.read().rows, 250);
  meter.finish();
  EXPECT_FALSE(meter.read().running);
}

TEST(ProgressMeter, NeverFallsAndNeverPassesOne) {
  ProgressMeter meter;
  meter.start();
  meter.start_plan({10, 10});
  meter.start_pipeline(0, -1);
  meter.add_rows(1000);
  EXPECT_EQ(meter.read().fraction, 0.5);
  // The second turns out to be much longer than was expected.
  meter.start_pipeline(1, 990);
  EXPECT_EQ(meter.read().fraction, 0.5);
  meter.add_rows(990);
  EXPECT_EQ(meter.read().fraction, 1);
  // Planned again.
  meter.start_plan({10});
  meter.start_pipeline(0, -1);
  EXPECT_EQ(meter.read().fraction, 1);
  meter.start();
  EXPECT_EQ(meter.read().fraction, -1);
  EXPECT_EQ(meter.read().rows, 0);
}

TEST(ProgressMeter, EmptyPipelinesCountAsOneRow) {
  ProgressMeter meter;
  meter.start();
  meter.start_plan({0, 0});
  meter.start_pipeline(0, 0);
  EXPECT_EQ(meter.read().fraction, 0);
  meter.start_pipeline(1, 0);
  EXPECT_EQ(meter.read().fraction, 0.5);
}

}  // namespace
}  // namespace saccade
