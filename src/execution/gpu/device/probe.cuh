// Join builds as kernels see them, and the words that fill and probe them. Device text.
#pragma once

#include "execution/gpu/device/store.cuh"
#include "function/hash.hpp"

namespace saccade {

// 64 keys of a dense build: a bit for each that is there, and how many rows lie before them.
struct alignas(16) DenseEntry {
  u64 bits;
  i64 rank;
};

// Unique keys low .. low + range - 1; the rank of a key's bit is its row. Offset: u32 where key and bounds have 30 bits.
template <class Offset>
struct DenseBuild {
  DenseEntry* entries;
  i64 low;
  i64 range;
};
// As DenseBuild, where nobody asks for the row: bits alone.
template <class Offset>
struct BitmapBuild {
  u64* words;
  i64 low;
  i64 range;
};
// Open addressing: slots hold a row plus one (0: free); `next` leads to further rows of the same key (row plus one, 0: none).
template <int kParts>
struct HashBuild {
  const u64* slots;
  u64 slot_mask;
  const u64* next;
  const i64* parts[kParts];
};

template <class Offset, class Key>
SACCADE_DEVICE Offset key_offset(Key key, i64 low) {
  return static_cast<Offset>(key) - static_cast<Offset>(low);
}

// ---- building ---------------------------------------------------------------------------------------------------------------

// Sets bits, one atomic for the consecutive keys of a thread that share a word.
template <class Offset, class Key, class WordAt>
SACCADE_DEVICE void mark_bits(const Tile& tile, i64 low, i64 range, const Key& key, const WordAt& word_at) {
  Offset word = 0;
  u64 bits = 0;
  bool repeated = false, outside = false;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((tile.mask() >> i & 1) == 0) continue;
    const Offset offset = key_offset<Offset>(item(key, i), low);
    if (offset >= static_cast<Offset>(range)) {
      outside = true;
      continue;
    }
    const u64 bit = u64{1} << offset % 64;
    if (bits != 0 && offset / 64 != word) {
      repeated |= (atomic_or(word_at(word), bits) & bits) != 0;
      bits = 0;
    }
    word = offset / 64;
    repeated |= (bits & bit) != 0;
    bits |= bit;
  }
  if (bits != 0) repeated |= (atomic_or(word_at(word), bits) & bits) != 0;
  if (repeated) tile.status().repeated = 1;
  if (outside) tile.status().overflow = 1;
}
template <class Offset, class Key>
SACCADE_DEVICE void mark_keys(const Tile& tile, const DenseBuild<Offset>& build, const Key& key) {
  mark_bits<Offset>(tile, build.low, build.range, key, [&](Offset word) { return &build.entries[word].bits; });
}
template <class Offset, class Key>
SACCADE_DEVICE void mark_keys(const Tile& tile, const BitmapBuild<Offset>& build, const Key& key) {
  mark_bits<Offset>(tile, build.low, build.range, key, [&](Offset word) { return build.words + word; });
}

// ---- probing ----------------------------------------------------------------------------------------------------------------

// Keeps the rows whose key is there; returns their build rows.
template <class Offset, class Key>
SACCADE_DEVICE Values<i64> find_rows(Tile& tile, const DenseBuild<Offset>& build, const Key& key) {
  Values<i64> rows;
  u32 found = 0;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    const Offset offset = key_offset<Offset>(item(key, i), build.low);
    const bool asked = (tile.mask() >> i & 1) != 0 && offset < static_cast<Offset>(build.range);
    ulonglong2 entry = {0, 0};
    if (asked) entry = __ldg(reinterpret_cast<const ulonglong2*>(build.entries) + offset / 64);
    const u64 bit = u64{1} << offset % 64;
    if ((entry.x & bit) != 0) found |= 1u << i;
    rows.items[i] = static_cast<i64>(entry.y) + __popcll(entry.x & (bit - 1));
  }
  tile.restrict_to(found);
  return rows;
}
template <class Offset, class Key>
SACCADE_DEVICE void find_rows(Tile& tile, const BitmapBuild<Offset>& build, const Key& key) {
  u32 found = 0;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    const Offset offset = key_offset<Offset>(item(key, i), build.low);
    u64 word = 0;
    if ((tile.mask() >> i & 1) != 0 && offset < static_cast<Offset>(build.range)) word = build.words[offset / 64];
    if ((word >> offset % 64 & 1) != 0) found |= 1u << i;
  }
  tile.restrict_to(found);
}

SACCADE_DEVICE u64 hash_of_parts(const i64* parts, int count) {
  u64 hash = kHashSeed;
  for (int i = 0; i < count; ++i) hash = hash_part(hash, parts[i]);
  return hash_finish(hash);
}
template <int kParts>
SACCADE_DEVICE bool has_parts(const i64* const* columns, i64 row, const i64* parts) {
  bool equal = true;
  for (int i = 0; i < kParts; ++i) equal = equal && columns[i][row] == parts[i];
  return equal;
}
// The row of a key, plus one; 0 where it is not there.
template <int kParts>
SACCADE_DEVICE u64 find_row(const HashBuild<kParts>& build, const i64* parts) {
  for (u64 slot = hash_of_parts(parts, kParts) & build.slot_mask;; slot = (slot + 1) & build.slot_mask) {
    const u64 row = build.slots[slot];
    if (row == 0 || has_parts<kParts>(build.parts, static_cast<i64>(row - 1), parts)) return row;
  }
}

// As above; where keys repeat, the rows are the heads of chains (see Matches).
template <int kParts, class... Keys>
SACCADE_DEVICE Values<i64> find_rows(Tile& tile, const HashBuild<kParts>& build, const Keys&... keys) {
  Values<i64> rows;
  u32 found = 0;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    rows.items[i] = 0;
    if ((tile.mask() >> i & 1) == 0) continue;
    const i64 parts[kParts] = {static_cast<i64>(item(keys, i))...};
    const u64 row = find_row(build, parts);
    if (row == 0) continue;
    found |= 1u << i;
    rows.items[i] = static_cast<i64>(row - 1);
  }
  tile.restrict_to(found);
  return rows;
}

// All rows of a build with repeated keys, one match of each row of the tile at a time:
//
//   for (Matches orders(tile, a.orders, key); orders.any(); orders.next(a.orders)) {
//     Tile tile = orders.tile();
//
// All lanes of the warp walk together.
class Matches {
 public:
  template <int kParts, class... Keys>
  SACCADE_DEVICE Matches(const Tile& tile, const HashBuild<kParts>& build, const Keys&... keys) : tile_(tile) {
    rows_ = find_rows(tile_, build, keys...);
  }
  SACCADE_DEVICE bool any() const { return !tile_.none(); }
  SACCADE_DEVICE const Tile& tile() const { return tile_; }
  SACCADE_DEVICE const Values<i64>& rows() const { return rows_; }
  template <int kParts>
  SACCADE_DEVICE void next(const HashBuild<kParts>& build) {
    u32 left = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((tile_.mask() >> i & 1) == 0) continue;
      const u64 row = build.next[rows_.items[i]];
      if (row == 0) continue;
      left |= 1u << i;
      rows_.items[i] = static_cast<i64>(row - 1);
    }
    tile_.restrict_to(left);
  }

 private:
  Tile tile_;
  Values<i64> rows_;
};

}  // namespace saccade
