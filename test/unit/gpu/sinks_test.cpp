// Every sink, every layout of joins and groups, nulls, and what must end in an error: through the shim against the reference.
#include <gtest/gtest.h>

#include "unit/gpu/device_run.hpp"
#include "unit/gpu/tpch_plans.hpp"

namespace saccade::test {
namespace {

using physical::Aggregate;
using physical::AggregateFunction;
using physical::Aggregation;
using physical::JoinBuild;
using physical::NodeKind;
using B = PipelineBuilder;
using F = FunctionId;

constexpr DataType kBigint{TypeKind::kBigint}, kBoolean{TypeKind::kBoolean}, kDouble{TypeKind::kDouble};

std::vector<Cell> random_reals(std::int64_t rows, std::uint64_t seed, int null_one_in) {
  std::vector<Cell> cells = random_cells(rows, -1000, 1000, seed, null_one_in);
  for (Cell& value : cells) value = value.null ? value : real_cell(static_cast<double>(value.integer) / 8);
  return cells;
}

// Columns of all lanes and encodings, with and without nulls.
std::shared_ptr<ArrayTable> mixed_table(std::int64_t rows, std::vector<std::int64_t> chunks, std::int64_t keys = 40) {
  std::vector<Cell> wide = random_cells(rows, -1000000, 1000000, 8, 5);
  for (Cell& value : wide) value.integer *= int128{1} << 62;
  return std::make_shared<ArrayTable>(
      "mixed",
      std::vector<ArrayColumn>{
          {"k", kBigint, Lane::kInt64, kNarrow2, -7, random_cells(rows, -7, keys - 8, 1), 0},
          {"n", kBigint, Lane::kInt64, kNarrow2, -100, random_cells(rows, -100, 300, 2, 4), 0},
          {"p", kBigint, Lane::kInt64, kPlain8, 0, random_cells(rows, -4000000000000, 4000000000000, 3, 6), 0},
          {"w", DataType::numeric(38, 0), Lane::kInt128, kPlain16, 0, wide, 0},
          {"d", kDouble, Lane::kFloat64, kPlain8, 0, random_reals(rows, 4, 5), 0},
          {"b", kBoolean, Lane::kBoolean, kNarrow1, 0, random_cells(rows, 0, 1, 5, 3), 0},
          {"c", kBigint, Lane::kInt64, kSame, 9, random_cells(rows, 9, 9, 6, 3), 0}},
      std::move(chunks));
}

physical::Node key_of(B& p, const std::string& name) {
  // A nullable value as two parts would be the planner's; here 0 stands for NULL.
  return B::combine(NodeKind::kOrElse, Lane::kInt64, {p.node(name), p.integer(0)});
}

std::vector<Aggregate> all_aggregates(B& p) {
  return {B::aggregate(AggregateFunction::kCountStar, Lane::kInt64),
          B::aggregate(AggregateFunction::kCount, Lane::kInt64, {p.node("b")}),
          B::aggregate(AggregateFunction::kSum, Lane::kInt64, {p.node("n")}),
          B::aggregate(AggregateFunction::kSum, Lane::kInt128, {p.node("p")}),
          B::aggregate(AggregateFunction::kSum, Lane::kInt128, {p.node("w")}),
          B::aggregate(AggregateFunction::kSum, Lane::kFloat64, {p.node("d")}),
          B::aggregate(AggregateFunction::kMin, Lane::kInt64, {p.node("n")}),
          B::aggregate(AggregateFunction::kMax, Lane::kInt64, {p.node("p")}),
          B::aggregate(AggregateFunction::kMin, Lane::kInt128, {p.node("w")}),
          B::aggregate(AggregateFunction::kMax, Lane::kInt128, {p.node("w")}),
          B::aggregate(AggregateFunction::kMin, Lane::kFloat64, {p.node("d")}),
          B::aggregate(AggregateFunction::kMax, Lane::kFloat64, {p.node("d")})};
}

void expect_for_seeds(const physical::Plan& plan, const DeviceRun::Tables& tables) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_as_reference(plan, tables, seed);
}

TEST(Sinks, ResultOfAllLanesWithNulls) {
  for (const auto& chunks : std::vector<std::vector<std::int64_t>>{{}, {1}, {63, 65, 1, 700, 171}, {1000}}) {
    std::int64_t rows = 0;
    for (const std::int64_t chunk : chunks) rows += chunk;
    const auto table = mixed_table(rows, chunks);
    physical::Plan plan;
    B p(plan);
    p.scan(*table);
    // The text of an empty or tiny table is that of a full one.
    for (const char* name : {"n", "p", "w", "d", "b", "c"}) p.declare(name, true, std::nullopt);
    p.result({"k", "n", "p", "w", "d", "b", "c"});
    expect_as_reference(plan, {{"mixed", table}});
  }
}

TEST(Sinks, ChunksWithDifferentBases) {
  auto columns = mixed_table(900, {900})->arrays();
  columns[0].odd_base = -20;
  columns[1].odd_base = -50;
  const auto table = std::make_shared<ArrayTable>("mixed", columns, std::vector<std::int64_t>{300, 300, 300});
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  p.result({"k", "n"});
  expect_as_reference(plan, {{"mixed", table}});
}

TEST(Sinks, SingleGroupOfEveryAggregate) {
  for (const std::int64_t rows : {0, 3000}) {
    const auto table = mixed_table(rows, {rows});
    physical::Plan plan;
    B p(plan);
    p.scan(*table);
    for (const char* name : {"n", "p", "w", "d", "b", "c"}) p.declare(name, true, std::nullopt);
    Aggregation sink;
    sink.layout = Aggregation::Layout::kSingle;
    sink.aggregates = all_aggregates(p);
    p.end(sink);
    expect_for_seeds(plan, {{"mixed", table}});
  }
}

// 3 groups: a copy a thread; 40: a block's copy, or global for 128-bit minima; 9,000: listed on the device.
TEST(Sinks, PerfectGroups) {
  for (const std::int64_t keys : {3, 40, 9000}) {
    for (const bool all : {true, false}) {
      const auto table = mixed_table(3000, {1000, 2000}, keys);
      physical::Plan plan;
      B p(plan);
      p.scan(*table);
      Aggregation sink;
      sink.layout = Aggregation::Layout::kPerfect;
      sink.keys = {p.node("k")};
      sink.key_bounds = {{-7, keys - 8}};
      sink.groups = keys;
      sink.aggregates = all_aggregates(p);
      if (!all) sink.aggregates.resize(4);
      sink.presence = 0;
      sink.estimated_groups = 10;
      p.end(sink);
      expect_for_seeds(plan, {{"mixed", table}});
    }
  }
}

TEST(Sinks, HashGroupsGrow) {
  for (const std::int64_t keys : {5, 9000}) {
    const auto table = mixed_table(6000, {6000}, keys);
    physical::Plan plan;
    B p(plan);
    p.scan(*table);
    Aggregation sink;
    sink.keys = {p.node("k"), key_of(p, "n")};
    sink.aggregates = all_aggregates(p);
    sink.estimated_groups = 10;  // far too few: the table grows
    p.end(sink);
    B r(plan);
    r.read(0);
    r.filter(compare(F::less_i64, r.node("column_1"), r.integer(50)));
    r.result({"column_0", "column_1", "column_2", "column_5", "column_6", "column_10"});
    expect_for_seeds(plan, {{"mixed", table}});
  }
}

// The build may repeat keys: every pair comes out, payload of all lanes with nulls comes along.
physical::Plan join_plan(const ArrayTable& build_side, const ArrayTable& probe_side, bool unique) {
  physical::Plan plan;
  B b(plan);
  b.scan(build_side);
  JoinBuild build;
  build.unique = unique;
  build.assumed_table = unique ? build_side.name() : "";
  build.assumed_column = unique ? 0 : -1;
  build.keys = {b.node("k"), b.integer(3)};
  for (const char* name : {"n", "p", "w", "d", "b"}) build.payload.push_back(b.find(name));
  b.end(build, 10);
  B p(plan);
  p.scan(probe_side);
  p.probe(0, {p.node("k"), p.integer(3)}, {"n2", "p2", "w2", "", "b2"});
  p.filter(compare(F::less_equal_i64, p.node("n"), p.integer(250)));
  p.result({"k", "n", "n2", "p2", "w2", "b2"});
  return plan;
}

std::shared_ptr<ArrayTable> renamed(const std::shared_ptr<ArrayTable>& table, const std::string& name) {
  return std::make_shared<ArrayTable>(name, table->arrays(), std::vector<std::int64_t>{table->row_count()});
}

TEST(Sinks, HashJoinWithRepeatedKeys) {
  const auto build = renamed(mixed_table(200, {200}), "build"), probe = renamed(mixed_table(700, {700}), "probe");
  expect_for_seeds(join_plan(*build, *probe, false), {{"build", build}, {"probe", probe}});
  const auto empty = renamed(mixed_table(0, {}), "build");
  const physical::Plan plan = join_plan(*empty, *probe, false);
  expect_as_reference(plan, {{"build", empty}, {"probe", probe}});
}

std::shared_ptr<ArrayTable> unique_table(std::int64_t rows, std::int64_t repeated) {
  auto columns = mixed_table(rows, {rows})->arrays();
  for (std::int64_t i = 0; i < rows; ++i) columns[0].cells[static_cast<std::size_t>(i)] = cell(i * 3 - 7);
  if (repeated >= 0) columns[0].cells.back() = columns[0].cells[static_cast<std::size_t>(repeated)];
  return std::make_shared<ArrayTable>("build", columns, std::vector<std::int64_t>{rows});
}

TEST(Sinks, HashJoinOfUniqueKeys) {
  const auto build = unique_table(150, -1), probe = renamed(mixed_table(900, {900}, 500), "probe");
  expect_for_seeds(join_plan(*build, *probe, true), {{"build", build}, {"probe", probe}});
}

TEST(Sinks, ARepeatedKeyRefutesTheAssumption) {
  const auto probe = renamed(mixed_table(100, {100}), "probe");
  for (const std::int64_t repeated : {0, 1400, 1498}) {
    const auto build = unique_table(1500, repeated);
    DeviceRun run;
    EXPECT_THROW(run.run(join_plan(*build, *probe, true), {{"build", build}, {"probe", probe}}), AssumptionFailed);
    physical::Plan plan = join_plan(*build, *probe, true);
    auto& sink = std::get<JoinBuild>(plan.pipelines[0].sink);
    sink.layout = JoinBuild::Layout::kDense;
    sink.keys.pop_back();
    sink.key_bounds = {-7, 4500};
    std::get<physical::Probe>(plan.pipelines[1].steps[0]).keys.pop_back();
    EXPECT_THROW(run.run(plan, {{"build", build}, {"probe", probe}}), AssumptionFailed);
  }
}

TEST(Sinks, DenseJoinWithPayload) {
  const auto build = unique_table(1500, -1), probe = renamed(mixed_table(2000, {2000}, 6000), "probe");
  physical::Plan plan = join_plan(*build, *probe, true);
  auto& sink = std::get<JoinBuild>(plan.pipelines[0].sink);
  sink.layout = JoinBuild::Layout::kDense;
  sink.keys.pop_back();
  sink.key_bounds = {-7, 4500};
  std::get<physical::Probe>(plan.pipelines[1].steps[0]).keys.pop_back();
  expect_for_seeds(plan, {{"build", build}, {"probe", probe}});
}

TEST(Sinks, DenseKeysOutsideOfTheirBoundsAreAnError) {
  const auto build = unique_table(300, -1);
  physical::Plan plan;
  B b(plan);
  b.scan(*build);
  JoinBuild sink;
  sink.layout = JoinBuild::Layout::kDense;
  sink.unique = true;
  sink.keys = {b.node("k")};
  sink.key_bounds = {-7, 200};
  b.end(sink);
  DeviceRun run;
  try {
    run.run(plan, {{"build", build}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kDataCorrupted);
  }
}

TEST(Sinks, SortWithOffsetAndLimit) {
  const auto table = unique_table(1000, -1);
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  physical::Sort sort;
  sort.keys = {key_of(p, "n"), B::call(F::descending_i64, {p.node("k")})};
  sort.offset = 3;
  sort.limit = 600;
  sort.output = {p.find("k"), p.find("n"), p.find("w")};
  p.end(sort);
  expect_for_seeds(plan, {{"build", table}});
}

TEST(Sinks, ExchangeAppendsKeyParts) {
  const auto table = mixed_table(500, {100, 100, 300});
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  physical::Exchange exchange;
  exchange.kind = physical::Exchange::Kind::kShuffle;
  exchange.keys = {p.node("k"), key_of(p, "n")};
  exchange.output = {p.find("n"), p.find("d")};
  p.end(exchange);
  for (int rank = 0; rank < 2; ++rank) expect_as_reference(plan, {{"mixed", table}}, 1, rank, 2);
}

TEST(Sinks, OneRowStandsOnRankZero) {
  physical::Plan plan;
  B p(plan);
  p.one_row();
  p.compute("x", B::call(F::add_i64, {p.integer(int128{1} << 40), p.integer(2)}));
  p.compute("y", p.literal(Lane::kFloat64, null_cell()));
  p.result({"x", "y"});
  expect_as_reference(plan, {}, 1, 0, 2);
  expect_as_reference(plan, {}, 1, 1, 2);
}

TEST(Sinks, GroupsFeedALaterPipelineAndAnotherAggregation) {
  const auto table = mixed_table(2000, {2000});
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  Aggregation first;
  first.layout = Aggregation::Layout::kPerfect;
  first.keys = {p.node("k")};
  first.key_bounds = {{-7, 32}};
  first.groups = 40;
  first.aggregates = all_aggregates(p);
  first.presence = 0;
  p.end(first);
  B q(plan);
  q.read(0);
  Aggregation second;
  second.layout = Aggregation::Layout::kSingle;
  second.aggregates = {B::aggregate(AggregateFunction::kSum, Lane::kInt128, {q.node("column_4")}),
                       B::aggregate(AggregateFunction::kMax, Lane::kInt64, {q.node("column_1")})};
  q.end(second);
  expect_for_seeds(plan, {{"mixed", table}});
}

TEST(Sinks, ACancelledQueryStops) {
  const auto table = mixed_table(100, {100});
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  p.result({"k"});
  DeviceRun run;
  run.cancellation().cancel();
  EXPECT_THROW(run.run(plan, {{"mixed", table}}), Error);
}

TEST(Sinks, TooLittleDeviceMemoryIsAnError) {
  const auto table = mixed_table(100000, {100000});
  physical::Plan plan;
  B p(plan);
  p.scan(*table);
  p.result({"k", "p"});
  Settings settings = shim_settings();
  settings.gpu_memory_limit = 1 << 20;
  DeviceRun run(1, settings);
  try {
    run.run(plan, {{"mixed", table}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kOutOfMemory);
  }
}

}  // namespace
}  // namespace saccade::test
