// Copies columns into dense lanes, row i from list[i] (or i): what leaves the device, and what a later pipeline reads.
#include "execution/gpu/device/aggregate.cuh"

using namespace saccade;

// kCopy: as it is. kWidenInt: int to int64. kOrdered: ordered bits to float64. kKeyPart: low + group / stride % size (no
// `from`).
enum GatherKind : i64 { kCopy, kWidenInt, kOrdered, kKeyPart };
struct GatherColumn {
  const u8* from;
  u8* to;
  i64 kind;
  i64 width;              // kCopy: 1, 8, 16
  i64 low, stride, size;  // kKeyPart
};
struct GatherColumnsArguments {
  i64 rows;
  const i64* list;
  i64 count;
  GatherColumn columns[32];
};

SACCADE_DEVICE void gather(const GatherColumn& column, i64 from, i64 to) {
  u64* words = reinterpret_cast<u64*>(column.to);
  if (column.kind == kKeyPart) {
    words[to] = static_cast<u64>(column.low + from / column.stride % column.size);
  } else if (column.kind == kWidenInt) {
    words[to] = static_cast<u64>(static_cast<i64>(reinterpret_cast<const int*>(column.from)[from]));
  } else if (column.kind == kOrdered) {
    const i64 bits = reinterpret_cast<const i64*>(column.from)[from];
    words[to] = bits == largest<i64>() ? 0x7ff8000000000000UL : static_cast<u64>(bits < 0 ? bits ^ largest<i64>() : bits);
  } else if (column.width == 1) {
    column.to[to] = column.from[from];
  } else if (column.width == 8) {
    words[to] = reinterpret_cast<const u64*>(column.from)[from];
  } else {
    reinterpret_cast<i128*>(column.to)[to] = reinterpret_cast<const i128*>(column.from)[from];
  }
}

extern "C" __global__ void gather_columns(GatherColumnsArguments a) {
  const i64 step = static_cast<i64>(gridDim.x) * kBlockThreads;
  for (i64 row = static_cast<i64>(blockIdx.x) * kBlockThreads + threadIdx.x; row < a.rows; row += step) {
    const i64 from = a.list == nullptr ? row : a.list[row];
    for (i64 i = 0; i < a.count; ++i) gather(a.columns[i], from, row);
  }
}
