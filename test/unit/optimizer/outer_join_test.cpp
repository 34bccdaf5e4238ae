// What rules may do with outer, semi and anti joins, and above all what they must not.
#include <gtest/gtest.h>

#include "optimizer/cardinality.hpp"
#include "optimizer/null_rejection.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"
#include "optimizer/unique_columns.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

std::shared_ptr<Table> table(const std::string& name, std::int64_t rows = 1000) {
  return std::make_shared<FakeTable>(
      name, rows, std::vector{fake_column(name + "k", kInteger, 0, 99, 100), fake_column(name + "v", kInteger, 0, 99, 100)});
}

Expression above(Expression e, std::int64_t value = 5) {
  return compare(Operation::kGreater, std::move(e), integer(value));
}
Expression is_null(Expression e) {
  return call(Operation::kIsNull, kBoolean, {std::move(e)});
}

// x and y by their keys, under filters.
struct TwoTables {
  PlanWriter w;
  TwoTables(JoinKind kind, const std::vector<std::string>& on, const std::vector<std::string>& where) {
    LogicalNode x = w.scan(table("x")), y = w.scan(table("y"));
    std::vector<Expression> conditions = {equal(w.column("xk"), w.column("yk"))};
    for (const std::string& name : on) conditions.push_back(above(w.column(name)));
    w.plan.root = w.join(std::move(x), std::move(y), std::move(conditions), kind);
    std::vector<Expression> filters;
    for (const std::string& name : where) filters.push_back(above(w.column(name)));
    if (!filters.empty()) w.plan.root = w.filter(std::move(filters), std::move(w.plan.root));
  }
  std::string pushed() {
    push_down_conditions(w.plan);
    return to_string(w.plan);
  }
  std::string simplified() {
    simplify_outer_joins(w.plan);
    return to_string(w.plan);
  }
};

TEST(OuterJoins, ConditionsGoToTheSideTheyMayFilter) {
  EXPECT_EQ(TwoTables(JoinKind::kLeft, {"xv", "yv"}, {"xk", "yk"}).pushed(),
            "filter yk > 5\n"
            "  left join xk = yk and xv > 5\n"
            "    filter xk > 5\n"
            "      scan x (xk, xv)\n"
            "    filter yv > 5\n"
            "      scan y (yk, yv)\n");
  EXPECT_EQ(TwoTables(JoinKind::kFull, {"xv", "yv"}, {"xk", "yk"}).pushed(),
            "filter xk > 5 and yk > 5\n"
            "  full join xk = yk and xv > 5 and yv > 5\n"
            "    scan x (xk, xv)\n"
            "    scan y (yk, yv)\n");
  EXPECT_EQ(TwoTables(JoinKind::kSemi, {"xv", "yv"}, {"xk"}).pushed(),
            "semi join xk = yk\n"
            "  filter xk > 5 and xv > 5\n"
            "    scan x (xk, xv)\n"
            "  filter yv > 5\n"
            "    scan y (yk, yv)\n");
  EXPECT_EQ(TwoTables(JoinKind::kAnti, {"xv", "yv"}, {"xk"}).pushed(),
            "anti join xk = yk and xv > 5\n"
            "  filter xk > 5\n"
            "    scan x (xk, xv)\n"
            "  filter yv > 5\n"
            "    scan y (yk, yv)\n");
}

// 1 / yv in ON would be evaluated for rows of y that no row of x is compared with.
TEST(OuterJoins, WhatCanFailStaysInOn) {
  PlanWriter w;
  LogicalNode x = w.scan(table("x")), y = w.scan(table("y"));
  const Expression inverse = above(call(Operation::kDivide, kInteger, {integer(1), w.column("yv")}));
  w.plan.root = w.join(std::move(x), std::move(y), {equal(w.column("xk"), w.column("yk")), inverse}, JoinKind::kLeft);
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "left join xk = yk and 1 / yv > 5\n"
            "  scan x (xk, xv)\n"
            "  scan y (yk, yv)\n");
}

TEST(OuterJoins, ConditionsThatRejectNullUndoThem) {
  const auto kind = [](JoinKind from, const std::vector<std::string>& where) {
    const std::string text = TwoTables(from, {}, where).simplified();
    const std::size_t line = text.find('\n') + 1;
    return text.substr(line, text.find('\n', line) - line);
  };
  EXPECT_EQ(kind(JoinKind::kLeft, {"yv"}), "  join xk = yk");
  EXPECT_EQ(kind(JoinKind::kLeft, {"xv"}), "  left join xk = yk");
  EXPECT_EQ(kind(JoinKind::kFull, {"xv", "yv"}), "  join xk = yk");
  EXPECT_EQ(TwoTables(JoinKind::kFull, {}, {"xv"}).simplified(),
            "filter xv > 5\n"
            "  left join xk = yk\n"
            "    scan x (xk, xv)\n"
            "    scan y (yk, yv)\n");
  EXPECT_EQ(TwoTables(JoinKind::kFull, {}, {"yv"}).simplified(),
            "filter yv > 5\n"
            "  left join xk = yk\n"
            "    scan y (yk, yv)\n"
            "    scan x (xk, xv)\n");
}

