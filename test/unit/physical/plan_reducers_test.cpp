// Run-time filters: which rows the build of a join drops early, and past which operators no filter goes.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "physical/planner.hpp"
#include "physical/serialize.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade::physical {
namespace {

using namespace test;

// Few customers, and the latest orders of each customer's: what the tests join in their own ways.
struct Sides {
  PlanWriter w;
  Expression few_key, group, latest;

  LogicalNode few(bool nullable = false, double share = 0.04) {
    ColumnInfo key = fake_column("c_custkey", kBigint, 1, 150000, 150000);
    key.statistics.may_be_null = nullable;
    ColumnInfo nation = fake_column("c_nationkey", kInteger, 0, 24, 1 / share);
    LogicalNode node = w.scan(std::make_shared<FakeTable>("customer", 150000, std::vector{key, nation}));
    few_key = w.column("c_custkey");
    return w.filter({equal(w.column("c_nationkey"), integer(3))}, std::move(node));
  }

  LogicalNode sums() { return sums_of(w.scan(orders())); }
  LogicalNode sums_of(LogicalNode node) {
    group = w.column("o_custkey");
    node = w.aggregate({group}, {{"latest", AggregateKind::kMax, kBigint, {w.column("o_orderkey")}}}, std::move(node));
    group = w.column("o_custkey");
    latest = w.column("latest");
    return node;
  }

  LogicalNode joined(LogicalNode left, LogicalNode right, JoinKind kind = JoinKind::kInner) {
    return w.join(std::move(left), std::move(right), {equal(group, few_key)}, kind);
  }

