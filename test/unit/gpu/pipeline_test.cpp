// Whole pipelines through the shim against a row by row evaluation.
#include <gtest/gtest.h>

#include "unit/gpu/device_run.hpp"
#include "unit/gpu/tpch_plans.hpp"

namespace saccade::test {
namespace {

TEST(Pipeline, SumOverFilter) {
  const auto table = lineitem_table(5000, {1000, 3000, 1, 999});
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_as_reference(q6_plan(*table), {{"lineitem", table}}, seed);
}

TEST(Pipeline, SumOverNoRows) {
  const auto table = lineitem_table(0, {});
  expect_as_reference(q6_plan(*table), {{"lineitem", table}});
  expect_as_reference(q1_plan(*table), {{"lineitem", table}});
}

TEST(Pipeline, WarmRunUploadsAndAllocatesNothing) {
  const auto table = lineitem_table(5000, {2500, 2500});
  const physical::Plan plan = q6_plan(*table);
  DeviceRun run;
  run.run(plan, {{"lineitem", table}});
  const int loads = table->loads;
  run.run(plan, {{"lineitem", table}});
  EXPECT_EQ(table->loads, loads);
  EXPECT_EQ(run.profiles[0].allocations, 0);
  EXPECT_EQ(run.profiles[0].compilations, 0);
  EXPECT_EQ(run.profiles[0].launches, 1);
  EXPECT_EQ(run.profiles[0].synchronisations, 1);
  EXPECT_EQ(run.profiles[0].rows_in, 5000);
  EXPECT_EQ(run.profiles[0].bytes, 5000 * 9);
}

TEST(Pipeline, FewGroups) {
  const auto table = lineitem_table(4000, {1500, 2500});
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_as_reference(q1_plan(*table), {{"lineitem", table}}, seed);
}

TEST(Pipeline, DenseJoinsAndAggregationByBuildRow) {
  const auto customer = customer_table(150);
  const auto orders = orders_table(1500, 150);
  const auto lineitem = lineitem_table(6000, {2000, 4000});
  const physical::Plan plan = q3_plan(*customer, *orders, *lineitem);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    expect_as_reference(plan, {{"customer", customer}, {"orders", orders}, {"lineitem", lineitem}}, seed);
  }
}

TEST(Pipeline, Q3TakesFewLaunchesAndWaits) {
  const auto customer = customer_table(150);
  const auto orders = orders_table(1500, 150);
  const auto lineitem = lineitem_table(6000, {2000, 4000});
  const physical::Plan plan = q3_plan(*customer, *orders, *lineitem);
  DeviceRun run;
  for (int i = 0; i < 2; ++i) run.run(plan, {{"customer", customer}, {"orders", orders}, {"lineitem", lineitem}});
  int launches = 0, synchronisations = 0, allocations = 0;
  for (const PipelineProfile& profile : run.profiles) {
    launches += profile.launches;
    synchronisations += profile.synchronisations;
    allocations += profile.allocations;
  }
  EXPECT_LT(launches, 30);
  EXPECT_LT(synchronisations, 8);
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace saccade::test
