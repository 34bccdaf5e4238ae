// Rules that simplify expressions: folding, casts taken off columns, factored disjunctions, inferred conditions.
#include <gtest/gtest.h>

#include "optimizer/rules/rules.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;
using Rule = void (*)(LogicalPlan&);

// Columns a, b: integers of 0 .. 99; d: date; m: numeric(15,2).
std::shared_ptr<Table> table() {
  return std::make_shared<FakeTable>(
      "t", 1000,
      std::vector{fake_column("a", kInteger, 0, 99, 100), fake_column("b", kInteger, 0, 99, 100),
                  fake_column("d", kDate, 0, 20000, 1000), fake_column("m", kMoney, 0, 9999, 1000)});
}

class Simplify : public testing::Test {
 protected:
  Simplify() : scan_(w.scan(table())) {}

  // The conditions left of a filter of `condition`; "all" where the filter has gone.
  std::string simplified(Expression condition, std::vector<Rule> rules) {
    w.plan.root = w.filter({std::move(condition)}, scan_);
    for (const Rule rule : rules) rule(w.plan);
    if (w.plan.root.kind != LogicalKind::kFilter) return "all";
    std::string result;
    for (const Expression& conjunct : w.plan.root.conjuncts)
      result += (result.empty() ? "" : "; ") + to_string(conjunct, w.plan.names);
    return result;
  }
  std::string folded(Expression condition) { return simplified(std::move(condition), {fold_constants}); }
  std::string unwrapped(Expression condition) { return simplified(std::move(condition), {fold_constants, unwrap_casts}); }

  PlanWriter w;
  LogicalNode scan_;
  const Expression a = w.column("a"), b = w.column("b"), d = w.column("d"), m = w.column("m");
  const Expression null = literal_expression(Value::null(kInteger));
  const Expression a_is_1 = equal(a, integer(1)), b_is_2 = equal(b, integer(2)), b_is_3 = equal(b, integer(3));
  // Raises an error where it is evaluated.
  const Expression fails = equal(call(Operation::kDivide, kInteger, {integer(1), integer(0)}), integer(1));
};

TEST_F(Simplify, ConnectivesWithConstants) {
  EXPECT_EQ(folded(all_of({boolean(true), a_is_1})), "a = 1");
  EXPECT_EQ(folded(all_of({a_is_1, boolean(false)})), "false");
  EXPECT_EQ(folded(any_of({boolean(false), a_is_1})), "a = 1");
  EXPECT_EQ(folded(any_of({a_is_1, boolean(true)})), "all");
  EXPECT_EQ(folded(all_of({all_of({a_is_1, b_is_2}), equal(integer(1), integer(1))})), "a = 1; b = 2");
  EXPECT_EQ(folded(equal(a, null)), "NULL");
}

TEST_F(Simplify, NegationsGoInward) {
  const auto negation = [](Expression e) { return call(Operation::kNot, kBoolean, {std::move(e)}); };
  EXPECT_EQ(folded(negation(compare(Operation::kLess, a, integer(5)))), "a >= 5");
  EXPECT_EQ(folded(negation(any_of({a_is_1, negation(b_is_2)}))), "a <> 1; b = 2");
  EXPECT_EQ(folded(negation(call(Operation::kIsNull, kBoolean, {a}))), "a is not null");
}

TEST_F(Simplify, ConstantsStandOnTheRight) {
  EXPECT_EQ(folded(compare(Operation::kLess, integer(5), a)), "a > 5");
  EXPECT_EQ(folded(compare(Operation::kLess, a, call(Operation::kAdd, kInteger, {integer(2), integer(3)}))), "a < 5");
}

TEST_F(Simplify, NothingThatFailsIsFolded) {
  EXPECT_EQ(folded(fails), "1 / 0 = 1");
  EXPECT_EQ(folded(call(Operation::kCase, kBoolean, {a_is_1, fails, boolean(false)})),
            "case when a = 1 then 1 / 0 = 1 else false end");
  EXPECT_EQ(folded(call(Operation::kCase, kBoolean, {boolean(true), a_is_1, fails})), "a = 1");
  EXPECT_EQ(folded(call(Operation::kCase, kBoolean, {boolean(false), fails, a_is_1, b_is_2, b_is_3})),
            "case when a = 1 then b = 2 else b = 3 end");
}

