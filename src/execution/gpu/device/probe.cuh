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

// Every row is a partner of every row that probes.
struct AllRowsBuild {
  i64 rows;
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

SACCADE_DEVICE Values<i64> find_rows(Tile& tile, const AllRowsBuild& build) {
  Values<i64> rows;
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) rows.items[i] = 0;
  if (build.rows == 0) tile.restrict_to(0);
  return rows;
}

// The rows whose key is there, whatever its row is.
template <class Build, class... Keys>
SACCADE_DEVICE Values<bool> has_key(const Tile& tile, const Build& build, const Keys&... keys) {
  Tile found = tile;
  find_rows(found, build, keys...);
  return {found.mask()};
}

// The row after `row` among those with its key, -1 at the end.
template <class Offset>
SACCADE_DEVICE i64 next_row(const DenseBuild<Offset>&, i64) {
  return -1;
}
template <int kParts>
SACCADE_DEVICE i64 next_row(const HashBuild<kParts>& build, i64 row) {
  return static_cast<i64>(build.next[row]) - 1;
}
SACCADE_DEVICE i64 next_row(const AllRowsBuild& build, i64 row) {
  return row + 1 < build.rows ? row + 1 : -1;
}

// All rows of a build with the keys of a tile's rows, one match of each row of the tile at a time:
//
//   for (Matches orders(tile, a.orders, key); orders.any(); orders.next(a.orders)) {
//     Tile tile = orders.tile();
//
// All lanes of the warp walk together.
class Matches {
 public:
  template <class Build, class... Keys>
  SACCADE_DEVICE Matches(const Tile& tile, const Build& build, const Keys&... keys) : tile_(tile) {
    rows_ = find_rows(tile_, build, keys...);
  }
  SACCADE_DEVICE bool any() const { return !tile_.none(); }
  SACCADE_DEVICE const Tile& tile() const { return tile_; }
  SACCADE_DEVICE const Values<i64>& rows() const { return rows_; }
  template <class Build>
  SACCADE_DEVICE void next(const Build& build) {
    u32 left = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((tile_.mask() >> i & 1) == 0) continue;
      const i64 row = next_row(build, rows_.items[i]);
      if (row < 0) continue;
      left |= 1u << i;
      rows_.items[i] = row;
    }
    tile_.restrict_to(left);
  }
  // As above, of the rows that are not settled yet.
  template <class Build>
  SACCADE_DEVICE void next(const Build& build, const Values<bool>& settled) {
    tile_.restrict_to(~settled.bits);
    next(build);
  }

 private:
  Tile tile_;
  Values<i64> rows_;
};

// As Matches, and each row once more without a match (row -1) where none of its pairs was noted.
class MatchesOrNone {
 public:
  template <class Build, class... Keys>
  SACCADE_DEVICE MatchesOrNone(const Tile& tile, const Build& build, const Keys&... keys) : tile_(tile) {
    Tile found = tile;
    rows_ = find_rows(found, build, keys...);
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((found.mask() >> i & 1) == 0) rows_.items[i] = -1;
    }
  }
  SACCADE_DEVICE bool any() const { return !tile_.none(); }
  SACCADE_DEVICE const Tile& tile() const { return tile_; }
  SACCADE_DEVICE const Values<i64>& rows() const { return rows_; }
  // Keeps the pairs for which the condition is true, and the rows that have come without a match; notes the pairs. The
  // condition is a function of the tile of pairs alone: it may fail on other rows.
  template <class Condition>
  SACCADE_DEVICE void keep_pairs(Tile& tile, const Condition& condition) {
    const u32 alone = lonely();
    tile.restrict_to(true_items(condition(tile.narrowed(~alone))) | alone);
    noted_ |= tile.mask();
  }
  SACCADE_DEVICE void keep_pairs(Tile& tile) { noted_ |= tile.mask(); }
  template <class Build>
  SACCADE_DEVICE void next(const Build& build) {
    u32 left = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) {
      if ((tile_.mask() >> i & 1) == 0 || rows_.items[i] < 0) continue;
      rows_.items[i] = next_row(build, rows_.items[i]);
      if (rows_.items[i] >= 0 || (noted_ >> i & 1) == 0) left |= 1u << i;
    }
    tile_.restrict_to(left);
  }

 private:
  SACCADE_DEVICE u32 lonely() const {
    u32 bits = 0;
    SACCADE_UNROLL
    for (int i = 0; i < kItems; ++i) bits |= rows_.items[i] < 0 ? 1u << i : 0;
    return bits;
  }

  Tile tile_;
  Values<i64> rows_;
  u32 noted_ = 0;
};

// Build rows that a probe has found, a byte each.
SACCADE_DEVICE void note_matches(const Tile& tile, u8* matched, const Values<i64>& rows) {
  SACCADE_UNROLL
  for (int i = 0; i < kItems; ++i) {
    if ((tile.mask() >> i & 1) != 0 && rows.items[i] >= 0) matched[rows.items[i]] = 1;
  }
}

// The rows that are left become true.
SACCADE_DEVICE void note(Values<bool>& found, const Tile& tile) {
  found.bits |= tile.mask();
}
SACCADE_DEVICE Values<bool> no_rows() {
  return {0};
}

}  // namespace saccade