TEST(OuterJoins, NullRejection) {
  const Expression a = column_expression(1, kInteger), b = column_expression(2, kInteger);
  const std::vector<ColumnId> columns = {1};
  const auto call_not = [](Expression e) { return call(Operation::kNot, kBoolean, {std::move(e)}); };
  EXPECT_TRUE(rejects_null(above(a), columns));
  EXPECT_TRUE(rejects_null(equal(a, b), columns));
  EXPECT_TRUE(rejects_null(call_not(above(a)), columns));
  EXPECT_TRUE(rejects_null(call_not(is_null(a)), columns));
  EXPECT_TRUE(rejects_null(any_of({above(a), equal(a, b)}), columns));
  EXPECT_TRUE(rejects_null(all_of({above(b), above(a)}), columns));
  EXPECT_FALSE(rejects_null(above(b), columns));
  EXPECT_FALSE(rejects_null(is_null(a), columns));
  EXPECT_FALSE(rejects_null(any_of({above(a), above(b)}), columns));
  EXPECT_FALSE(rejects_null(call_not(all_of({above(a), above(b)})), columns));
  EXPECT_FALSE(rejects_null(above(call(Operation::kCoalesce, kInteger, {a, integer(7)})), columns));
  EXPECT_FALSE(rejects_null(not_distinct(a, b), columns));
}

TEST(OuterJoins, ASemiJoinWithOneMatchIsAnInnerJoin) {
  PlanWriter w;
  LogicalNode x = w.scan(table("x")), y = w.scan(table("y"));
  const Expression key = w.column("xk");
  LogicalNode groups = w.aggregate({w.column("yk")}, {}, std::move(y));
  w.plan.root = w.join(std::move(x), std::move(groups), {equal(key, w.column("yk"))}, JoinKind::kSemi);
  EXPECT_TRUE(matches_at_most_once(w.plan.root));
  simplify_outer_joins(w.plan);
  EXPECT_EQ(w.plan.root.join_kind, JoinKind::kInner);

  TwoTables repeated(JoinKind::kSemi, {}, {});
  repeated.simplified();
  EXPECT_EQ(repeated.w.plan.root.join_kind, JoinKind::kSemi);
}

TEST(OuterJoins, ConstantsReachTheOtherSideWhereOnlyMatchesMatter) {
  PlanWriter w;
  LogicalNode x = w.scan(table("x")), y = w.scan(table("y"));
  const Expression xk = w.column("xk"), yk = w.column("yk");
  const LogicalNode join = w.join(std::move(x), std::move(y), {equal(xk, yk)}, JoinKind::kLeft);
  w.plan.root = w.filter({equal(xk, integer(7))}, join);
  infer_conditions(w.plan);
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "left join xk = yk\n"
            "  filter xk = 7\n"
            "    scan x (xk, xv)\n"
            "  filter yk = 7\n"
            "    scan y (yk, yv)\n");
  // A condition in ON says nothing of the rows of the left.
  w.plan.root = join;
  w.plan.root.conjuncts.push_back(equal(yk, integer(7)));
  infer_conditions(w.plan);
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "left join xk = yk\n"
            "  scan x (xk, xv)\n"
            "  filter yk = 7\n"
            "    scan y (yk, yv)\n");
}

TEST(OuterJoins, DisjunctionsOverTwoTablesFilterEach) {
  PlanWriter w;
  LogicalNode x = w.scan(table("x")), y = w.scan(table("y"));
  const auto pair = [&](std::int64_t a, std::int64_t b) {
    return all_of({equal(w.column("xv"), integer(a)), equal(w.column("yv"), integer(b))});
  };
  const Expression keys = equal(w.column("xk"), w.column("yk"));
  w.plan.root = w.filter({any_of({pair(1, 2), pair(2, 1)})}, w.join(std::move(x), std::move(y), {keys}));
  infer_conditions(w.plan);
  push_down_conditions(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "join xk = yk and (xv = 1 and yv = 2 or xv = 2 and yv = 1)\n"
            "  filter (xv = 1 or xv = 2)\n"
            "    scan x (xk, xv)\n"
            "  filter (yv = 2 or yv = 1)\n"
            "    scan y (yk, yv)\n");
}

TEST(OuterJoins, EstimatesKeepTheRowsOfTheKeptSide) {
  const auto rows = [](JoinKind kind) {
    TwoTables tables(kind, {}, {});
    if (kind == JoinKind::kMark) tables.w.plan.root.mark = tables.w.plan.add_column("found", kBoolean);
    return Cardinality(tables.w.plan).rows(tables.w.plan.root);
  };
  EXPECT_EQ(rows(JoinKind::kInner), 10000);
  EXPECT_EQ(rows(JoinKind::kLeft), 10000);
  EXPECT_EQ(rows(JoinKind::kMark), 1000);
  EXPECT_LT(rows(JoinKind::kSemi), 1000);
  EXPECT_GT(rows(JoinKind::kSemi), 500);
  EXPECT_LT(rows(JoinKind::kAnti), 500);
}

}  // namespace
}  // namespace saccade
