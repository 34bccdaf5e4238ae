// Puts the columns of a dense build into the order of its ranks.
#include "execution/gpu/device/probe.cuh"

using namespace saccade;

struct ScatterColumn {
  const u8* from;
  u8* to;
  i64 width;  // 1, 4, 8, 16
};
struct ScatterRowsArguments {
  const Status* status;  // rows
  i64 capacity;
  const u8* keys;
  i64 key_width;  // 4, 8
  const DenseEntry* entries;
  i64 low;
  i64 count;
  ScatterColumn columns[32];
};

SACCADE_DEVICE void copy_value(const ScatterColumn& column, i64 from, i64 to) {
  if (column.width == 1) column.to[to] = column.from[from];
  if (column.width == 4) reinterpret_cast<u32*>(column.to)[to] = reinterpret_cast<const u32*>(column.from)[from];
  if (column.width == 8) reinterpret_cast<u64*>(column.to)[to] = reinterpret_cast<const u64*>(column.from)[from];
  if (column.width == 16) reinterpret_cast<i128*>(column.to)[to] = reinterpret_cast<const i128*>(column.from)[from];
}

extern "C" __global__ void scatter_rows(ScatterRowsArguments a) {
  const i64 rows = static_cast<i64>(a.status->rows) < a.capacity ? static_cast<i64>(a.status->rows) : a.capacity;
  const i64 step = static_cast<i64>(gridDim.x) * kBlockThreads;
  for (i64 row = static_cast<i64>(blockIdx.x) * kBlockThreads + threadIdx.x; row < rows; row += step) {
    const i64 key = a.key_width == 4 ? reinterpret_cast<const int*>(a.keys)[row] : reinterpret_cast<const i64*>(a.keys)[row];
    const u64 offset = static_cast<u64>(key) - static_cast<u64>(a.low);
    const DenseEntry entry = a.entries[offset / 64];
    const i64 rank = entry.rank + __popcll(entry.bits & ((u64{1} << offset % 64) - 1));
    for (i64 i = 0; i < a.count; ++i) copy_value(a.columns[i], row, rank);
  }
}
