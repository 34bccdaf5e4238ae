// The build side of a join: which build rows have given key parts. Filled by the JoinBuild sink, then read by the workers of
// later pipelines and immutable but for `matched`. Memory is counted in the query's pool.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "data/row_set.hpp"
#include "execution/backend.hpp"
#include "execution/cpu/kernels/kernels.hpp"

namespace saccade::cpu {

// A slot of the hash table: 16 bits of the hash above 48 bits of row number + 1; 0 where it is free.
inline constexpr int kTagShift = 48;
inline constexpr std::uint64_t kRowMask = (std::uint64_t{1} << kTagShift) - 1;

class JoinTable : public PipelineOutput {
 public:
  const RowSet& host_rows() override;

  physical::JoinBuild::Layout layout = physical::JoinBuild::Layout::kHash;
  bool unique = false;
  std::int64_t rows = 0;
  std::vector<LaneColumn> payload;

  // kDense: keys low .. low + extent, 64 to a word.
  std::int64_t low = 0;
  std::uint64_t extent = 0;
  std::shared_ptr<Buffer> words;

  // kHash: `entries` open addressing by the hash's low bits; `next[row]` the next row of equal key, -1 at the end (not unique).
  std::vector<LaneColumn> keys;
  std::shared_ptr<Buffer> entries;
  std::uint64_t entry_mask = 0;
  std::shared_ptr<Buffer> next;

  // kHash, builds of up to kLargestFilter rows: a Bloom filter of one bit a key, number hash >> kFilterShift & filter_mask:
  // most rows without a partner never reach the table.
  std::shared_ptr<Buffer> filter;
  std::uint64_t filter_mask = 0;

  // A byte for each row, 1 once a probe has found it; null where nobody asks.
  std::shared_ptr<Buffer> matched;

  bool is_matched(std::int64_t row) const {
    return std::atomic_ref(matched->as<std::uint8_t>()[row]).load(std::memory_order_relaxed) != 0;
  }
  // By any worker.
  void mark_matched(std::int64_t row) const {
    std::atomic_ref(matched->as<std::uint8_t>()[row]).store(1, std::memory_order_relaxed);
  }

  // The first build row whose key parts are parts[p][i], or -1.
  std::int64_t find(std::uint64_t hash, const std::int64_t* const* parts, std::int64_t i) const {
    const auto* table = entries->as<std::uint64_t>();
    for (std::uint64_t place = hash & entry_mask;; place = (place + 1) & entry_mask) {
      const std::uint64_t entry = table[place];
      if (entry == 0) return -1;
      if (entry >> kTagShift != hash >> kTagShift) continue;
      const auto row = static_cast<std::int64_t>((entry & kRowMask) - 1);
      if (equal(row, parts, i)) return row;
    }
  }

 private:
  bool equal(std::int64_t row, const std::int64_t* const* parts, std::int64_t i) const {
    for (std::size_t p = 0; p < keys.size(); ++p) {
      if (keys[p].as<std::int64_t>()[row] != parts[p][i]) return false;
    }
    return true;
  }
};

// The join table that pipeline `build` left behind on this backend.
const JoinTable& join_table(const RunState& state, int build);

}  // namespace saccade::cpu