  Plan plan(LogicalNode root, const PlannerOptions& options = {}) {
    const std::string result = w.plan.names.at(static_cast<std::size_t>(output_columns(root).front()));
    const Plan made = plan_query(w.finish(std::move(root), {result}), options).plan;
    EXPECT_EQ(parse_plan(serialize(made)), made);
    return made;
  }
};

// The tables whose rows are filtered, in their pipelines' order.
std::string filtered(const Plan& plan) {
  std::string tables;
  for (const Pipeline& pipeline : plan.pipelines) {
    for (const Step& step : pipeline.steps) {
      const auto* probe = std::get_if<Probe>(&step);
      if (probe == nullptr || probe->text.find("run-time filter") == std::string::npos) continue;
      EXPECT_EQ(probe->kind, ProbeKind::kSemi);
      EXPECT_LT(probe->build, pipeline.id);
      const auto& build = std::get<JoinBuild>(plan.pipelines.at(static_cast<std::size_t>(probe->build)).sink);
      EXPECT_EQ(probe->keys.size(), build.keys.size());
      tables += (tables.empty() ? "" : " ") + std::get<TableScan>(pipeline.source).table;
    }
  }
  return tables;
}

TEST(PlanReducers, ABuildFiltersWhatIsAggregatedForItsProbe) {
  Sides s;
  LogicalNode sums = s.sums();
  const LogicalNode root = s.joined(std::move(sums), s.few());
  EXPECT_EQ(filtered(s.plan(root)), "orders");
  // A rank has its share of the build only, and a GPU no semi join.
  PlannerOptions ranks, gpu;
  ranks.topology.ranks = 2;
  gpu.gpu = true;
  EXPECT_EQ(filtered(s.plan(root, ranks)), "");
  EXPECT_EQ(filtered(s.plan(root, gpu)), "");
}

TEST(PlanReducers, ABuildOfManyKeysFiltersNothing) {
  Sides s;
  LogicalNode sums = s.sums();
  EXPECT_EQ(filtered(s.plan(s.joined(std::move(sums), s.few(false, 0.5)))), "");
}

TEST(PlanReducers, AnAggregateOfTheKeyIsNotItsGroup) {
  Sides s;
  LogicalNode sums = s.sums();
  s.group = s.latest;
  EXPECT_EQ(filtered(s.plan(s.joined(std::move(sums), s.few()))), "");
}

TEST(PlanReducers, NoFilterPassesALimitOrAWindow) {
  Sides limited;
  LogicalNode sums = limited.sums();
  EXPECT_EQ(filtered(limited.plan(limited.joined(limited.w.limit(100000, std::move(sums)), limited.few()))), "");
  Sides below;
  sums = below.sums_of(below.w.limit(1000000, below.w.scan(orders())));
  EXPECT_EQ(filtered(below.plan(below.joined(std::move(sums), below.few()))), "");
  Sides windowed;
  LogicalNode window;
  window.kind = LogicalKind::kWindow;
  window.children.push_back(windowed.sums());
  WindowCall call;
  call.kind = WindowKind::kRowNumber;
  call.type = kBigint;
  call.output = windowed.w.plan.add_column("row_number", kBigint);
  window.window_calls.push_back(std::move(call));
  EXPECT_EQ(filtered(windowed.plan(windowed.joined(std::move(window), windowed.few()))), "");
}

// Rows without a match matter where the join puts them out.
TEST(PlanReducers, RowsThatAJoinKeepsAreNotFiltered) {
  for (const JoinKind kind : {JoinKind::kLeft, JoinKind::kFull, JoinKind::kAnti, JoinKind::kMark}) {
    Sides s;
    LogicalNode sums = s.sums();
    LogicalNode root = s.joined(std::move(sums), s.few(), kind);
    if (kind == JoinKind::kMark) root.mark = s.w.plan.add_column("mark", kBoolean);
    EXPECT_EQ(filtered(s.plan(std::move(root))), "") << static_cast<int>(kind);
  }
}

// Where the left side builds, rows of the right matter only where they match.
TEST(PlanReducers, WhatProbesForTheLeftSideIsFiltered) {
  for (const JoinKind kind : {JoinKind::kLeft, JoinKind::kFull, JoinKind::kSemi, JoinKind::kAnti}) {
    Sides s;
    LogicalNode few = s.few();
    const LogicalNode root = s.joined(std::move(few), s.sums(), kind);
    EXPECT_EQ(filtered(s.plan(root)), kind == JoinKind::kFull ? "" : "orders") << static_cast<int>(kind);
  }
}

// The build then has a part of its key that tells of NULL, which a filter has not.
TEST(PlanReducers, ABuildThatKeepsNullsFiltersNothing) {
  for (const JoinKind kind : {JoinKind::kLeft, JoinKind::kSemi, JoinKind::kAnti}) {
    Sides s;
    LogicalNode few = s.few(true);
    EXPECT_EQ(filtered(s.plan(s.joined(std::move(few), s.sums(), kind))), "") << static_cast<int>(kind);
  }
}

TEST(PlanReducers, KeysThatTakeNullForEqualFilterNothing) {
  Sides s;
  LogicalNode sums = s.sums();
  LogicalNode few = s.few();
  const Expression same = not_distinct(s.group, s.few_key);
  EXPECT_EQ(filtered(s.plan(s.w.join(std::move(sums), std::move(few), {same}))), "");
}

// Below an outer join lies a filter of the side that it keeps; one of the other side would put out NULLs instead.
TEST(PlanReducers, AFilterPassesAnOuterJoinToTheSideThatIsKept) {
  for (const bool keeps_sums : {true, false}) {
    Sides s;
    const auto other =
        std::make_shared<FakeTable>("other", 2000000, std::vector{fake_column("key", kBigint, 1, 200000, 200000)});
    LogicalNode sums = s.sums();
    LogicalNode others = s.w.scan(other);
    const Expression condition = equal(s.group, s.w.column("key"));
    LogicalNode outer = keeps_sums ? s.w.join(std::move(sums), std::move(others), {condition}, JoinKind::kLeft)
                                   : s.w.join(std::move(others), std::move(sums), {condition}, JoinKind::kLeft);
    EXPECT_EQ(filtered(s.plan(s.joined(std::move(outer), s.few()))), keeps_sums ? "orders" : "");
  }
}

TEST(PlanReducers, ASemiJoinThatDropsAsMuchIsFilterEnough) {
  Sides s;
  LogicalNode sums;
  {
    LogicalNode scan = s.w.scan(orders());
    const Expression key = s.w.column("o_custkey");
    LogicalNode few = s.few();
    sums = s.sums_of(s.w.join(std::move(scan), std::move(few), {equal(key, s.few_key)}, JoinKind::kSemi));
  }
  EXPECT_EQ(filtered(s.plan(s.joined(std::move(sums), s.few()))), "");
}

}  // namespace
}  // namespace saccade::physical
