// The tile: kItems consecutive rows of each thread, of which a mask says which are left. Device text.
//
//   for (Tile tile(a.rows, a.status); tile.valid(); tile.next()) {
//     auto shipdate = tile.load(a.l_shipdate);
//     tile.keep(greater_i64(shipdate, a.literal_0));
//
// All threads of a block walk together: valid() is the same for all of them.
#pragma once

#include "execution/gpu/device/warp.cuh"
#include "function/scalar/key.hpp"

namespace saccade {

// What a pipeline reports; zero at its start. The host reads it when the pipeline has run (status.hpp).
struct Status {
  u64 error;     // a FunctionError
  u64 repeated;  // a unique build met a key twice
  u64 overflow;  // a table or a row of the output did not fit, or a value lies outside of its bounds
  u64 rows;      // rows put out, or groups
  u64 left[60];  // rows left by each step
};

enum class Nulls : int { kNone, kBits, kBytes };

// A column in device memory: `values` padded to whole tiles. Stored: u8, u16, u32 (plus `base`), int, i64, i128, double, or
// void where every value is `base`. kBits: bit i of byte j is row 8 j + i; kBytes: one byte a row.
template <class Stored, class Value, Nulls kNulls = Nulls::kNone>
struct Column {
  const Stored* values;
  i64 base;
  const u8* validity;
};

template <class Value, Nulls kNulls>
using Loaded = typename ResultOf<kNulls != Nulls::kNone, Value>::Type;

// Eight stored values as they lie in memory, in 32-bit words.
template <class Stored>
struct Packed {
  static constexpr int kWords = static_cast<int>(kItems * sizeof(Stored) / 4);
  u32 words[kWords];

  // Zeros where `read` is false. The loads alone are conditional: what unpacks them comes after it, so that the loads of
  // several columns are under way at the same time.
  SACCADE_DEVICE Packed(const Stored* address, bool read) {
    if constexpr (kWords == 2) {
      uint2 pair = {0, 0};
      if (read) pair = __ldg(reinterpret_cast<const uint2*>(address));
      words[0] = pair.x;
      words[1] = pair.y;
    } else {
      SACCADE_UNROLL
      for (int i = 0; i < kWords / 4; ++i) {
        uint4 quad = {0, 0, 0, 0};
        if (read) quad = __ldg(reinterpret_cast<const uint4*>(address) + i);
        words[4 * i] = quad.x;
        words[4 * i + 1] = quad.y;
        words[4 * i + 2] = quad.z;
        words[4 * i + 3] = quad.w;
      }
    }
  }
  SACCADE_DEVICE u64 word(int i) const { return static_cast<u64>(words[i + 1]) << 32 | words[i]; }
};
SACCADE_DEVICE u32 unpack(const Packed<u8>& packed, int i) {
  return packed.words[i / 4] >> 8 * (i % 4) & 0xff;
}
SACCADE_DEVICE u32 unpack(const Packed<u16>& packed, int i) {
  return packed.words[i / 2] >> 16 * (i % 2) & 0xffff;
}
SACCADE_DEVICE u32 unpack(const Packed<u32>& packed, int i) {
  return packed.words[i];
}
SACCADE_DEVICE int unpack(const Packed<int>& packed, int i) {
  return static_cast<int>(packed.words[i]);
}
SACCADE_DEVICE i64 unpack(const Packed<i64>& packed, int i) {
  return static_cast<i64>(packed.word(2 * i));
}
SACCADE_DEVICE double unpack(const Packed<double>& packed, int i) {
  return f64_of_bits(static_cast<i64>(packed.word(2 * i)));
}
SACCADE_DEVICE i128 unpack(const Packed<i128>& packed, int i) {
  return static_cast<i128>(static_cast<u128>(packed.word(4 * i + 2)) << 64 | packed.word(4 * i));
}

// A stored value decoded: unsigned integers count from the base.
template <class Value, class Stored>
SACCADE_DEVICE Value decode(Stored stored, i64) {
  return static_cast<Value>(stored);
}
template <class Value>
SACCADE_DEVICE Value decode(u32 stored, i64 base) {
  if constexpr (sizeof(Value) == sizeof(int)) {
    return static_cast<Value>(static_cast<u32>(base) + stored);
  } else {
    return static_cast<Value>(base + static_cast<i64>(stored));
  }
}

class Tile {
 public:
  SACCADE_DEVICE Tile(i64 rows, Status* status) : rows_(rows), status_(status) { place(static_cast<i64>(blockIdx.x)); }

  // Member by member: NVRTC 13.0 reads a tile that was copied as a block of memory from the kernel's parameter instead.
  SACCADE_DEVICE Tile(const Tile& other)
      : rows_(other.rows_), tile_(other.tile_), first_(other.first_), mask_(other.mask_), status_(other.status_) {}
  Tile& operator=(const Tile&) = delete;

  SACCADE_DEVICE bool valid() const { return tile_ * (kBlockThreads * kItems) < rows_; }
  SACCADE_DEVICE void next() { place(tile_ + static_cast<i64>(gridDim.x)); }

  SACCADE_DEVICE i64 number() const { return tile_; }
  // Rows that are left, a bit each.
  SACCADE_DEVICE u32 mask() const { return mask_; }
  // No row of the warp is left.
  SACCADE_DEVICE bool none() const { return !warp_any(mask_ != 0); }
  SACCADE_DEVICE Tile narrowed(u32 mask) const {
    Tile tile = *this;
    tile.mask_ &= mask;
    return tile;
  }
  SACCADE_DEVICE void restrict_to(u32 mask) { mask_ &= mask; }

