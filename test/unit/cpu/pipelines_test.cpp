// Hand-built plans of every operator against the row-at-a-time oracle and against values worked out by hand.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "execution/assumption.hpp"
#include "unit/cpu/oracle.hpp"

namespace saccade::cpu_test {
namespace {

std::vector<std::int64_t> random_values(std::size_t n, std::int64_t low, std::int64_t high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> value(low, high);
  std::vector<std::int64_t> values(n);
  for (auto& v : values) v = value(random);
  return values;
}

std::vector<Cell> with_nulls(const std::vector<std::int64_t>& values, int every) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < values.size(); ++i) cells.push_back(i % every == 0 ? null() : integer(values[i]));
  return cells;
}

Node compare(FunctionId function, Node a, Node b) {
  return call(function, {std::move(a), std::move(b)});
}

Aggregate count_star() {
  return {AggregateFunction::kCountStar, Lane::kInt64, {}};
}
Aggregate aggregate(AggregateFunction function, Lane state, Node argument) {
  return {function, state, {std::move(argument)}};
}

// The engine and the oracle give the same rows, in any order, for one to four threads.
void expect_same(Fixture& fixture, const Plan& plan, bool ordered = false) {
  const std::vector<CellRow> expected = Oracle(plan, fixture).run();
  for (int threads = 1; threads <= 4; ++threads) {
    const std::vector<CellRow> actual = fixture.run(plan, threads);
    ASSERT_EQ(actual.size(), expected.size()) << threads << " threads";
    EXPECT_TRUE(ordered ? actual == expected : in_order(actual) == in_order(expected)) << threads << " threads";
  }
  EXPECT_EQ(fixture.pool.used(), 0);
}

// sum(price * discount) where shipdate, discount and quantity lie in ranges.
TEST(Pipelines, FilterAndSumLikeQ6) {
  Fixture fixture;
  const TestTable& table = fixture.add(
      "lineitem", {column_of(random_values(50000, 8000, 10500, 1)), column_of(random_values(50000, 0, 10, 2)),
                   column_of(random_values(50000, 100, 5000, 3)), column_of(random_values(50000, 90000, 10494950, 4))});
  PipelineBuilder b;
  const auto slots = b.scan_all(table);
  b.filter(combine(NodeKind::kAnd, Lane::kBoolean,
                   {compare(FunctionId::greater_equal_i64, b.at(slots[0]), b.literal(8766)),
                    compare(FunctionId::less_i64, b.at(slots[0]), b.literal(9131)),
                    compare(FunctionId::less_equal_i64, b.literal(5), b.at(slots[1])),
                    compare(FunctionId::less_equal_i64, b.at(slots[1]), b.literal(7)),
                    compare(FunctionId::less_i64, b.at(slots[2]), b.literal(2400))}));
  Aggregation sink;
  sink.layout = Aggregation::Layout::kSingle;
  sink.aggregates = {
      aggregate(AggregateFunction::kSum, Lane::kInt64, call(FunctionId::multiply_i64, {b.at(slots[3]), b.at(slots[1])})),
      count_star()};
  b.pipeline.sink = sink;
  const Plan plan = plan_of({b});
  expect_same(fixture, plan);
  EXPECT_GT(fixture.profiles[0].bytes, 0);
  EXPECT_EQ(fixture.profiles[0].rows_in, 50000);
  EXPECT_EQ(fixture.profiles[0].device, "cpu");
  EXPECT_EQ(fixture.profiles[0].chunks, 10);
}

