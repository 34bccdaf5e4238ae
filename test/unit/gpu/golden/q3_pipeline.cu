#include "execution/gpu/device/aggregate.cuh"

using namespace saccade;

struct Pipeline2Arguments {
  i64 rows;
  Status* status;
  Column<u32, int> l_orderkey;                  // scan lineitem: narrowed 4
  Column<u16, int> l_shipdate;                  // scan lineitem: narrowed 2
  Column<u8, int> l_discount;                   // scan lineitem: narrowed 1
  Column<u32, int> l_extendedprice;             // scan lineitem: narrowed 4
  int literal_0;
  DenseBuild<u32> orders;                       // pipeline 1
  int literal_1;
  States<i64> sum_0;
};

// pipeline 2: scan lineitem > filter > join > compute > aggregate
extern "C" __global__ void __launch_bounds__(kBlockThreads) pipeline_2(const Pipeline2Arguments a) {
  LeftRows<2> left;                                                             // rows left by each step
  for (Tile tile(a.rows, a.status); tile.valid(); tile.next()) {
    auto l_shipdate = tile.load(a.l_shipdate);                                  // scan lineitem: narrowed 2
    auto l_orderkey = tile.load(a.l_orderkey);                                  // scan lineitem: narrowed 4
    tile.keep(greater_i64(l_shipdate, a.literal_0));                            // filter l_shipdate > 1995-03-15
    left.count(0, tile);
    auto orders = tile.probe(a.orders, l_orderkey);                             // join o_orderkey = l_orderkey (dense, unique)
    if (tile.none()) continue;
    left.count(1, tile);
    auto l_extendedprice = tile.load(a.l_extendedprice);                        // scan lineitem: narrowed 4
    auto l_discount = tile.load(a.l_discount);                                  // scan lineitem: narrowed 1
    auto revenue = narrow(multiply_i64(l_extendedprice, narrow(subtract_i64(a.literal_1, l_discount))));  // compute
    tile.add<Sum<i64>>(a.sum_0, orders, revenue);                               // aggregate by build row: one atomic a run of equal rows
  }
  left.finish(a.status);
}
