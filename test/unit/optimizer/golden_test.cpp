// Whole plans through all rules, in the shapes of TPC-H's Q1, Q3 and Q6 as a binder makes them.
#include <gtest/gtest.h>

#include "optimizer/optimizer.hpp"
#include "unit/optimizer/plan_writer.hpp"

namespace saccade {
namespace {

using namespace test;

const DataType kRevenue = DataType::numeric(32, 4), kSum = DataType::numeric(38, 4);

// extendedprice * (1 - discount)
Expression discounted(const PlanWriter& writer) {
  const DataType difference = DataType::numeric(16, 2);
  const Expression one = call(Operation::kCast, DataType::numeric(12, 2), {integer(1)});
  return call(Operation::kMultiply, kRevenue,
              {writer.column("l_extendedprice"), call(Operation::kSubtract, difference, {one, writer.column("l_discount")})});
}

TEST(Golden, Q1) {
  PlanWriter w;
  LogicalNode scan = w.scan(lineitem());
  const Expression days = literal_expression({kInterval, Interval{0, 90, 0}});
  const Expression until = call(Operation::kSubtract, kTimestamp, {date("1998-12-01"), days});
  const Expression shipped = call(Operation::kCast, kTimestamp, {w.column("l_shipdate")});
  LogicalNode node = w.filter({compare(Operation::kLessEqual, shipped, until)}, std::move(scan));
  const std::vector<Expression> keys = {w.column("l_returnflag"), w.column("l_linestatus")};
  const Expression quantity = w.column("l_quantity");
  node = w.aggregate(keys,
                     {{"sum_qty", AggregateKind::kSum, DataType::numeric(38, 2), {quantity}},
                      {"sum_disc_price", AggregateKind::kSum, kSum, {discounted(w)}},
                      {"count_order", AggregateKind::kCountStar, kBigint, {}}},
                     std::move(node));
  node = w.project({{"l_returnflag", w.column("l_returnflag")},
                    {"l_linestatus", w.column("l_linestatus")},
                    {"sum_qty", w.column("sum_qty")},
                    {"sum_disc_price", w.column("sum_disc_price")},
                    {"count_order", w.column("count_order")}},
                   std::move(node));
  node = w.sort({{w.column("l_returnflag"), false}, {w.column("l_linestatus"), false}}, std::move(node));
  const LogicalPlan plan =
      optimize(w.finish(std::move(node), {"l_returnflag", "l_linestatus", "sum_qty", "sum_disc_price", "count_order"}));
  EXPECT_EQ(to_string(plan),
            "sort by l_returnflag, l_linestatus\n"
            "  aggregate by l_returnflag, l_linestatus: sum_qty = sum(l_quantity), "
            "sum_disc_price = sum(l_extendedprice * (1.00 - l_discount)), count_order = count(*)\n"
            "    filter l_shipdate <= 1998-09-02\n"
            "      scan lineitem (l_quantity, l_extendedprice, l_discount, l_returnflag, l_linestatus, l_shipdate)\n");
}

TEST(Golden, Q3) {
  PlanWriter w;
  LogicalNode node = w.join(w.join(w.scan(customer()), w.scan(orders())), w.scan(lineitem()));
  node =
      w.filter({all_of({equal(w.column("c_mktsegment"), text("BUILDING")), equal(w.column("c_custkey"), w.column("o_custkey")),
                        equal(w.column("l_orderkey"), w.column("o_orderkey")),
                        compare(Operation::kLess, w.column("o_orderdate"), date("1995-03-15")),
                        compare(Operation::kGreater, w.column("l_shipdate"), date("1995-03-15"))})},
               std::move(node));
  node = w.aggregate({w.column("l_orderkey"), w.column("o_orderdate"), w.column("o_shippriority")},
                     {{"revenue", AggregateKind::kSum, kSum, {discounted(w)}}}, std::move(node));
  node = w.sort({{w.column("revenue"), true}, {w.column("o_orderdate"), false}}, std::move(node));
  const LogicalPlan plan =
      optimize(w.finish(w.limit(10, std::move(node)), {"l_orderkey", "revenue", "o_orderdate", "o_shippriority"}));
  EXPECT_EQ(to_string(plan),
            "limit 10\n"
            "  sort by revenue desc, o_orderdate\n"
            "    aggregate by l_orderkey, o_orderdate, o_shippriority: "
            "revenue = sum(l_extendedprice * (1.00 - l_discount))\n"
            "      join l_orderkey = o_orderkey\n"
            "        filter l_shipdate > 1995-03-15\n"
            "          scan lineitem (l_orderkey, l_extendedprice, l_discount, l_shipdate)\n"
            "        join c_custkey = o_custkey\n"
            "          filter o_orderdate < 1995-03-15\n"
            "            scan orders (o_orderkey, o_custkey, o_orderdate, o_shippriority)\n"
            "          filter c_mktsegment = 'BUILDING'\n"
            "            scan customer (c_custkey, c_mktsegment)\n");
}

TEST(Golden, Q6) {
  PlanWriter w;
  LogicalNode node = w.scan(lineitem());
  const Expression year = literal_expression({kInterval, Interval{12, 0, 0}});
  const Expression until = call(Operation::kAdd, kTimestamp, {date("1994-01-01"), year});
  const Expression shipped = call(Operation::kCast, kTimestamp, {w.column("l_shipdate")});
  const DataType two = DataType::numeric(3, 2);
  const Expression low = call(Operation::kSubtract, two, {numeric(6, 2), numeric(1, 2)});
  const Expression high = call(Operation::kAdd, two, {numeric(6, 2), numeric(1, 2)});
  const Expression quantity = call(Operation::kCast, kMoney, {integer(24)});
  node = w.filter({all_of({compare(Operation::kGreaterEqual, w.column("l_shipdate"), date("1994-01-01")),
                           compare(Operation::kLess, shipped, until),
                           all_of({compare(Operation::kGreaterEqual, w.column("l_discount"), low),
                                   compare(Operation::kLessEqual, w.column("l_discount"), high)}),
                           compare(Operation::kLess, w.column("l_quantity"), quantity)})},
                  std::move(node));
  const Expression product =
      call(Operation::kMultiply, DataType::numeric(30, 4), {w.column("l_extendedprice"), w.column("l_discount")});
  node = w.aggregate({}, {{"revenue", AggregateKind::kSum, kSum, {product}}}, std::move(node));
  const LogicalPlan plan = optimize(w.finish(std::move(node), {"revenue"}));
  EXPECT_EQ(to_string(plan),
            "aggregate: revenue = sum(l_extendedprice * l_discount)\n"
            "  filter l_quantity < 24.00 and l_shipdate >= 1994-01-01 and l_shipdate < 1995-01-01 and l_discount >= 0.05 and "
            "l_discount <= 0.07\n"
            "    scan lineitem (l_quantity, l_extendedprice, l_discount, l_shipdate)\n");
}

}  // namespace
}  // namespace saccade
