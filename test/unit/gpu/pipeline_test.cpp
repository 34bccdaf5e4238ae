// Whole pipelines through the shim against a row by row evaluation.
#include <gtest/gtest.h>

#include "unit/gpu/plans.hpp"
#include "unit/gpu/shim_run.hpp"

namespace saccade::test {
namespace {

using physical::Aggregate;
using physical::AggregateFunction;
using physical::Aggregation;
using physical::NodeKind;
using F = FunctionId;

constexpr Encoding kNarrow1{Form::kNarrowed, 1}, kNarrow2{Form::kNarrowed, 2}, kNarrow4{Form::kNarrowed, 4}, kPlain8{Form::kPlain, 8};

std::vector<Cell> random_cells(std::int64_t rows, std::int64_t low, std::int64_t high, std::uint64_t seed, int null_one_in = 0) {
  std::mt19937_64 random(seed);
  std::vector<Cell> cells;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (null_one_in > 0 && random() % static_cast<std::uint64_t>(null_one_in) == 0) {
      cells.push_back(null_cell());
    } else {
      cells.push_back(cell(low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1))));
    }
  }
  return cells;
}

std::shared_ptr<ArrayTable> lineitem(std::int64_t rows, std::vector<std::int64_t> chunks) {
  return std::make_shared<ArrayTable>(
      "lineitem",
      std::vector<ArrayColumn>{
          {"l_shipdate", {TypeKind::kDate}, Lane::kInt64, kNarrow2, 8036, random_cells(rows, 8036, 10561, 1), 0},
          {"l_discount", DataType::numeric(15, 2), Lane::kInt64, kNarrow1, 0, random_cells(rows, 0, 10, 2), 0},
          {"l_quantity", DataType::numeric(15, 2), Lane::kInt64, kNarrow2, 100, random_cells(rows, 100, 5000, 3), 0},
          {"l_extendedprice", DataType::numeric(15, 2), Lane::kInt64, kNarrow4, 90000, random_cells(rows, 90000, 10494950, 4), 0}},
      std::move(chunks));
}

// SELECT sum(l_extendedprice * l_discount) FROM lineitem WHERE ... : TPC-H Q6.
physical::Plan q6(const ArrayTable& table) {
  physical::Plan plan;
  PipelineBuilder p(plan);
  p.scan(table);
  p.filter(PipelineBuilder::combine(NodeKind::kAnd, Lane::kBoolean,
                                    {PipelineBuilder::call(F::greater_equal_i64, {p.node("l_shipdate"), p.integer(8766)}),
                                     PipelineBuilder::call(F::less_i64, {p.node("l_shipdate"), p.integer(9131)}),
                                     PipelineBuilder::call(F::greater_equal_i64, {p.node("l_discount"), p.integer(5)}),
                                     PipelineBuilder::call(F::less_equal_i64, {p.node("l_discount"), p.integer(7)}),
                                     PipelineBuilder::call(F::less_i64, {p.node("l_quantity"), p.integer(2400)})}),
           0.02, "l_shipdate >= 1994-01-01 AND ...");
  Aggregation sink;
  sink.layout = Aggregation::Layout::kSingle;
  sink.aggregates = {PipelineBuilder::aggregate(AggregateFunction::kSum, Lane::kInt64,
                                                {PipelineBuilder::call(F::multiply_i64, {p.node("l_extendedprice"), p.node("l_discount")})}),
                     PipelineBuilder::aggregate(AggregateFunction::kCountStar, Lane::kInt64)};
  p.end(sink);
  return plan;
}

TEST(Pipeline, SumOverFilter) {
  const auto table = lineitem(5000, {1000, 3000, 1, 999});
  const physical::Plan plan = q6(*table);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_as_reference(plan, {{"lineitem", table}}, seed);
}

TEST(Pipeline, SumOverNoRows) {
  const auto table = lineitem(0, {});
  expect_as_reference(q6(*table), {{"lineitem", table}});
}

TEST(Pipeline, WarmRunUploadsAndAllocatesNothing) {
  const auto table = lineitem(5000, {2500, 2500});
  const physical::Plan plan = q6(*table);
  ShimRun run;
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

}  // namespace
}  // namespace saccade::test
