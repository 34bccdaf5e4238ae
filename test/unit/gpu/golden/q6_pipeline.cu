#include "execution/gpu/device/aggregate.cuh"

using namespace saccade;

struct Pipeline0Arguments {
  i64 rows;
  Status* status;
  Column<u16, int> l_shipdate;                  // scan lineitem: narrowed 2
  Column<u8, int> l_discount;                   // scan lineitem: narrowed 1
  Column<u16, int> l_quantity;                  // scan lineitem: narrowed 2
  Column<u32, int> l_extendedprice;             // scan lineitem: narrowed 4
  int literal_0;
  int literal_1;
  int literal_2;
  int literal_3;
  int literal_4;
  States<i64> sum_0;
  States<i64> count_1;
};

// pipeline 0: scan lineitem > filter > aggregate
extern "C" __global__ void __launch_bounds__(kBlockThreads) pipeline_0(const Pipeline0Arguments a) {
  Single<Sum<i64>> sum_0;
  SingleCount count_1;
  LeftRows<1> left;                                                             // rows left by each step
  for (Tile tile(a.rows, a.status); tile.valid(); tile.next()) {
    auto l_shipdate = tile.load(a.l_shipdate);                                  // scan lineitem: narrowed 2
    auto l_discount = tile.load(a.l_discount);                                  // scan lineitem: narrowed 1
    auto l_quantity = tile.load(a.l_quantity);                                  // scan lineitem: narrowed 2
    tile.keep(greater_equal_i64(l_shipdate, a.literal_0));                      // filter l_shipdate >= 1994-01-01 AND ...
    tile.keep(less_i64(l_shipdate, a.literal_1));
    tile.keep(greater_equal_i64(l_discount, a.literal_2));
    tile.keep(less_equal_i64(l_discount, a.literal_3));
    tile.keep(less_i64(l_quantity, a.literal_4));
    left.count(0, tile);
    auto l_extendedprice = tile.load(a.l_extendedprice);                        // scan lineitem: narrowed 4
    sum_0.add(tile, narrow(multiply_i64(l_extendedprice, l_discount)));         // aggregate: one group, in registers
    count_1.add(tile, ones(true));
  }
  sum_0.finish(a.sum_0);
  count_1.finish(a.count_1);
  left.finish(a.status);
}
