// The pipelines of TPC-H Q1, Q3 and Q6 as the planner makes them, over small random tables of the same shape.
#pragma once

#include <memory>

#include "unit/gpu/plans.hpp"

namespace saccade::test {

inline constexpr Encoding kNarrow1{Form::kNarrowed, 1}, kNarrow2{Form::kNarrowed, 2}, kNarrow4{Form::kNarrowed, 4},
    kPlain8{Form::kPlain, 8}, kPlain16{Form::kPlain, 16}, kCode1{Form::kDictionary, 1}, kSame{Form::kConstant, 0};

inline std::vector<Cell> random_cells(std::int64_t rows, std::int64_t low, std::int64_t high, std::uint64_t seed,
                                      int null_one_in = 0) {
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

// Rows in groups of up to seven of one order, as the standard's generator makes them; keys have gaps.
inline std::shared_ptr<ArrayTable> lineitem_table(std::int64_t rows, std::vector<std::int64_t> chunks) {
  std::mt19937_64 random(11);
  std::vector<Cell> orderkeys;
  for (std::int64_t key = 1; static_cast<std::int64_t>(orderkeys.size()) < rows; key += 1 + (key % 8 == 7 ? 24 : 0)) {
    for (std::uint64_t line = 0; line <= random() % 7; ++line) orderkeys.push_back(cell(key));
  }
  orderkeys.resize(static_cast<std::size_t>(rows));
  const DataType money = DataType::numeric(15, 2), date{TypeKind::kDate}, text{TypeKind::kText}, integer{TypeKind::kBigint};
  return std::make_shared<ArrayTable>(
      "lineitem",
      std::vector<ArrayColumn>{
          {"l_orderkey", integer, Lane::kInt64, kNarrow4, 1, orderkeys, 0},
          {"l_shipdate", date, Lane::kInt64, kNarrow2, 8036, random_cells(rows, 8036, 10561, 1), 0},
          {"l_discount", money, Lane::kInt64, kNarrow1, 0, random_cells(rows, 0, 10, 2), 0},
          {"l_tax", money, Lane::kInt64, kNarrow1, 0, random_cells(rows, 0, 8, 5), 0},
          {"l_quantity", money, Lane::kInt64, kNarrow2, 100, random_cells(rows, 100, 5000, 3), 0},
          {"l_extendedprice", money, Lane::kInt64, kNarrow4, 90000, random_cells(rows, 90000, 10494950, 4), 0},
          {"l_returnflag", text, Lane::kInt64, kCode1, 0, random_cells(rows, 0, 2, 6), 0},
          {"l_linestatus", text, Lane::kInt64, kCode1, 0, random_cells(rows, 0, 1, 7), 0}},
      std::move(chunks));
}

inline std::shared_ptr<ArrayTable> orders_table(std::int64_t rows, std::int64_t customers, int chunks = 2) {
  std::vector<Cell> keys;
  for (std::int64_t key = 1; static_cast<std::int64_t>(keys.size()) < rows; key += 1 + (key % 8 == 7 ? 24 : 0))
    keys.push_back(cell(key));
  const DataType date{TypeKind::kDate}, integer{TypeKind::kBigint};
  return std::make_shared<ArrayTable>(
      "orders",
      std::vector<ArrayColumn>{{"o_orderkey", integer, Lane::kInt64, kNarrow4, 1, keys, 0},
                               {"o_custkey", integer, Lane::kInt64, kNarrow2, 1, random_cells(rows, 1, customers, 21), 0},
                               {"o_orderdate", date, Lane::kInt64, kNarrow2, 8035, random_cells(rows, 8035, 10440, 22), 0},
                               {"o_shippriority", integer, Lane::kInt64, kSame, 0, random_cells(rows, 0, 0, 23), 0}},
      chunks == 1 ? std::vector<std::int64_t>{rows} : std::vector<std::int64_t>{rows / 3, rows - rows / 3});
}

inline std::shared_ptr<ArrayTable> customer_table(std::int64_t rows) {
  std::vector<Cell> keys;
  for (std::int64_t key = 1; key <= rows; ++key) keys.push_back(cell(key));
  return std::make_shared<ArrayTable>(
      "customer",
      std::vector<ArrayColumn>{{"c_custkey", {TypeKind::kBigint}, Lane::kInt64, kNarrow2, 1, keys, 0},
                               {"c_mktsegment", {TypeKind::kText}, Lane::kInt64, kCode1, 0, random_cells(rows, 0, 4, 31), 0}},
      std::vector<std::int64_t>{rows});
}

inline physical::Node compare(FunctionId function, physical::Node a, physical::Node b) {
  return PipelineBuilder::call(function, {std::move(a), std::move(b)});
}

inline physical::Plan q6_plan(const ArrayTable& lineitem) {
  using F = FunctionId;
  physical::Plan plan;
  PipelineBuilder p(plan);
  p.scan(lineitem, {"l_shipdate", "l_discount", "l_quantity", "l_extendedprice"});
  p.filter(PipelineBuilder::combine(physical::NodeKind::kAnd, Lane::kBoolean,
                                    {compare(F::greater_equal_i64, p.node("l_shipdate"), p.integer(8766)),
                                     compare(F::less_i64, p.node("l_shipdate"), p.integer(9131)),
                                     compare(F::greater_equal_i64, p.node("l_discount"), p.integer(5)),
                                     compare(F::less_equal_i64, p.node("l_discount"), p.integer(7)),
                                     compare(F::less_i64, p.node("l_quantity"), p.integer(2400))}),
           0.02, "l_shipdate >= 1994-01-01 AND ...");
  physical::Aggregation sink;
  sink.layout = physical::Aggregation::Layout::kSingle;
  sink.aggregates = {PipelineBuilder::aggregate(physical::AggregateFunction::kSum, Lane::kInt64,
                                                {compare(F::multiply_i64, p.node("l_extendedprice"), p.node("l_discount"))}),
                     PipelineBuilder::aggregate(physical::AggregateFunction::kCountStar, Lane::kInt64)};
  p.end(sink);
  return plan;
}

inline physical::Plan q1_plan(const ArrayTable& lineitem) {
  using F = FunctionId;
  physical::Plan plan;
  PipelineBuilder p(plan);
  p.scan(lineitem, {"l_shipdate", "l_discount", "l_tax", "l_quantity", "l_extendedprice", "l_returnflag", "l_linestatus"});
  p.filter(compare(F::less_equal_i64, p.node("l_shipdate"), p.integer(10471)), 0.98, "l_shipdate <= 1998-09-02");
  p.compute("disc_price", compare(F::multiply_i64, p.node("l_extendedprice"),
                                  compare(F::subtract_i64, p.integer(100), p.node("l_discount"))));
  p.compute("charge", compare(F::multiply_i64, p.node("disc_price"), compare(F::add_i64, p.integer(100), p.node("l_tax"))));
  physical::Aggregation sink;
  sink.layout = physical::Aggregation::Layout::kPerfect;
  sink.keys = {p.node("l_returnflag"), p.node("l_linestatus")};
  sink.key_bounds = {{0, 2}, {0, 1}};
  sink.groups = 6;
  for (const char* name : {"l_quantity", "l_extendedprice", "disc_price", "charge", "l_discount"}) {
    sink.aggregates.push_back(PipelineBuilder::aggregate(
        physical::AggregateFunction::kSum, std::string(name) == "charge" ? Lane::kInt128 : Lane::kInt64, {p.node(name)}));
  }
  sink.aggregates.push_back(PipelineBuilder::aggregate(physical::AggregateFunction::kCountStar, Lane::kInt64));
  sink.presence = 5;
  p.end(sink);
  return plan;
}

// Pipelines: customer > bitmap; orders > dense build with payload; lineitem > aggregate by row of orders; sort.
inline physical::Plan q3_plan(const ArrayTable& customer, const ArrayTable& orders, const ArrayTable& lineitem) {
  using F = FunctionId;
  physical::Plan plan;
  const auto dense = [](physical::Node key, Bounds bounds, std::vector<int> payload, const std::string& table) {
    physical::JoinBuild build;
    build.layout = physical::JoinBuild::Layout::kDense;
    build.unique = true;
    build.assumed_table = table;
    build.assumed_column = 0;
    build.key_bounds = bounds;
    build.keys = {std::move(key)};
    build.payload = std::move(payload);
    return build;
  };
  PipelineBuilder c(plan);
  c.scan(customer);
  c.filter(compare(F::equal_i64, c.node("c_mktsegment"), c.integer(1)), 0.2, "c_mktsegment = 'BUILDING'");
  c.end(dense(c.node("c_custkey"), {1, customer.row_count()}, {}, "customer"), 30);

  PipelineBuilder o(plan);
  o.scan(orders);
  o.filter(compare(F::less_i64, o.node("o_orderdate"), o.integer(9204)), 0.48, "o_orderdate < 1995-03-15");
  o.probe(0, {o.node("o_custkey")}, {}, "", "c_custkey = o_custkey");
  const int128 last = orders.arrays()[0].cells.back().integer;
  o.end(
      dense(o.node("o_orderkey"), {1, last}, {o.find("o_orderkey"), o.find("o_orderdate"), o.find("o_shippriority")}, "orders"),
      150);

  PipelineBuilder l(plan);
  l.scan(lineitem, {"l_orderkey", "l_shipdate", "l_discount", "l_extendedprice"});
  l.filter(compare(F::greater_i64, l.node("l_shipdate"), l.integer(9204)), 0.54, "l_shipdate > 1995-03-15");
  l.probe(1, {l.node("l_orderkey")}, {"", "", ""}, "order_row", "o_orderkey = l_orderkey");
  l.compute("revenue", compare(F::multiply_i64, l.node("l_extendedprice"),
                               compare(F::subtract_i64, l.integer(100), l.node("l_discount"))));
  physical::Aggregation sink;
  sink.layout = physical::Aggregation::Layout::kBuildRow;
  sink.keys = {l.node("order_row")};
  sink.build = 1;
  sink.aggregates = {PipelineBuilder::aggregate(physical::AggregateFunction::kSum, Lane::kInt64, {l.node("revenue")})};
  sink.presence = 0;
  sink.estimated_groups = 100;
  l.end(sink);

  PipelineBuilder s(plan);
  s.read(2);
  physical::Sort sort;
  sort.keys = {PipelineBuilder::call(F::descending_i64, {s.node("column_3")}), s.node("column_1"), s.node("column_0")};
  sort.limit = 10;
  for (const char* name : {"column_0", "column_3", "column_1", "column_2"}) sort.output.push_back(s.find(name));
  s.end(sort);
  return plan;
}

}  // namespace saccade::test
