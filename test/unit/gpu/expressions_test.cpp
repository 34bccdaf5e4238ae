// Logic with nulls, CASE, COALESCE and lookups, and failures only where rows reach them: the shim against the reference.
#include <gtest/gtest.h>

#include "unit/gpu/device_run.hpp"
#include "unit/gpu/tpch_plans.hpp"

namespace saccade::test {
namespace {

using physical::Node;
using physical::NodeKind;
using B = PipelineBuilder;
using F = FunctionId;

// All nine pairs of true, false and null, and small numbers with zeros and nulls.
std::shared_ptr<ArrayTable> logic_table() {
  constexpr std::int64_t kRows = 900;
  std::vector<Cell> p, q;
  for (std::int64_t i = 0; i < kRows; ++i) {
    p.push_back(i % 3 == 2 ? null_cell() : cell(i % 3));
    q.push_back(i / 3 % 3 == 2 ? null_cell() : cell(i / 3 % 3));
  }
  const DataType boolean{TypeKind::kBoolean}, bigint{TypeKind::kBigint};
  return std::make_shared<ArrayTable>(
      "logic",
      std::vector<ArrayColumn>{{"p", boolean, Lane::kBoolean, kNarrow1, 0, p, 0},
                               {"q", boolean, Lane::kBoolean, kNarrow1, 0, q, 0},
                               {"x", bigint, Lane::kInt64, kNarrow1, -3, random_cells(kRows, -3, 3, 1, 5), 0},
                               {"y", bigint, Lane::kInt64, kPlain8, 0, random_cells(kRows, -4000000000, 4000000000, 2, 5), 0}},
      std::vector<std::int64_t>{300, 600});
}

struct LogicPlan {
  std::shared_ptr<ArrayTable> table = logic_table();
  physical::Plan plan;
  B p{plan};
  LogicPlan() { p.scan(*table); }
  void expect(const std::vector<std::string>& names) {
    p.result(names);
    expect_as_reference(plan, {{"logic", table}});
  }
  Node nonzero() { return compare(F::not_equal_i64, p.node("x"), p.integer(0)); }
  Node quotient() { return compare(F::divide_i64, p.node("y"), p.node("x")); }
  static Node combine(NodeKind kind, std::vector<Node> arguments) {
    return B::combine(kind, Lane::kBoolean, std::move(arguments));
  }
};

TEST(Expressions, ThreeValuedLogic) {
  LogicPlan l;
  l.p.compute("and", l.combine(NodeKind::kAnd, {l.p.node("p"), l.p.node("q")}));
  l.p.compute("or", l.combine(NodeKind::kOr, {l.p.node("p"), l.p.node("q")}));
  l.p.compute("not", l.combine(NodeKind::kNot, {l.p.node("p")}));
  l.p.compute("null", l.combine(NodeKind::kIsNull, {l.p.node("q")}));
  l.p.compute("three", l.combine(NodeKind::kAnd, {l.p.node("p"), l.combine(NodeKind::kNot, {l.p.node("q")}), l.nonzero()}));
  l.p.compute("literal", l.combine(NodeKind::kOr, {l.p.node("p"), l.p.literal(Lane::kBoolean, null_cell())}));
  l.expect({"p", "q", "x", "and", "or", "not", "null", "three", "literal"});
}

TEST(Expressions, FiltersDropFalseAndNull) {
  LogicPlan l;
  l.p.filter(l.combine(NodeKind::kOr, {l.p.node("p"), l.combine(NodeKind::kAnd, {l.p.node("q"), l.nonzero()})}));
  l.p.filter(l.combine(NodeKind::kNot, {l.combine(NodeKind::kIsNull, {l.p.node("y")})}));
  l.expect({"p", "q", "x", "y"});
}

TEST(Expressions, AFailureBehindASettledConditionIsNone) {
  LogicPlan l;
  const Node positive = compare(F::greater_i64, l.quotient(), l.p.integer(0));
  l.p.compute("and", l.combine(NodeKind::kAnd, {l.nonzero(), positive}));
  l.p.compute("or", l.combine(NodeKind::kOr, {l.combine(NodeKind::kNot, {l.nonzero()}), positive}));
  l.p.compute("case", B::combine(NodeKind::kCase, Lane::kInt64, {l.nonzero(), l.quotient(), l.p.integer(-1)}));
  l.p.compute("else", B::combine(NodeKind::kCase, Lane::kInt64,
                                 {compare(F::equal_i64, l.p.node("x"), l.p.integer(0)), l.p.node("x"), l.p.node("p"),
                                  l.quotient(), compare(F::add_checked_i64, l.quotient(), l.p.node("x"))}));
  l.p.filter(l.nonzero());
  l.p.compute("after", l.quotient());
  l.expect({"x", "y", "and", "or", "case", "else", "after"});
}

TEST(Expressions, AFailureThatIsReachedIsTheFunctionsError) {
  LogicPlan l;
  l.p.compute("z", l.quotient());
  l.p.result({"z"});
  DeviceRun run;
  try {
    run.run(l.plan, {{"logic", l.table}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate::kDivisionByZero);
  }
  // The backend goes on.
  LogicPlan next;
  next.p.filter(next.nonzero());
  next.p.compute("z", next.quotient());
  next.p.result({"z"});
  EXPECT_NO_THROW(run.run(next.plan, {{"logic", next.table}}));
}

TEST(Expressions, CoalesceAndLookups) {
  LogicPlan l;
  l.p.compute("first", B::combine(NodeKind::kOrElse, Lane::kInt64, {l.p.node("x"), l.p.node("y")}));
  l.p.compute("never", B::combine(NodeKind::kOrElse, Lane::kInt64, {l.p.node("x"), l.p.integer(int128{1} << 50)}));
  l.p.compute("mapped", l.p.lookup({Lane::kInt64, -3, {10, int64_t{1} << 40, 30, 40, 50, 60, 70}}, l.p.node("x")));
  l.p.compute("flag", l.p.lookup({Lane::kBoolean, -3, {1, 0, 0, 1, 1, 0, 1}}, l.p.node("x")));
  l.p.filter(l.combine(NodeKind::kOr, {l.p.node("flag"), l.p.node("p")}));
  l.expect({"x", "y", "first", "never", "mapped", "flag"});
}

}  // namespace
}  // namespace saccade::test