TEST(Pipelines, PerfectGroupsLikeQ1) {
  Fixture fixture;
  const TestTable& table =
      fixture.add("lineitem", {column_of(random_values(40000, 0, 2, 1)), column_of(random_values(40000, 0, 1, 2)),
                               column_of(random_values(40000, 1, 50, 3)), column_of(random_values(40000, 90000, 10494950, 4)),
                               column_of(random_values(40000, 0, 10, 5)), column_of(random_values(40000, 0, 8, 6)),
                               column_of(random_values(40000, 0, 2500, 7))});
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  b.filter(compare(FunctionId::less_equal_i64, b.at(s[6]), b.literal(2400)));
  const Node discounted =
      call(FunctionId::multiply_i64, {b.at(s[3]), call(FunctionId::subtract_i64, {b.literal(100), b.at(s[4])})});
  const Node charge = call(FunctionId::multiply_i64, {discounted, call(FunctionId::add_i64, {b.literal(100), b.at(s[5])})});
  Aggregation sink;
  sink.layout = Aggregation::Layout::kPerfect;
  sink.keys = {b.at(s[0]), b.at(s[1])};
  sink.key_bounds = {{0, 2}, {0, 1}};
  sink.groups = 6;
  for (const Node& node : {b.at(s[2]), b.at(s[3]), discounted, charge, b.at(s[4])}) {
    sink.aggregates.push_back(aggregate(AggregateFunction::kSum, Lane::kInt64, node));
  }
  sink.aggregates.push_back(count_star());
  sink.aggregates.push_back(aggregate(AggregateFunction::kMin, Lane::kInt64, b.at(s[3])));
  sink.aggregates.push_back(aggregate(AggregateFunction::kSum, Lane::kInt128, call(FunctionId::int128_of_i64, {charge})));
  sink.presence = 5;
  b.pipeline.sink = sink;
  expect_same(fixture, plan_of({b}));
}

// Nulls in keys' sources, arguments and predicates; sums in all lanes.
class AggregationLayouts : public testing::TestWithParam<Aggregation::Layout> {};

TEST_P(AggregationLayouts, NullsAndAllFunctions) {
  Fixture fixture;
  std::vector<Cell> reals, wide;
  std::mt19937_64 random(9);
  for (int i = 0; i < 30000; ++i) {
    reals.push_back(i % 7 == 0      ? null()
                    : i % 1001 == 0 ? real(__builtin_nan(""))
                                    : real(static_cast<double>(random() % 4000) * 0.25));
    wide.push_back(i % 5 == 0 ? null() : integer((static_cast<int128>(random() % 1000) << 70) - 5));
  }
  TestColumn wide_column = column_of(wide, DataType::numeric(38, 0));
  const TestTable& table = fixture.add("t", {column_of(random_values(30000, -20, 90, 1)),
                                             column_of(with_nulls(random_values(30000, -3000000000, 3000000000, 2), 3)),
                                             TestColumn{kDouble, {Form::kPlain, 8}, 0, reals, nullptr}, wide_column});
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  b.filter(compare(FunctionId::not_equal_i64, b.at(s[0]), b.literal(17)));
  Aggregation sink;
  sink.layout = GetParam();
  if (GetParam() != Aggregation::Layout::kSingle) {
    sink.keys = {b.at(s[0])};
    sink.key_bounds = {{-20, 90}};
    sink.groups = 111;
    sink.presence = 0;
  }
  sink.aggregates = {count_star()};
  for (const auto function : {AggregateFunction::kMin, AggregateFunction::kMax, AggregateFunction::kSum}) {
    sink.aggregates.push_back(aggregate(function, Lane::kInt64, b.at(s[1])));
    sink.aggregates.push_back(aggregate(function, Lane::kInt128, b.at(s[3])));
    sink.aggregates.push_back(aggregate(function, Lane::kFloat64, b.at(s[2])));
  }
  sink.aggregates.push_back(aggregate(AggregateFunction::kSum, Lane::kInt128, b.at(s[1])));
  sink.aggregates.push_back(aggregate(AggregateFunction::kCount, Lane::kInt64, b.at(s[2])));
  b.pipeline.sink = sink;
  expect_same(fixture, plan_of({b}));
}

INSTANTIATE_TEST_SUITE_P(All, AggregationLayouts,
                         testing::Values(Aggregation::Layout::kSingle, Aggregation::Layout::kPerfect,
                                         Aggregation::Layout::kHash));

