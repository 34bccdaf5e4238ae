// Which side of a join builds, what ranks exchange for each kind, and what a GPU lacks.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/error.hpp"
#include "physical/device_support.hpp"
#include "physical/planner.hpp"
#include "physical/serialize.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade::physical {
namespace {

using namespace test;

PlannerOptions on_ranks(int ranks) {
  PlannerOptions options;
  options.topology.ranks = ranks;
  return options;
}

std::vector<const Probe*> probes_of(const Plan& plan) {
  std::vector<const Probe*> probes;
  for (const Pipeline& pipeline : plan.pipelines) {
    for (const Step& step : pipeline.steps) {
      if (const auto* probe = std::get_if<Probe>(&step)) probes.push_back(probe);
    }
  }
  return probes;
}

int exchanges_of(const Plan& plan, Exchange::Kind kind) {
  return static_cast<int>(std::count_if(plan.pipelines.begin(), plan.pipelines.end(), [&](const Pipeline& pipeline) {
    const auto* exchange = std::get_if<Exchange>(&pipeline.sink);
    return exchange != nullptr && exchange->kind == kind;
  }));
}

template <class T>
bool has_source(const Plan& plan) {
  return std::any_of(plan.pipelines.begin(), plan.pipelines.end(),
                     [](const Pipeline& pipeline) { return std::holds_alternative<T>(pipeline.source); });
}

// Without its text, which a GPU takes as a dictionary only.
std::shared_ptr<Table> plain_customer() {
  std::vector<ColumnInfo> columns = customer()->columns();
  std::erase_if(columns, [](const ColumnInfo& column) { return column.type == kText; });
  return std::make_shared<FakeTable>("customer", 150000, std::move(columns));
}

// Customers and orders, or the other way round.
Plan customers_and_orders(JoinKind kind, bool customers_left, const PlannerOptions& options) {
  PlanWriter w;
  LogicalNode left = customers_left ? w.scan(plain_customer()) : w.scan(orders());
  LogicalNode right = customers_left ? w.scan(orders()) : w.scan(plain_customer());
  LogicalNode node = w.join(std::move(left), std::move(right), {equal(w.column("c_custkey"), w.column("o_custkey"))}, kind);
  const LogicalPlan logical = w.finish(std::move(node), {customers_left ? "c_nationkey" : "o_orderdate"});
  const Plan plan = plan_query(logical, options).plan;
  EXPECT_EQ(parse_plan(serialize(plan)), plan);
  return plan;
}

TEST(PlanJoin, TheSmallerSideBuilds) {
  for (const JoinKind kind : {JoinKind::kLeft, JoinKind::kSemi, JoinKind::kAnti}) {
    const Plan large_left = customers_and_orders(kind, false, on_ranks(1));
    EXPECT_FALSE(has_source<BuildScan>(large_left));
    const Plan small_left = customers_and_orders(kind, true, on_ranks(1));
    EXPECT_TRUE(has_source<BuildScan>(small_left));
    EXPECT_EQ(has_source<Concatenation>(small_left), kind == JoinKind::kLeft);
    EXPECT_EQ(probes_of(small_left).at(0)->kind, kind == JoinKind::kLeft ? ProbeKind::kInner : ProbeKind::kTrack);
  }
}

TEST(PlanJoin, BuildsOfSemiJoinsKeepOneRowAKey) {
  const Plan plan = customers_and_orders(JoinKind::kSemi, false, on_ranks(1));
  const auto& build = std::get<JoinBuild>(plan.pipelines.at(0).sink);
  EXPECT_TRUE(build.distinct);
  EXPECT_EQ(build.layout, JoinBuild::Layout::kDense);
  EXPECT_TRUE(build.payload.empty());
}

// A build that is scanned for its unmatched rows must not stand on several ranks.
TEST(PlanJoin, TrackedBuildsAreNeverBroadcast) {
  for (const JoinKind kind : {JoinKind::kLeft, JoinKind::kFull, JoinKind::kSemi, JoinKind::kAnti}) {
    for (const bool customers_left : {false, true}) {
      const Plan plan = customers_and_orders(kind, customers_left, on_ranks(3));
      if (!has_source<BuildScan>(plan)) continue;
      EXPECT_EQ(exchanges_of(plan, Exchange::Kind::kBroadcast), 0);
      EXPECT_EQ(exchanges_of(plan, Exchange::Kind::kShuffle), 2);
    }
  }
}

TEST(PlanJoin, AFullJoinWithoutKeysIsDoneOnOneRank) {
  PlanWriter w;
  LogicalNode left = w.scan(plain_customer()), right = w.scan(orders());
  const Expression condition = compare(Operation::kLess, w.column("c_custkey"), w.column("o_custkey"));
  LogicalNode node = w.join(std::move(left), std::move(right), {condition}, JoinKind::kFull);
  const Plan plan = plan_query(w.finish(std::move(node), {"c_nationkey"}), on_ranks(2)).plan;
  EXPECT_EQ(exchanges_of(plan, Exchange::Kind::kGather), 2);
  EXPECT_EQ(exchanges_of(plan, Exchange::Kind::kBroadcast), 0);
}

TEST(PlanJoin, EveryKindRunsOnAGpu) {
  PlannerOptions options = on_ranks(1);
  options.gpu = true;
  for (const JoinKind kind : {JoinKind::kInner, JoinKind::kLeft, JoinKind::kFull, JoinKind::kSemi, JoinKind::kAnti}) {
    for (const bool customers_left : {false, true}) {
      const Plan plan = customers_and_orders(kind, customers_left, options);
      for (const Pipeline& pipeline : plan.pipelines) EXPECT_EQ(gpu_lacks(plan, pipeline), "");
    }
  }
}

TEST(PlanJoin, WhatAGpuLacksRunsOnTheHostIfAllowed) {
  PlannerOptions options = on_ranks(1);
  options.gpu = true;
  Plan plan = customers_and_orders(JoinKind::kInner, false, options);
  const auto probes = [](const Pipeline& pipeline) {
    return std::any_of(pipeline.steps.begin(), pipeline.steps.end(),
                       [](const Step& step) { return std::holds_alternative<Probe>(step); });
  };
  const auto probing = std::find_if(plan.pipelines.begin(), plan.pipelines.end(), probes);
  ASSERT_NE(probing, plan.pipelines.end());
  EXPECT_EQ(probing->placement, Placement::kDevice);
  // A build on the host takes no scan with it unasked.
  Plan constant = plan;
  const auto builder = std::find_if(constant.pipelines.begin(), constant.pipelines.end(),
                                    [](const Pipeline& pipeline) { return std::holds_alternative<JoinBuild>(pipeline.sink); });
  ASSERT_NE(builder, constant.pipelines.end());
  builder->source = ValueRows{};
  builder->placement = Placement::kHost;
  Plan allowed = constant;
  EXPECT_THROW(place_for_gpu(constant, false), Error);
  place_for_gpu(allowed, true);
  EXPECT_EQ(allowed.pipelines[static_cast<std::size_t>(probing->id)].placement, Placement::kHost);
  probing->sink = Window{};
  EXPECT_THROW(place_for_gpu(plan, false), Error);
  place_for_gpu(plan, true);
  EXPECT_EQ(probing->placement, Placement::kHost);
  // The build lies where it is probed.
  const int build = std::get<Probe>(*std::find_if(probing->steps.begin(), probing->steps.end(), [](const Step& step) {
                      return std::holds_alternative<Probe>(step);
                    })).build;
  EXPECT_EQ(plan.pipelines[static_cast<std::size_t>(build)].placement, Placement::kHost);
}

}  // namespace
}  // namespace saccade::physical
