// Sinks that collect rows: a place for each row that is left, and columns written at those places. Device text.
#pragma once

#include "execution/gpu/device/expressions.cuh"

namespace saccade {

// A column of the output; `valid` (one byte a row) only where it may be null. Booleans are stored as bytes.
template <class Stored>
struct Output {
  Stored* values;
  u8* valid;
};

// Where the rows of a tile go. Rows that do not fit have no place; the host runs the pipeline again with more room.
struct Places {
  i64 first;
  u32 mask;
};

// Places in a row for the rows that are left: one addition a warp. All lanes of the warp call.
SACCADE_DEVICE Places places_for(const Tile& tile, i64 capacity) {
  u32 total = 0;
  const u32 before = warp_exclusive_sum(static_cast<u32>(__popc(tile.mask())), total);
  u64 base = 0;
  if (lane_number() == 0 && total != 0) base = atomic_add(&tile.status().rows, total);
  base = __shfl_sync(kFullWarp, base, 0);
  Places places{static_cast<i64>(base) + before, tile.mask()};
  i64 row = places.first;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((tile.mask() >> i & 1) == 0) continue;
    if (row >= capacity) places.mask &= ~(1u << i);
    ++row;
  }
  return places;
}

template <class Stored, class Value>
SACCADE_DEVICE void store(const Places& places, const Output<Stored>& output, const Value& value) {
  i64 row = places.first;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((places.mask >> i & 1) == 0) continue;
    output.values[row] = static_cast<Stored>(item(value, i));
    if constexpr (Shape<Value>::kNullable) output.valid[row] = static_cast<u8>(value.valid >> i & 1);
    ++row;
  }
}

}  // namespace saccade
