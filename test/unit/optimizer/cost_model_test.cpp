#include "optimizer/cost_model.hpp"

#include <gtest/gtest.h>

namespace saccade {
namespace {

Topology cluster(int machines) {
  Topology topology;
  topology.machines = machines;
  topology.ranks = machines * 8;
  topology.rank_link_inside = 450e9;
  topology.rank_link_outside = 50e9;
  return topology;
}

// The choice turns exactly where |S| / |R| passes the threshold.
void expect_threshold(int machines, double threshold) {
  const double r = 1e9;
  EXPECT_EQ(choose_exchange(cluster(machines), r, r * threshold * 1.0001), ExchangeChoice::kBroadcast) << machines;
  EXPECT_EQ(choose_exchange(cluster(machines), r, r * threshold * 0.9999), ExchangeChoice::kShuffle) << machines;
}

TEST(CostModel, ThresholdsOfEightGpusAMachine) {
  expect_threshold(1, 7);
  expect_threshold(2, 2.75);
  expect_threshold(3, 3.3125);
  expect_threshold(4, 25.0 / 6);
  expect_threshold(5, 5.09375);
}

TEST(CostModel, TimesFollowFromBytesAndLinks) {
  // One machine: N/(N-1) * 450 GB/s of broadcast, N^2/(N-1) * 450 GB/s of shuffle.
  EXPECT_DOUBLE_EQ(broadcast_seconds(cluster(1), 8e9), 8e9 * 7 / (8 * 450e9));
  EXPECT_DOUBLE_EQ(shuffle_seconds(cluster(1), 8e9, 56e9), 64e9 * 7 / (64 * 450e9));
  // Two machines of 400 GB/s each: V^2/(V-1) * 400 GB/s of shuffle.
  EXPECT_DOUBLE_EQ(shuffle_seconds(cluster(2), 8e9, 8e9), 16e9 / (4 * 400e9));
  EXPECT_DOUBLE_EQ(broadcast_seconds(cluster(2), 8e9), 8e9 * 15 / (16 * 400e9));
}

TEST(CostModel, OneRankExchangesNothing) {
  EXPECT_EQ(broadcast_seconds(Topology{}, 1e9), 0);
  EXPECT_EQ(shuffle_seconds(Topology{}, 1e9, 1e9), 0);
}

}  // namespace
}  // namespace saccade
