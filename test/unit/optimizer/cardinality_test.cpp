#include "optimizer/cardinality.hpp"

#include <gtest/gtest.h>

#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

TEST(Cardinality, RangesAndEqualities) {
  PlanWriter w;
  const LogicalPlan plan = w.finish(w.scan(lineitem()), {"l_orderkey"});
  const Cardinality cardinality(plan);
  const Expression shipped = w.column("l_shipdate"), discount = w.column("l_discount");
  const auto between = all_of(
      {compare(Operation::kGreaterEqual, shipped, date("1994-01-01")), compare(Operation::kLess, shipped, date("1995-01-01"))});
  EXPECT_NEAR(cardinality.selectivity(between), 365.0 / 2526, 0.001);
  EXPECT_NEAR(cardinality.selectivity(compare(Operation::kGreater, shipped, date("1995-03-15"))), 0.537, 0.01);
  EXPECT_NEAR(cardinality.selectivity(equal(discount, numeric(5, 2))), 1.0 / 11, 1e-9);
  EXPECT_LT(cardinality.selectivity(equal(discount, numeric(500, 2))), 1e-6);
  EXPECT_NEAR(cardinality.selectivity(any_of({equal(discount, numeric(5, 2)), equal(discount, numeric(6, 2))})), 2.0 / 11,
              0.01);
  EXPECT_LT(cardinality.selectivity(call(Operation::kIsNull, kBoolean, {discount})), 1e-6);
}

TEST(Cardinality, JoinsAndGroups) {
  PlanWriter v;
  LogicalNode customers = v.scan(customer());
  customers = v.filter({equal(v.column("c_mktsegment"), text("BUILDING"))}, std::move(customers));
  LogicalNode node = v.join(v.scan(orders()), std::move(customers));
  node.conjuncts = {equal(v.column("o_custkey"), v.column("c_custkey"))};
  const LogicalNode join = node;
  node = v.aggregate({v.column("c_nationkey")}, {{"n", AggregateKind::kCountStar, kBigint, {}}}, std::move(node));
  const LogicalPlan plan = v.finish(node, {"n"});
  const Cardinality cardinality(plan);
  EXPECT_NEAR(cardinality.rows(join), 300000, 1);  // a fifth of the customers has a fifth of the orders
  EXPECT_NEAR(cardinality.rows(plan.root), 25, 1e-9);
}

// o_orderkey <= 60000, and the same inferred for l_orderkey: a hundredth of all lines, not a hundredth of a hundredth.
TEST(Cardinality, InferredRestrictionsCountOnce) {
  PlanWriter w;
  LogicalNode lines = w.scan(lineitem()), ordered = w.scan(orders());
  const auto few = [&](const char* column) {
    return compare(Operation::kLessEqual, w.column(column), literal_expression({kBigint, int128{60000}}));
  };
  LogicalNode node = w.join(w.filter({few("l_orderkey")}, std::move(lines)), w.filter({few("o_orderkey")}, std::move(ordered)));
  node.conjuncts = {equal(w.column("l_orderkey"), w.column("o_orderkey"))};
  const LogicalPlan plan = w.finish(std::move(node), {"l_orderkey"});
  EXPECT_NEAR(Cardinality(plan).rows(plan.root), 60012, 600);
}

TEST(Cardinality, BoundsFollowExpressions) {
  PlanWriter w;
  LogicalNode node = w.scan(lineitem());
  node = w.project({{"next", call(Operation::kAdd, kBigint, {w.column("l_orderkey"), integer(1)})}}, std::move(node));
  node = w.aggregate(
      {}, {{"most", AggregateKind::kMax, kBigint, {w.column("next")}}, {"n", AggregateKind::kCountStar, kBigint, {}}},
      std::move(node));
  const LogicalPlan plan = w.finish(std::move(node), {"most", "n"});
  const Cardinality cardinality(plan);
  EXPECT_EQ(cardinality.bounds(w.column("next").column), (Bounds{2, 6000001}));
  EXPECT_EQ(cardinality.bounds(w.column("most").column), (Bounds{2, 6000001}));
  EXPECT_EQ(cardinality.bounds(w.column("n").column), std::nullopt);
}

TEST(ValueRange, KnowsWhatCanFail) {
  PlanWriter w;
  const LogicalPlan plan = w.finish(w.scan(lineitem()), {"l_orderkey"});
  const Cardinality cardinality(plan);
  const ColumnRanges ranges = cardinality.ranges();
  const Expression key = w.column("l_orderkey"), price = w.column("l_extendedprice");
  EXPECT_FALSE(can_fail(call(Operation::kMultiply, kBigint, {key, key}), ranges));
  EXPECT_TRUE(can_fail(call(Operation::kMultiply, kInteger, {key, key}), ranges));
  EXPECT_TRUE(can_fail(call(Operation::kDivide, kBigint, {key, integer(2)}), ranges));
  EXPECT_FALSE(can_fail(call(Operation::kCast, kInteger, {key}), ranges));
  EXPECT_TRUE(can_fail(call(Operation::kCast, {TypeKind::kSmallint}, {key}), ranges));
  EXPECT_FALSE(can_fail(call(Operation::kMultiply, DataType::numeric(30, 4), {price, price}), ranges));
  EXPECT_FALSE(can_fail(call(Operation::kCast, kTimestamp, {w.column("l_shipdate")}), ranges));
  EXPECT_TRUE(can_fail(call(Operation::kAdd, kDouble, {literal_expression({kDouble, 1.0}), literal_expression({kDouble, 1.0})}),
                       ranges));
}

}  // namespace
}  // namespace saccade
