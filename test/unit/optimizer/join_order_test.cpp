#include "optimizer/join_order.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "optimizer/optimizer.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

// A dimension of `rows` keys.
std::shared_ptr<Table> dimension(const std::string& name, std::int64_t rows) {
  const auto distinct = static_cast<double>(rows);
  return std::make_shared<FakeTable>(
      name, rows, std::vector{fake_column(name + "_key", kInteger, 1, rows, distinct, Uniqueness::kPossible)});
}

TEST(JoinOrder, TheSmallerSideBuilds) {
  PlanWriter w;
  LogicalNode node = w.join(w.scan(customer()), w.scan(orders()));
  node.conjuncts = {equal(w.column("c_custkey"), w.column("o_custkey"))};
  const LogicalPlan plan = optimize(w.finish(std::move(node), {"o_orderkey"}));
  EXPECT_EQ(plan.root.children.at(0).table->name(), "orders");
  EXPECT_EQ(plan.root.children.at(1).table->name(), "customer");
}

// A chain of many relations, more than the exact search takes: all conditions are kept, none is a cross product.
TEST(JoinOrder, LongChainsStayConnected) {
  for (const int length : {2, 5, 12, 13, 20}) {
    PlanWriter w;
    LogicalNode node = w.scan(dimension("t0", 1000));
    std::vector<Expression> conditions;
    for (int i = 1; i < length; ++i) {
      const std::string name = fmt::format("t{}", i);
      node = w.join(std::move(node), w.scan(dimension(name, 1000 + 10 * i)));
      conditions.push_back(equal(w.column(fmt::format("t{}_key", i - 1)), w.column(name + "_key")));
    }
    node = w.filter(std::move(conditions), std::move(node));
    const std::string text = to_string(optimize(w.finish(std::move(node), {"t0_key"})));
    EXPECT_EQ(text.find("cross"), std::string::npos) << text;
    std::size_t joins = 0;
    for (std::size_t at = text.find("join "); at != std::string::npos; at = text.find("join ", at + 1)) ++joins;
    EXPECT_EQ(joins, static_cast<std::size_t>(length - 1)) << text;
  }
}

TEST(JoinOrder, PartsWithoutAConditionAreCrossedLast) {
  PlanWriter w;
  LogicalNode node = w.join(w.join(w.scan(dimension("a", 10)), w.scan(dimension("b", 20))), w.scan(dimension("c", 30)));
  node = w.filter({equal(w.column("a_key"), w.column("c_key"))}, std::move(node));
  const LogicalPlan plan = optimize(w.finish(std::move(node), {"a_key", "b_key"}));
  EXPECT_EQ(to_string(plan),
            "cross join\n"
            "  scan b (b_key)\n"
            "  join a_key = c_key\n"
            "    scan c (c_key)\n"
            "    scan a (a_key)\n");
}

TEST(JoinOrder, OtherConditionsStandAboveTheirJoin) {
  PlanWriter w;
  LogicalNode node = w.join(w.scan(customer()), w.scan(orders()));
  node = w.filter({equal(w.column("c_custkey"), w.column("o_custkey")),
                   compare(Operation::kLess, w.column("c_nationkey"), w.column("o_shippriority"))},
                  std::move(node));
  const LogicalPlan plan = optimize(w.finish(std::move(node), {"o_orderkey"}));
  EXPECT_EQ(to_string(plan),
            "filter c_nationkey < o_shippriority\n"
            "  join c_custkey = o_custkey\n"
            "    scan orders (o_orderkey, o_custkey, o_shippriority)\n"
            "    scan customer (c_custkey, c_nationkey)\n");
}

// a + b = c can only be a key once a and b are together.
TEST(JoinOrder, AKeyOverTwoRelations) {
  PlanWriter w;
  LogicalNode node = w.join(w.join(w.scan(dimension("a", 10)), w.scan(dimension("b", 20))), w.scan(dimension("c", 30)));
  const Expression sum = call(Operation::kAdd, kInteger, {w.column("a_key"), w.column("b_key")});
  node = w.filter({equal(sum, w.column("c_key"))}, std::move(node));
  const LogicalPlan plan = optimize(w.finish(std::move(node), {"c_key"}));
  EXPECT_EQ(to_string(plan),
            "join a_key + b_key = c_key\n"
            "  cross join\n"
            "    scan b (b_key)\n"
            "    scan a (a_key)\n"
            "  scan c (c_key)\n");
}

}  // namespace
}  // namespace saccade
