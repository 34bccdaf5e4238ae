// Physical plans of Q3- and Q6-shaped queries on one rank and on several: layouts, lanes, placements, exchanges.
#include "physical/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "physical/explain.hpp"
#include "physical/serialize.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade::physical {
namespace {

using namespace test;

std::shared_ptr<Table> customer_with_dictionary() {
  ColumnInfo segment = fake_column("c_mktsegment", kText, 0, 2, 3);
  segment.dictionary = Dictionary::from_strings({"AUTOMOBILE", "BUILDING", "MACHINERY"});
  segment.encoding = {Form::kDictionary, 1};
  return std::make_shared<FakeTable>(
      "customer", 150000, std::vector{fake_column("c_custkey", kBigint, 1, 150000, 150000, Uniqueness::kPossible), segment});
}

Expression discounted(const PlanWriter& writer) {
  const Expression one = numeric(100, 2);
  return call(Operation::kMultiply, DataType::numeric(32, 4),
              {writer.column("l_extendedprice"),
               call(Operation::kSubtract, DataType::numeric(16, 2), {one, writer.column("l_discount")})});
}

LogicalPlan q3() {
  PlanWriter w;
  LogicalNode customers = w.scan(customer_with_dictionary());
  customers = w.filter({equal(w.column("c_mktsegment"), text("BUILDING"))}, std::move(customers));
  LogicalNode node = w.join(w.scan(orders()), std::move(customers), {});
  node.conjuncts = {equal(w.column("o_custkey"), w.column("c_custkey"))};
  node = w.join(w.scan(lineitem()), std::move(node), {});
  node.conjuncts = {equal(w.column("l_orderkey"), w.column("o_orderkey"))};
  node = w.aggregate({w.column("l_orderkey"), w.column("o_orderdate")},
                     {{"revenue", AggregateKind::kSum, DataType::numeric(38, 4), {discounted(w)}}}, std::move(node));
  node = w.sort({{w.column("revenue"), true}, {w.column("o_orderdate"), false}}, std::move(node));
  return w.finish(w.limit(10, std::move(node)), {"l_orderkey", "revenue", "o_orderdate"});
}

PlannerOptions on_ranks(int ranks) {
  PlannerOptions options;
  options.topology.ranks = ranks;
  return options;
}

template <class T>
int count_sinks(const Plan& plan) {
  return static_cast<int>(std::count_if(plan.pipelines.begin(), plan.pipelines.end(),
                                        [](const Pipeline& p) { return std::holds_alternative<T>(p.sink); }));
}

TEST(Planner, Q3IsTwoDenseBuildsAndAnAggregateByBuildRow) {
  const LogicalPlan logical = q3();
  const Plan plan = plan_query(logical, on_ranks(1)).plan;
  ASSERT_EQ(plan.pipelines.size(), 5U);
  for (const int build : {0, 1}) {
    const auto& sink = std::get<JoinBuild>(plan.pipelines[static_cast<std::size_t>(build)].sink);
    EXPECT_EQ(sink.layout, JoinBuild::Layout::kDense);
    EXPECT_TRUE(sink.unique);
  }
  const auto& aggregation = std::get<Aggregation>(plan.pipelines[2].sink);
  EXPECT_EQ(aggregation.layout, Aggregation::Layout::kBuildRow);
  EXPECT_EQ(aggregation.build, 1);
  // Prices and 1 - discount are positive, so the sum itself tells which groups have a row: no count is kept.
  ASSERT_EQ(aggregation.aggregates.size(), 1U);
  EXPECT_EQ(aggregation.presence, 0);
  EXPECT_EQ(aggregation.aggregates[0].state, Lane::kInt64);
  EXPECT_EQ(plan.pipelines[2].placement, Placement::kDevice);
  EXPECT_EQ(std::get<Sort>(plan.pipelines[3].sink).limit, 10);
  EXPECT_EQ(plan.pipelines[3].placement, Placement::kHost);
}

TEST(Planner, RefutedUniquenessGivesHashJoinsAndGroups) {
  PlannerOptions options = on_ranks(1);
  options.refuted = {{"orders", 0}};
  const LogicalPlan logical = q3();
  const Plan plan = plan_query(logical, options).plan;
  const auto& build = std::get<JoinBuild>(plan.pipelines[1].sink);
  EXPECT_FALSE(build.unique);
  EXPECT_EQ(build.layout, JoinBuild::Layout::kHash);
  const auto& aggregation = std::get<Aggregation>(plan.pipelines[2].sink);
  EXPECT_EQ(aggregation.layout, Aggregation::Layout::kHash);
  // A line may now meet up to 1.5 million orders: 64 bits are no longer proven.
  EXPECT_EQ(aggregation.aggregates[0].state, Lane::kInt128);
}

TEST(Planner, RanksBroadcastSmallBuildsAndGatherGroups) {
  const LogicalPlan logical = q3();
  const Plan plan = plan_query(logical, on_ranks(3)).plan;
  EXPECT_EQ(plan.ranks, 3);
  EXPECT_EQ(count_sinks<Aggregation>(plan), 2);  // partial and final
  int broadcasts = 0;
  for (const Pipeline& pipeline : plan.pipelines) {
    const auto* exchange = std::get_if<Exchange>(&pipeline.sink);
    if (exchange == nullptr || exchange->kind != Exchange::Kind::kBroadcast) continue;
    ++broadcasts;
    EXPECT_LE(exchange->broadcast_seconds, exchange->shuffle_seconds);
  }
  EXPECT_EQ(broadcasts, 2);
}

TEST(Planner, ShufflesBothSidesWhereTheBuildIsAsLargeAsTheProbe) {
  PlanWriter w;
  LogicalNode probe = w.scan(orders());
  const Expression probe_key = w.column("o_orderkey");
  const Expression probe_date = w.column("o_orderdate");
  LogicalNode build = w.scan(orders());
  LogicalNode node = w.join(std::move(probe), std::move(build), {equal(probe_key, w.column("o_orderkey"))});
  node = w.aggregate({}, {{"latest", AggregateKind::kMax, kDate, {probe_date}}}, std::move(node));
  const LogicalPlan logical = w.finish(std::move(node), {"latest"});
  const Plan plan = plan_query(logical, on_ranks(4)).plan;
  int shuffles = 0;
  for (const Pipeline& pipeline : plan.pipelines) {
    const auto* exchange = std::get_if<Exchange>(&pipeline.sink);
    if (exchange == nullptr || exchange->kind != Exchange::Kind::kShuffle) continue;
    ++shuffles;
    EXPECT_EQ(exchange->keys.size(), 1U);
  }
  EXPECT_EQ(shuffles, 2);
}

TEST(Planner, NoPipelineReadsALaterOne) {
  const LogicalPlan logical = q3();
  for (const int ranks : {1, 2, 5}) {
    for (const Pipeline& pipeline : plan_query(logical, on_ranks(ranks)).plan.pipelines) {
      for (const int source : dependencies(pipeline)) EXPECT_LT(source, pipeline.id);
    }
  }
}

TEST(Planner, SerialisedPlansAreReadBackEqual) {
  const LogicalPlan logical = q3();
  for (const int ranks : {1, 3}) {
    const Plan plan = plan_query(logical, on_ranks(ranks)).plan;
    const std::string text = serialize(plan);
    EXPECT_EQ(parse_plan(text), plan);
    EXPECT_EQ(serialize(parse_plan(text)), text);
  }
}

TEST(Planner, DamagedPlanTextIsAnError) {
  const LogicalPlan logical = q3();
  const std::string text = serialize(plan_query(logical, on_ranks(1)).plan);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 1})
    EXPECT_THROW(parse_plan(text.substr(0, length)), Error);
  EXPECT_THROW(parse_plan("{\"pipelines\": 1}"), Error);
}

