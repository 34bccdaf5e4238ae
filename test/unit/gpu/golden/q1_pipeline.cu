#include "execution/gpu/device/aggregate.cuh"

using namespace saccade;

struct Pipeline0Arguments {
  i64 rows;
  Status* status;
  Column<u16, int> l_shipdate;                  // scan lineitem: narrowed 2
  Column<u8, int> l_discount;                   // scan lineitem: narrowed 1
  Column<u8, int> l_tax;                        // scan lineitem: narrowed 1
  Column<u16, int> l_quantity;                  // scan lineitem: narrowed 2
  Column<u32, int> l_extendedprice;             // scan lineitem: narrowed 4
  Column<u8, int> l_returnflag;                 // scan lineitem: dictionary 1
  Column<u8, int> l_linestatus;                 // scan lineitem: dictionary 1
  int literal_0;
  int literal_1;
  int literal_2;
  States<i64> sum_0;
  States<i64> sum_1;
  States<i64> sum_2;
  States<i128> sum_3;
  States<i64> sum_4;
  States<i64> count_5;
  GroupNumbers<int, 2> numbers;                 // lows and strides of the keys
  int groups;
};

// pipeline 0: scan lineitem > filter > compute > compute > aggregate
extern "C" __global__ void __launch_bounds__(kBlockThreads) pipeline_0(const Pipeline0Arguments a) {
  ThreadGroups<6> groups(a.groups);                                             // aggregate: a few groups, a copy a thread in shared memory
  ThreadStates<Sum<i64>, 6, 0> sum_0(groups);
  ThreadStates<Sum<i64>, 6, 1> sum_1(groups);
  ThreadStates<Sum<i64>, 6, 2> sum_2(groups);
  ThreadStates<Sum<i64>, 6, 3> sum_3(groups);
  ThreadStates<Sum<i64>, 6, 4> sum_4(groups);
  ThreadStates<Sum<i64>, 6, 5> count_5(groups);
  LeftRows<1> left;                                                             // rows left by each step
  for (Tile tile(a.rows, a.status); tile.valid(); tile.next()) {
    auto l_shipdate = tile.load(a.l_shipdate);                                  // scan lineitem: narrowed 2
    auto l_extendedprice = tile.load(a.l_extendedprice);                        // scan lineitem: narrowed 4
    auto l_discount = tile.load(a.l_discount);                                  // scan lineitem: narrowed 1
    auto l_tax = tile.load(a.l_tax);                                            // scan lineitem: narrowed 1
    auto l_returnflag = tile.load(a.l_returnflag);                              // scan lineitem: dictionary 1
    auto l_linestatus = tile.load(a.l_linestatus);                              // scan lineitem: dictionary 1
    auto l_quantity = tile.load(a.l_quantity);                                  // scan lineitem: narrowed 2
    tile.keep(less_equal_i64(l_shipdate, a.literal_0));                         // filter l_shipdate <= 1998-09-02
    left.count(0, tile);
    auto disc_price = narrow(multiply_i64(l_extendedprice, narrow(subtract_i64(a.literal_1, l_discount))));  // compute
    auto charge = multiply_i64(disc_price, narrow(add_i64(a.literal_2, l_tax)));  // compute
    auto cells = groups.cells(tile, group_of(a.numbers, l_returnflag, l_linestatus));  // aggregate
    sum_0.add(cells, l_quantity);
    sum_1.add(cells, l_extendedprice);
    sum_2.add(cells, disc_price);
    sum_3.add(cells, charge);
    sum_4.add(cells, l_discount);
    count_5.add(cells, ones(true));
  }
  groups.ready();
  sum_0.finish(a.sum_0);
  sum_1.finish(a.sum_1);
  sum_2.finish(a.sum_2);
  sum_3.finish(a.sum_3);
  sum_4.finish(a.sum_4);
  count_5.finish(a.count_5);
  left.finish(a.status);
}