TEST_F(Simplify, CoalesceAndNullTests) {
  EXPECT_EQ(folded(equal(call(Operation::kCoalesce, kInteger, {null, a, integer(4), b}), integer(1))), "coalesce(a, 4) = 1");
  EXPECT_EQ(folded(call(Operation::kIsNull, kBoolean, {null})), "all");
}

TEST_F(Simplify, DatesComparedWithTimestamps) {
  const Expression moment = call(Operation::kCast, kTimestamp, {d});
  const Expression noon = literal_expression({kTimestamp, int128{parse_timestamp("1995-03-15 12:00:00")}});
  const Expression midnight = literal_expression({kTimestamp, int128{parse_timestamp("1995-03-15 00:00:00")}});
  const auto with = [&](Operation operation, const Expression& constant) {
    return unwrapped(compare(operation, moment, constant));
  };
  EXPECT_EQ(with(Operation::kLess, noon), "d < 1995-03-16");
  EXPECT_EQ(with(Operation::kLessEqual, noon), "d <= 1995-03-15");
  EXPECT_EQ(with(Operation::kGreater, noon), "d > 1995-03-15");
  EXPECT_EQ(with(Operation::kGreaterEqual, noon), "d >= 1995-03-16");
  EXPECT_EQ(with(Operation::kLess, midnight), "d < 1995-03-15");
  EXPECT_EQ(with(Operation::kGreaterEqual, midnight), "d >= 1995-03-15");
  EXPECT_EQ(with(Operation::kEqual, midnight), "d = 1995-03-15");
  EXPECT_EQ(with(Operation::kEqual, noon), "cast(d as timestamp without time zone) = 1995-03-15 12:00:00");
  const Expression before = literal_expression({kTimestamp, int128{parse_timestamp("1969-12-30 12:00:00")}});
  EXPECT_EQ(with(Operation::kLess, before), "d < 1969-12-31");
}

TEST_F(Simplify, WideningCastsOfNumbers) {
  const Expression wide = call(Operation::kCast, DataType::numeric(16, 3), {m});
  EXPECT_EQ(unwrapped(compare(Operation::kLess, wide, numeric(55, 3))), "m < 0.06");
  EXPECT_EQ(unwrapped(compare(Operation::kLess, wide, numeric(-55, 3))), "m < -0.05");
  EXPECT_EQ(unwrapped(compare(Operation::kGreater, wide, numeric(50, 3))), "m > 0.05");
  const Expression big = call(Operation::kCast, kBigint, {a});
  EXPECT_EQ(unwrapped(compare(Operation::kGreater, big, literal_expression({kBigint, int128{7}}))), "a > 7");
  EXPECT_EQ(unwrapped(compare(Operation::kGreater, big, literal_expression({kBigint, int128{1} << 40}))),
            "cast(a as bigint) > 1099511627776");
  // A narrowing cast raises an error for some values and has to stay.
  const Expression narrow = call(Operation::kCast, DataType::numeric(3, 2), {m});
  EXPECT_EQ(unwrapped(compare(Operation::kGreater, narrow, numeric(100, 2))), "cast(m as numeric(3,2)) > 1.00");
}

TEST_F(Simplify, DisjunctionsShareConjuncts) {
  const std::vector<Rule> rules = {fold_constants, factor_disjunctions};
  EXPECT_EQ(simplified(any_of({all_of({a_is_1, b_is_2}), all_of({b_is_3, a_is_1})}), rules), "a = 1; b = 2 or b = 3");
  EXPECT_EQ(simplified(any_of({all_of({a_is_1, b_is_2}), a_is_1}), rules), "a = 1");
  EXPECT_EQ(simplified(any_of({a_is_1, b_is_2}), rules), "a = 1 or b = 2");
  EXPECT_EQ(simplified(any_of({all_of({a_is_1, fails}), all_of({fails, b_is_2})}), rules),
            "a = 1 and 1 / 0 = 1 or 1 / 0 = 1 and b = 2");
}

TEST_F(Simplify, ConditionsOnEqualColumns) {
  const std::vector<Rule> rules = {fold_constants, infer_conditions};
  w.plan.root = w.filter({all_of({equal(a, b), equal(a, integer(5)), compare(Operation::kLess, b, integer(9))})}, scan_);
  for (const Rule rule : rules) rule(w.plan);
  EXPECT_EQ(to_string(w.plan),
            "filter b = 5 and a < 9\n"
            "  filter a = b and a = 5 and b < 9\n"
            "    scan t (a, b, d, m)\n");
}

}  // namespace
}  // namespace saccade
