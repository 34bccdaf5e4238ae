#include <gtest/gtest.h>

#include "plan/logical_plan.hpp"
#include "unit/plan/fake_table.hpp"

namespace saccade {
namespace {

const DataType kInt{TypeKind::kInteger};
const DataType kBool{TypeKind::kBoolean};

Expression integer(int value) {
  return literal_expression({kInt, int128{value}});
}
Expression call(Operation operation, std::vector<Expression> arguments) {
  return call_expression(operation, kInt, std::move(arguments));
}

TEST(Expression, EqualityIgnoresThePosition) {
  Expression a = call(Operation::kAdd, {column_expression(1, kInt), integer(2)});
  Expression b = a;
  b.position = 17;
  b.arguments[0].position = 5;
  EXPECT_EQ(a, b);
  b.arguments[1] = integer(3);
  EXPECT_NE(a, b);
}

TEST(Expression, ListsColumnsOnce) {
  const Expression sum = call(Operation::kAdd, {column_expression(7, kInt), column_expression(3, kInt)});
  EXPECT_EQ(columns_of(call(Operation::kMultiply, {sum, column_expression(7, kInt)})), (std::vector<ColumnId>{3, 7}));
}

TEST(Expression, PrintsParenthesesWhereTheyMatter) {
  const ColumnNames names = {"a", "b"};
  const Expression a = column_expression(0, kInt), b = column_expression(1, kInt);
  const auto text = [&](const Expression& expression) { return to_string(expression, names); };
  EXPECT_EQ(text(call(Operation::kMultiply, {a, call(Operation::kSubtract, {integer(1), b})})), "a * (1 - b)");
  EXPECT_EQ(text(call(Operation::kSubtract, {call(Operation::kSubtract, {a, b}), integer(1)})), "a - b - 1");
  EXPECT_EQ(text(call(Operation::kSubtract, {a, call(Operation::kSubtract, {b, integer(1)})})), "a - (b - 1)");
  const Expression less = call_expression(Operation::kLess, kBool, {a, b});
  EXPECT_EQ(text(call_expression(Operation::kAnd, kBool, {less, call_expression(Operation::kOr, kBool, {less, less})})),
            "a < b and (a < b or a < b)");
  EXPECT_EQ(text(call_expression(Operation::kIsNull, kBool, {call(Operation::kNegate, {a})})), "-a is null");
  EXPECT_EQ(text(call(Operation::kCase, {less, a, integer(0)})), "case when a < b then a else 0 end");
  EXPECT_EQ(text(literal_expression({{TypeKind::kText}, std::string("it's")})), "'it''s'");
  EXPECT_EQ(text(literal_expression({{TypeKind::kDate}, int128{9204}})), "1995-03-15");
  EXPECT_EQ(text(column_expression(5, kInt)), "#5");
}

TEST(LogicalPlan, PrintsATree) {
  LogicalPlan plan;
  const ColumnId k = plan.add_column("k", kInt), v = plan.add_column("v", kInt), total = plan.add_column("total", kInt);
  LogicalNode scan;
  scan.kind = LogicalKind::kScan;
  scan.table = std::make_shared<test::FakeTable>(
      "t", 10, std::vector{test::fake_column("k", kInt, 0, 9, 10), test::fake_column("v", kInt, 0, 9, 10)});
  scan.alias = "t";
  scan.columns = {0, 1};
  scan.outputs = {k, v};
  LogicalNode aggregate;
  aggregate.kind = LogicalKind::kAggregate;
  aggregate.expressions = {column_expression(k, kInt)};
  aggregate.outputs = {k};
  aggregate.aggregates = {{AggregateKind::kSum, kInt, {column_expression(v, kInt)}, false, std::nullopt, total}};
  aggregate.children = {scan};
  LogicalNode sort;
  sort.kind = LogicalKind::kSort;
  sort.sort_keys = {{column_expression(total, kInt), true, true}, {column_expression(k, kInt), false, true}};
  sort.children = {aggregate};
  LogicalNode limit;
  limit.kind = LogicalKind::kLimit;
  limit.limit = 5;
  limit.children = {sort};
  plan.root = limit;
  EXPECT_EQ(output_columns(plan.root), (std::vector<ColumnId>{k, total}));
  EXPECT_EQ(to_string(plan),
            "limit 5\n"
            "  sort by total desc, k nulls first\n"
            "    aggregate by k: total = sum(v)\n"
            "      scan t (k, v)\n");
}

}  // namespace
}  // namespace saccade