TEST(Pipelines, HashAggregationWithMoreGroupsThanATableHolds) {
  Fixture fixture;
  const TestTable& table = fixture.add("t",
                                       {column_of(random_values(300000, 0, 200000, 1)),
                                        column_of(random_values(300000, 0, 1, 2)), column_of(random_values(300000, -5, 5, 3))},
                                       20000);
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  Aggregation sink;
  sink.keys = {b.at(s[0]), b.at(s[1])};
  sink.aggregates = {count_star(), aggregate(AggregateFunction::kSum, Lane::kInt64, b.at(s[2])),
                     aggregate(AggregateFunction::kMax, Lane::kInt64, b.at(s[2]))};
  b.pipeline.sink = sink;
  expect_same(fixture, plan_of({b}));
}

TEST(Pipelines, AggregationsOfNoRows) {
  for (const auto layout : {Aggregation::Layout::kSingle, Aggregation::Layout::kPerfect, Aggregation::Layout::kHash}) {
    Fixture fixture;
    const TestTable& table = fixture.add("t", {column_of(std::vector<std::int64_t>{})});
    PipelineBuilder b;
    const auto s = b.scan_all(table);
    Aggregation sink;
    sink.layout = layout;
    if (layout != Aggregation::Layout::kSingle) sink.keys = {b.at(s[0])};
    sink.key_bounds = {{0, 9}};
    sink.groups = 10;
    sink.presence = 0;
    sink.aggregates = {count_star(), aggregate(AggregateFunction::kMin, Lane::kInt64, b.at(s[0]))};
    b.pipeline.sink = sink;
    const auto rows = fixture.run(plan_of({b}), 2);
    if (layout == Aggregation::Layout::kSingle) {
      EXPECT_EQ(rows, (std::vector<CellRow>{{integer(0), integer(INT64_MAX)}}));
    } else {
      EXPECT_TRUE(rows.empty());
    }
  }
}

// A build over `keys` with a payload, probed by a table of random keys.
struct JoinCase {
  Fixture fixture;
  Plan plan;

  JoinCase(const std::vector<std::int64_t>& keys, JoinBuild::Layout layout, bool unique, bool wide_key = false) {
    std::vector<Cell> payload;
    for (std::size_t i = 0; i < keys.size(); ++i) payload.push_back(i % 4 == 0 ? null() : integer(static_cast<int128>(i)));
    const TestTable& build_table = fixture.add("build", {column_of(keys), column_of(payload)}, 3000);
    const TestTable& probe_table =
        fixture.add("probe", {column_of(random_values(20000, -50, 12000, 7)), column_of(random_values(20000, 0, 99, 8))});
    PipelineBuilder build;
    const auto bs = build.scan_all(build_table);
    JoinBuild sink;
    sink.layout = layout;
    sink.unique = unique;
    sink.assumed_table = "build";
    sink.assumed_column = 0;
    sink.keys = {build.at(bs[0])};
    if (wide_key) sink.keys.push_back(call(FunctionId::negate_i64, {build.at(bs[0])}));
    sink.key_bounds = {-5, 11000};
    sink.payload = {bs[1], bs[0]};
    build.pipeline.sink = sink;
    PipelineBuilder probe;
    const auto ps = probe.scan_all(probe_table);
    probe.filter(compare(FunctionId::less_i64, probe.at(ps[1]), probe.literal(80)));
    Probe step;
    step.build = 0;
    step.keys = {probe.at(ps[0])};
    if (wide_key) step.keys.push_back(call(FunctionId::negate_i64, {probe.at(ps[0])}));
    const int payload_slot = probe.slot("payload", Lane::kInt64, true);
    const int key_slot = probe.slot("key");
    step.payload = {payload_slot, key_slot};
    probe.pipeline.steps.emplace_back(step);
    probe.filter(compare(FunctionId::not_equal_i64, probe.at(key_slot), probe.literal(77)));
    probe.pipeline.sink = Result{{ps[0], payload_slot, key_slot, ps[1]}};
    plan = plan_of({build, probe});
  }
};

std::vector<std::int64_t> distinct_values(std::int64_t low, std::int64_t high, int every, unsigned seed) {
  std::vector<std::int64_t> values;
  for (std::int64_t v = low; v <= high; v += 1 + static_cast<std::int64_t>(values.size()) % every) values.push_back(v);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(seed));
  return values;
}

TEST(Pipelines, DenseJoin) {
  JoinCase join(distinct_values(-5, 11000, 3, 1), JoinBuild::Layout::kDense, true);
  expect_same(join.fixture, join.plan, true);
}

