#include "topology/probe.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace saccade {
namespace {

TEST(Probe, MeasuresAPositiveBandwidth) {
  for (const int threads : {1, 2, 3}) EXPECT_GT(measure_memory_bandwidth(threads, 1 << 20), 0);
  EXPECT_THROW(measure_memory_bandwidth(0), Error);
}

TEST(Topology, SpreadsRanksEvenly) {
  EXPECT_EQ(default_topology(8, 2).machines, 2);
  EXPECT_EQ(default_topology(3).ranks, 3);
  EXPECT_THROW(default_topology(3, 2), Error);
}

}  // namespace
}  // namespace saccade
