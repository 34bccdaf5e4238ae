// Rules that move conditions and columns; above all, where conditions that can fail must not go.
#include <gtest/gtest.h>

#include "optimizer/rules/rules.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

std::shared_ptr<Table> table(const std::string& name, const std::string& prefix, std::int64_t rows = 1000) {
  return std::make_shared<FakeTable>(
      name, rows,
      std::vector{fake_column(prefix + "k", kInteger, 0, 99, 100), fake_column(prefix + "v", kInteger, 0, 2000000000, 1000)});
}

Expression positive(Expression e) {
  return compare(Operation::kGreater, std::move(e), integer(0));
}
// x and y by their keys.
LogicalNode joined(PlanWriter& w) {
  LogicalNode x = w.scan(table("x", "x")), y = w.scan(table("y", "y"));
  return w.join(std::move(x), std::move(y), {equal(w.column("xk"), w.column("yk"))});
}

// 1 / x > 0
Expression inverse_positive(Expression e) {
  return positive(call(Operation::kDivide, kInteger, {integer(1), std::move(e)}));
}

TEST(PushDown, ReachesScansAndMakesJoinConditions) {
  PlanWriter w;
  LogicalNode cross = w.join(w.scan(table("x", "x")), w.scan(table("y", "y")));
  w.plan.root =
      w.filter({positive(w.column("yv")), equal(w.column("xk"), w.column("yk")), positive(w.column("xv"))}, std::move(cross));
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "join xk = yk\n"
            "  filter xv > 0\n"
            "    scan x (xk, xv)\n"
            "  filter yv > 0\n"
            "    scan y (yk, yv)\n");
}

// 1 / xv would be evaluated for rows of x without a partner.
TEST(PushDown, WhatCanFailStaysAboveJoins) {
  PlanWriter w;
  LogicalNode join = joined(w);
  w.plan.root = w.filter({inverse_positive(w.column("xv")), positive(w.column("yv"))}, std::move(join));
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter 1 / xv > 0\n"
            "  join xk = yk\n"
            "    scan x (xk, xv)\n"
            "    filter yv > 0\n"
            "      scan y (yk, yv)\n");
}

// The bounds of xk (0 .. 99) prove xk + 1, those of xv do not prove xv * 2.
TEST(PushDown, BoundsProveArithmetic) {
  PlanWriter w;
  LogicalNode join = joined(w);
  w.plan.root = w.filter({positive(call(Operation::kAdd, kInteger, {w.column("xk"), integer(1)})),
                          positive(call(Operation::kMultiply, kInteger, {w.column("xv"), integer(2)}))},
                         std::move(join));
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter xv * 2 > 0\n"
            "  join xk = yk\n"
            "    filter xk + 1 > 0\n"
            "      scan x (xk, xv)\n"
            "    scan y (yk, yv)\n");
}

TEST(PushDown, KeepsTheOrderOfWhatCanFailInAScan) {
  PlanWriter w;
  LogicalNode scan = w.scan(table("x", "x"));
  w.plan.root = w.filter(
      {inverse_positive(w.column("xv")), equal(w.column("xk"), integer(3)), inverse_positive(w.column("xk"))}, std::move(scan));
  push_down_conditions(w.plan);
  order_conjuncts(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter xk = 3 and 1 / xv > 0 and 1 / xk > 0\n"
            "  scan x (xk, xv)\n");
}

TEST(PushDown, ThroughProjectionsAndBelowAggregatesOnKeys) {
  PlanWriter w;
  LogicalNode node = w.scan(table("x", "x"));
  node =
      w.project({{"k", call(Operation::kAdd, kInteger, {w.column("xk"), integer(1)})}, {"v", w.column("xv")}}, std::move(node));
  node = w.aggregate({w.column("k")}, {{"total", AggregateKind::kSum, kBigint, {w.column("v")}}}, std::move(node));
  w.plan.root = w.filter({positive(w.column("total")), positive(w.column("k")), boolean(false)}, std::move(node));
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter total > 0 and false\n"
            "  aggregate by k: total = sum(v)\n"
            "    project k = xk + 1, v = xv\n"
            "      filter xk + 1 > 0\n"
            "        scan x (xk, xv)\n");
}

TEST(PushDown, NotThroughALimit) {
  PlanWriter w;
  LogicalNode scan = w.scan(table("x", "x"));
  LogicalNode node = w.sort({{w.column("xk"), false}}, std::move(scan));
  w.plan.root = w.filter({positive(w.column("xv"))}, w.limit(5, std::move(node)));
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter xv > 0\n"
            "  limit 5\n"
            "    sort by xk\n"
            "      scan x (xk, xv)\n");
}

TEST(Prune, ReadsOnlyWhatIsUsed) {
  PlanWriter w;
  LogicalNode node = joined(w);
  node = w.aggregate(
      {w.column("xk")},
      {{"total", AggregateKind::kSum, kBigint, {w.column("xv")}}, {"most", AggregateKind::kMax, kInteger, {w.column("yv")}}},
      std::move(node));
  LogicalPlan plan = w.finish(std::move(node), {"most"});
  prune_columns(plan);
  EXPECT_EQ(to_string(plan),
            "aggregate by xk: most = max(yv)\n"
            "  join xk = yk\n"
            "    scan x (xk)\n"
            "    scan y (yk, yv)\n");
}

TEST(Prune, CountsRowsWithoutColumns) {
  PlanWriter w;
  LogicalNode node = w.aggregate({}, {{"n", AggregateKind::kCountStar, kBigint, {}}}, w.scan(table("x", "x")));
  LogicalPlan plan = w.finish(std::move(node), {"n"});
  prune_columns(plan);
  EXPECT_EQ(to_string(plan), "aggregate: n = count(*)\n  scan x ()\n");
}

TEST(Renamings, LeaveAndTheResultFollows) {
  PlanWriter w;
  LogicalNode node = w.scan(table("x", "x"));
  const ColumnId original = w.column("xk").column;
  node = w.project({{"renamed", w.column("xk")}}, std::move(node));
  node = w.sort({{w.column("renamed"), false}}, std::move(node));
  node = w.project({{"again", w.column("renamed")}}, std::move(node));
  LogicalPlan plan = w.finish(std::move(node), {"again"});
  remove_renamings(plan);
  EXPECT_EQ(to_string(plan), "sort by xk\n  scan x (xk, xv)\n");
  EXPECT_EQ(plan.result.at(0).column, original);
  EXPECT_EQ(plan.result.at(0).name, "again");
}

TEST(DuplicateKeys, CountOnce) {
  PlanWriter w;
  LogicalNode node = w.scan(table("x", "x"));
  const Expression k = w.column("xk");
  node = w.aggregate({k, w.column("xv"), k}, {}, std::move(node));
  node.outputs[2] = w.plan.add_column("second", kInteger);
  const Expression second = w.column("second");
  node = w.sort({{second, false}, {w.column("xv"), true}, {second, true}}, std::move(node));
  LogicalPlan plan = w.finish(std::move(node), {"second"});
  remove_duplicate_keys(plan);
  EXPECT_EQ(to_string(plan),
            "sort by xk, xv desc\n"
            "  aggregate by xk, xv\n"
            "    scan x (xk, xv)\n");
}

}  // namespace
}  // namespace saccade