TEST(Pipelines, HashJoinOfUniqueKeys) {
  JoinCase join(distinct_values(-5, 11000, 3, 1), JoinBuild::Layout::kHash, true, true);
  expect_same(join.fixture, join.plan, true);
}

TEST(Pipelines, HashJoinOfRepeatedKeys) {
  JoinCase join(random_values(4000, 0, 300, 5), JoinBuild::Layout::kHash, false);
  expect_same(join.fixture, join.plan);
}

TEST(Pipelines, HashJoinWhereOneRowMatchesMoreThanABatch) {
  std::vector<std::int64_t> keys(5000, 42);
  JoinCase join(keys, JoinBuild::Layout::kHash, false, true);
  expect_same(join.fixture, join.plan);
}

TEST(Pipelines, JoinWithAnEmptyBuild) {
  for (const auto layout : {JoinBuild::Layout::kDense, JoinBuild::Layout::kHash}) {
    JoinCase join({}, layout, true);
    expect_same(join.fixture, join.plan);
  }
}

TEST(Pipelines, RepeatedKeyRefutesTheAssumption) {
  for (const auto layout : {JoinBuild::Layout::kDense, JoinBuild::Layout::kHash}) {
    for (const int threads : {1, 3}) {
      std::vector<std::int64_t> keys = distinct_values(0, 10000, 2, 3);
      keys.push_back(keys.front());
      JoinCase join(keys, layout, true);
      try {
        join.fixture.run(join.plan, threads);
        FAIL() << "no assumption failed";
      } catch (const AssumptionFailed& failed) {
        EXPECT_EQ(failed.table, "build");
        EXPECT_EQ(failed.column, 0);
      }
    }
  }
}

TEST(Pipelines, KeyOutsideOfItsBoundsIsAnInternalError) {
  JoinCase join({1, 2, 20000}, JoinBuild::Layout::kDense, true);
  EXPECT_EQ(sqlstate_of([&] { join.fixture.run(join.plan, 2); }), "XX000");
}

// Q3's shape: orders by customer bitmap, lines grouped by the row of their order, then the first ten.
Plan grouped_by_build_row(Fixture& fixture, JoinBuild::Layout layout) {
  const TestTable& orders =
      fixture.add("orders", {column_of(distinct_values(1, 9000, 4, 2)), column_of(random_values(9000, 0, 50, 3))}, 1000);
  const TestTable& lines =
      fixture.add("lines", {column_of(random_values(60000, 1, 9000, 4)), column_of(random_values(60000, 1, 1000, 5))});
  PipelineBuilder build;
  build.scan(orders, {{0, build.slot("orderkey")}});
  JoinBuild sink;
  sink.layout = layout;
  sink.unique = true;
  sink.keys = {build.at(0)};
  sink.key_bounds = {0, 10000};
  sink.payload = {0};
  build.pipeline.sink = sink;
  PipelineBuilder probe;
  const auto s = probe.scan_all(lines);
  Probe step;
  step.build = 0;
  step.keys = {probe.at(s[0])};
  step.payload = {-1};
  step.row_slot = probe.slot("row");
  probe.pipeline.steps.emplace_back(step);
  Aggregation aggregation;
  aggregation.layout = Aggregation::Layout::kBuildRow;
  aggregation.build = 0;
  aggregation.keys = {probe.at(step.row_slot)};
  aggregation.aggregates = {aggregate(AggregateFunction::kSum, Lane::kInt64, probe.at(s[1])),
                            aggregate(AggregateFunction::kMax, Lane::kInt64, probe.at(s[1]))};
  aggregation.presence = 0;
  probe.pipeline.sink = aggregation;
  PipelineBuilder last;
  last.pipeline.source = OutputScan{1, {last.slot("orderkey"), last.slot("revenue"), -1}};
  Sort sort;
  sort.keys = {call(FunctionId::descending_i64, {last.at(1)}), last.at(0)};
  sort.limit = 10;
  sort.offset = 3;
  sort.output = {0, 1};
  last.pipeline.sink = sort;
  return plan_of({build, probe, last});
}

