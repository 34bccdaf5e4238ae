#include <gtest/gtest.h>

#include "unit/sql/fake_tables.hpp"

namespace saccade::test {
namespace {

TEST(TpchPlan, Q1) {
  World world;
  EXPECT_EQ(R"(sort by l_returnflag, l_linestatus
  project l_returnflag, l_linestatus, sum_qty = sum(l_quantity), sum_base_price = sum(l_extendedprice), sum_disc_price = sum(l_extendedprice * (1 - l_discount)), sum_charge = sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg_qty = avg(l_quantity), avg_price = avg(l_extendedprice), avg_disc = avg(l_discount), count_order = count(*)
    aggregate by l_returnflag, l_linestatus: sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
      filter cast(l_shipdate as timestamp without time zone) <= 1998-12-01 - 90 days
        scan lineitem (l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate)
)",
            world.plan(R"(
    select l_returnflag, l_linestatus, sum(l_quantity) as sum_qty, sum(l_extendedprice) as sum_base_price,
           sum(l_extendedprice * (1 - l_discount)) as sum_disc_price,
           sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) as sum_charge,
           avg(l_quantity) as avg_qty, avg(l_extendedprice) as avg_price, avg(l_discount) as avg_disc, count(*) as count_order
    from lineitem where l_shipdate <= date '1998-12-01' - interval '90' day
    group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus;)"));
}

TEST(TpchPlan, Q3) {
  World world;
  EXPECT_EQ(R"(limit 10
  sort by revenue desc, o_orderdate
    project l_orderkey, revenue = sum(l_extendedprice * (1 - l_discount)), o_orderdate, o_shippriority
      aggregate by l_orderkey, o_orderdate, o_shippriority: sum(l_extendedprice * (1 - l_discount))
        filter c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey and o_orderdate < 1995-03-15 and l_shipdate > 1995-03-15
          cross join
            cross join
              scan customer (c_custkey, c_mktsegment)
              scan orders (o_orderkey, o_custkey, o_orderdate, o_shippriority)
            scan lineitem (l_orderkey, l_extendedprice, l_discount, l_shipdate)
)",
            world.plan(R"(
    select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate, o_shippriority
    from customer, orders, lineitem
    where c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey
      and o_orderdate < date '1995-03-15' and l_shipdate > date '1995-03-15'
    group by l_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate limit 10)"));
}

TEST(TpchPlan, Q6) {
  World world;
  EXPECT_EQ(R"(project revenue = sum(l_extendedprice * l_discount)
  aggregate: sum(l_extendedprice * l_discount)
    filter l_shipdate >= 1994-01-01 and cast(l_shipdate as timestamp without time zone) < 1994-01-01 + 1 year and l_discount >= cast(0.06 - 0.01 as numeric(15,2)) and l_discount <= cast(0.06 + 0.01 as numeric(15,2)) and l_quantity < 24.00
      scan lineitem (l_quantity, l_extendedprice, l_discount, l_shipdate)
)",
            world.plan(R"(
    select sum(l_extendedprice * l_discount) as revenue from lineitem
    where l_shipdate >= date '1994-01-01' and l_shipdate < date '1994-01-01' + interval '1' year
      and l_discount between 0.06 - 0.01 and 0.06 + 0.01 and l_quantity < 24)"));
}

}  // namespace
}  // namespace saccade::test