  template <class Condition>
  SACCADE_DEVICE void keep(const Condition& condition) {
    mask_ &= true_items(condition);
  }

  // The rows of this tile; a thread without rows loads nothing.
  template <class Stored, class Value, Nulls kNulls>
  SACCADE_DEVICE Loaded<Value, kNulls> load(const Column<Stored, Value, kNulls>& column) const {
    Loaded<Value, kNulls> result;
    clear(result);
    const Packed<Stored> packed(column.values + first_, mask_ != 0);
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) put(result, i, decode<Value>(unpack(packed, i), column.base));
    set_valid(result, validity(column));
    return result;
  }
  template <class Value, Nulls kNulls>
  SACCADE_DEVICE Loaded<Value, kNulls> load(const Column<void, Value, kNulls>& column) const {
    Loaded<Value, kNulls> result;
    clear(result);
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) put(result, i, static_cast<Value>(column.base));
    set_valid(result, validity(column));
    return result;
  }

  // Rows of another table, by number.
  template <class Stored, class Value, Nulls kNulls>
  SACCADE_DEVICE Loaded<Value, kNulls> fetch(const Column<Stored, Value, kNulls>& column, const Values<i64>& rows) const {
    Loaded<Value, kNulls> result{};
    u32 valid = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((mask_ >> i & 1) == 0) continue;
      put(result, i, static_cast<Value>(column.values[rows.items[i]]));
      if constexpr (kNulls == Nulls::kBytes) valid |= static_cast<u32>(column.validity[rows.items[i]]) << i;
    }
    set_valid(result, valid);
    return result;
  }

  // As fetch; null where the row's number is negative.
  template <class Stored, class Value, Nulls kNulls>
  SACCADE_DEVICE Nullable<Value> fetch_some(const Column<Stored, Value, kNulls>& column, const Values<i64>& rows) const {
    Nullable<Value> result{};
    u32 valid = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((mask_ >> i & 1) == 0 || rows.items[i] < 0) continue;
      put(result, i, static_cast<Value>(column.values[rows.items[i]]));
      if constexpr (kNulls == Nulls::kBytes) {
        valid |= static_cast<u32>(column.validity[rows.items[i]]) << i;
      } else {
        valid |= 1u << i;
      }
    }
    set_valid(result, valid);
    return result;
  }

  // The words of builds, outputs and states (probe.cuh, store.cuh, aggregate.cuh), found by their arguments' types.
  template <class Build, class... Keys>
  SACCADE_DEVICE auto probe(const Build& build, const Keys&... keys) {
    return find_rows(*this, build, keys...);
  }
  template <class Build, class Key>
  SACCADE_DEVICE void mark(const Build& build, const Key& key) const {
    mark_keys(*this, build, key);
  }
  template <class Op, class States, class Groups, class Value>
  SACCADE_DEVICE void add(const States& states, const Groups& groups, const Value& value) const {
    add_to_groups<Op>(*this, states, groups, value);
  }

  // A function failed on a row that is left: any one of several errors may be reported.
  SACCADE_DEVICE void fail(FunctionError error) const { atomic_exchange(&status_->error, static_cast<u64>(error)); }
  SACCADE_DEVICE Status& status() const { return *status_; }

 private:
  SACCADE_DEVICE void place(i64 tile) {
    tile_ = tile;
    first_ = (tile * kBlockThreads + static_cast<i64>(threadIdx.x)) * kItems;
    const i64 left = rows_ - first_;
    mask_ = left >= kItems ? kAllItems : left > 0 ? (1u << left) - 1 : 0;
  }

  template <class Stored, class Value>
  SACCADE_DEVICE u32 validity(const Column<Stored, Value, Nulls::kNone>&) const {
    return kAllItems;
  }
  template <class Stored, class Value>
  SACCADE_DEVICE u32 validity(const Column<Stored, Value, Nulls::kBits>& column) const {
    return mask_ != 0 ? column.validity[first_ / kItems] : 0;
  }
  template <class Stored, class Value>
  SACCADE_DEVICE u32 validity(const Column<Stored, Value, Nulls::kBytes>& column) const {
    const Packed<u8> packed(column.validity + first_, mask_ != 0);
    u32 valid = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) valid |= unpack(packed, i) << i;
    return valid;
  }

  i64 rows_;
  i64 tile_ = 0;
  i64 first_ = 0;
  u32 mask_ = 0;
  Status* status_;
};

// Rows left behind each step, counted by every thread and added up at the end.
template <int kSteps>
class LeftRows {
 public:
  SACCADE_DEVICE void count(int step, const Tile& tile) { counts_[step] += __popc(tile.mask()); }
  SACCADE_DEVICE void finish(Status* status) {
    SACCADE_UNROLL
    for (int i = 0; i < kSteps; ++i) {
      const i64 sum = block_merge<CountMerge>(counts_[i]);
      if (threadIdx.x == 0 && sum != 0) atomic_add(&status->left[i], static_cast<u64>(sum));
    }
  }

 private:
  struct CountMerge {
    using State = i64;
    SACCADE_DEVICE static i64 merge(i64 a, i64 b) { return a + b; }
  };
  i64 counts_[kSteps] = {};
};

}  // namespace saccade