TEST(Pipelines, GroupsByBuildRowAndTopRowsLikeQ3) {
  for (const auto layout : {JoinBuild::Layout::kDense, JoinBuild::Layout::kHash}) {
    Fixture fixture;
    const Plan plan = grouped_by_build_row(fixture, layout);
    expect_same(fixture, plan, true);
  }
}

// ---- sorting and collecting -----------------------------------------------------------------------------------------------

Plan sort_plan(Fixture& fixture, std::size_t rows, std::optional<std::int64_t> limit, std::int64_t offset) {
  const TestTable& table = fixture.add(
      "t", {column_of(random_values(rows, -40, 40, 1)), column_of(random_values(rows, -1000000000000, 1000000000000, 2)),
            column_of(with_nulls(random_values(rows, 0, 9, 3), 4))});
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  Sort sort;
  sort.keys = {call(FunctionId::descending_i64, {b.at(s[0])}), b.at(s[1])};
  sort.limit = limit;
  sort.offset = offset;
  sort.output = {s[2], s[0], s[1]};
  b.pipeline.sink = sort;
  PipelineBuilder result;
  const int a = result.slot("a", Lane::kInt64, true), c = result.slot("c"), d = result.slot("d");
  result.pipeline.source = OutputScan{0, {a, c, d}};
  result.pipeline.sink = Result{{d, a, c}};
  return plan_of({b, result});
}

TEST(Pipelines, SortKeepsItsOrderIntoTheResult) {
  for (const std::size_t rows : {0UL, 1UL, 5000UL, 150000UL}) {
    Fixture fixture;
    const Plan plan = sort_plan(fixture, rows, std::nullopt, 0);
    expect_same(fixture, plan, true);
  }
}

TEST(Pipelines, TopRows) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> windows = {{10, 0},    {100, 30},    {0, 5},
                                                                      {5, 99998}, {10, 400000}, {60000, 100}};
  for (const auto& [limit, offset] : windows) {
    Fixture fixture;
    const Plan plan = sort_plan(fixture, 100000, limit, offset);
    expect_same(fixture, plan, true);
  }
}

TEST(Pipelines, LimitWithoutAnOrder) {
  Fixture fixture;
  const TestTable& table = fixture.add("t", {column_of(random_values(30000, 0, 9, 1))});
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  Sort sort;
  sort.limit = 7;
  sort.offset = 2;
  sort.output = {s[0]};
  b.pipeline.sink = sort;
  for (int threads = 1; threads <= 3; ++threads) EXPECT_EQ(fixture.run(plan_of({b}), threads).size(), 7U);
}

TEST(Pipelines, ExchangeAppendsItsKeysAndKeepsTheOrder) {
  Fixture fixture;
  const TestTable& table = fixture.add(
      "t", {column_of(random_values(100000, 0, 255, 1)), column_of(with_nulls(random_values(100000, 0, 70000, 2), 9))}, 7000);
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  b.filter(compare(FunctionId::less_i64, b.at(s[0]), b.literal(200)));
  Exchange exchange;
  exchange.kind = Exchange::Kind::kShuffle;
  exchange.output = {s[1]};
  exchange.keys = {call(FunctionId::descending_i64, {b.at(s[0])})};
  b.pipeline.sink = exchange;
  expect_same(fixture, plan_of({b}), true);
}

TEST(Pipelines, OneRowIsOnRankZeroOnly) {
  Fixture fixture;
  PipelineBuilder b;
  b.pipeline.source = OneRow{};
  const int slot = b.compute(call(FunctionId::add_i64, {b.literal(40), b.literal(2)}));
  b.pipeline.sink = Result{{slot}};
  const Plan plan = plan_of({b});
  EXPECT_EQ(fixture.run(plan, 2, 0, 2), (std::vector<CellRow>{{integer(42)}}));
  EXPECT_TRUE(fixture.run(plan, 2, 1, 2).empty());
}