TEST(Planner, ConstantsDoNotChangeThePlanBeyondLiterals) {
  const auto with_limit_on_discount = [](std::int64_t discount) {
    PlanWriter w;
    LogicalNode node = w.scan(lineitem());
    node = w.filter({compare(Operation::kLess, w.column("l_discount"), numeric(discount, 2))}, std::move(node));
    node = w.aggregate({}, {{"n", AggregateKind::kCountStar, kBigint, {}}}, std::move(node));
    const LogicalPlan logical = w.finish(std::move(node), {"n"});
    return plan_query(logical, on_ranks(1)).plan;
  };
  Plan a = with_limit_on_discount(3);
  const Plan b = with_limit_on_discount(7);
  EXPECT_NE(a, b);
  EXPECT_EQ(std::get<Filter>(a.pipelines[0].steps[0]).predicate, std::get<Filter>(b.pipelines[0].steps[0]).predicate);
  EXPECT_EQ(std::get<TableScan>(a.pipelines[0].source).skip[0].bounds.high, 2);
}

TEST(Planner, JoinWithoutAnEqualityKeepsAllRowsOfOneSide) {
  PlanWriter w;
  LogicalNode node = w.join(w.scan(orders()), w.scan(customer_with_dictionary()));
  const LogicalPlan logical = w.finish(std::move(node), {"o_orderkey"});
  const Plan plan = plan_query(logical, on_ranks(1)).plan;
  const auto& build = std::get<JoinBuild>(plan.pipelines.at(0).sink);
  EXPECT_EQ(build.layout, JoinBuild::Layout::kAllRows);
  EXPECT_TRUE(build.keys.empty());
  EXPECT_EQ(std::get<Probe>(plan.pipelines.at(1).steps.at(0)).build, 0);
}

TEST(Explain, NamesLayoutsEncodingsAndDevices) {
  const LogicalPlan logical = q3();
  const Plan plan = plan_query(logical, on_ranks(1)).plan;
  const std::vector<std::string> lines = explain(plan, {"gpu 0", 0, "in-process"}, {});
  EXPECT_EQ(lines[0], "pipeline 0 (gpu 0)");
  EXPECT_EQ(lines[1], "  scan customer: c_custkey (plain 8), c_mktsegment (dictionary 1); 150,000 rows");
  EXPECT_NE(std::find(lines.begin(), lines.end(), "pipeline 3 (cpu)"), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), "  aggregate by row of the build of pipeline 1 (dense): sum int64"),
            lines.end());
}

}  // namespace
}  // namespace saccade::physical