TEST(Pipelines, RanksShareTheChunks) {
  Fixture fixture;
  const TestTable& table = fixture.add("t", {column_of(random_values(23456, 0, 1000, 1))}, 1000);
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  b.pipeline.sink = Result{{s[0]}};
  const Plan plan = plan_of({b});
  std::vector<CellRow> all;
  for (int rank = 0; rank < 3; ++rank) {
    for (CellRow& row : fixture.run(plan, 2, rank, 3)) all.push_back(row);
  }
  EXPECT_EQ(in_order(all), in_order(fixture.run(plan)));
}

TEST(Pipelines, ChunksOutsideOfTheBoundsAreSkipped) {
  Fixture fixture;
  std::vector<std::int64_t> values(10000);
  std::iota(values.begin(), values.end(), 0);
  const TestTable& table = fixture.add("t", {column_of(values)}, 1000);
  PipelineBuilder b;
  const auto s = b.scan_all(table);
  std::get<TableScan>(b.pipeline.source).skip = {{0, {2500, 3100}}};
  b.filter(combine(NodeKind::kAnd, Lane::kBoolean,
                   {compare(FunctionId::greater_equal_i64, b.at(s[0]), b.literal(2500)),
                    compare(FunctionId::less_equal_i64, b.at(s[0]), b.literal(3100))}));
  b.pipeline.sink = Result{{s[0]}};
  EXPECT_EQ(fixture.run(plan_of({b}), 2).size(), 601U);
  EXPECT_EQ(fixture.profiles[0].chunks, 10);
  EXPECT_EQ(fixture.profiles[0].chunks_skipped, 8);
}

// ---- limits and failures --------------------------------------------------------------------------------------------------

TEST(Pipelines, MemoryLimitIsAnErrorAndGivesAllBack) {
  Fixture fixture;
  const Plan plan = sort_plan(fixture, 300000, std::nullopt, 0);
  fixture.pool.set_limit(4 << 20);
  EXPECT_EQ(sqlstate_of([&] { fixture.run(plan, 2); }), "53200");
  EXPECT_EQ(fixture.pool.used(), 0);
  fixture.pool.set_limit(0);
  EXPECT_EQ(fixture.run(plan, 2).size(), 300000U);
}

TEST(Pipelines, CancellationEndsTheQuery) {
  Fixture fixture;
  const Plan plan = sort_plan(fixture, 1000, std::nullopt, 0);
  fixture.cancellation.cancel();
  EXPECT_EQ(sqlstate_of([&] { fixture.run(plan, 2); }), "57014");
}

TEST(Pipelines, FailuresAreRaisedOnlyForRowsThatAreLeft) {
  Fixture fixture;
  const TestTable& table = fixture.add("t", {column_of(random_values(20000, 0, 5, 1))});
  for (const bool guarded : {true, false}) {
    PipelineBuilder b;
    const auto s = b.scan_all(table);
    if (guarded) b.filter(compare(FunctionId::not_equal_i64, b.at(s[0]), b.literal(0)));
    const int slot = b.compute(call(FunctionId::divide_i64, {b.literal(60), b.at(s[0])}));
    b.pipeline.sink = Result{{slot}};
    const Plan plan = plan_of({b});
    for (int threads = 1; threads <= 3; ++threads) {
      EXPECT_EQ(sqlstate_of([&] { fixture.run(plan, threads); }), guarded ? "" : "22012");
    }
    if (guarded) expect_same(fixture, plan, true);
  }
}

TEST(Pipelines, FloatSumThatLeavesTheRangeIsAnError) {
  for (const auto& [cells, state] : {std::pair<std::vector<Cell>, std::string>{{real(1e308), real(1e308)}, "22003"},
                                     {{real(__builtin_inf()), real(1e308)}, ""}}) {
    Fixture fixture;
    const TestTable& table = fixture.add("t", {TestColumn{kDouble, {Form::kPlain, 8}, 0, cells, nullptr}});
    PipelineBuilder b;
    const auto s = b.scan_all(table);
    Aggregation sink;
    sink.layout = Aggregation::Layout::kSingle;
    sink.aggregates = {aggregate(AggregateFunction::kSum, Lane::kFloat64, b.at(s[0]))};
    b.pipeline.sink = sink;
    EXPECT_EQ(sqlstate_of([&] { fixture.run(plan_of({b})); }), state);
  }
}

}  // namespace
}  // namespace saccade::cpu_test
