// Looks the keys of a batch up in a join build.
//
// Made by one thread while the pipeline is prepared, then used by all workers at once.
#pragma once

#include <vector>

#include "execution/cpu/join_table.hpp"
#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {

class ProbeLookup {
 public:
  ProbeLookup(const physical::Probe& probe, PipelineRun& run);

  const JoinTable& table() const { return table_; }
  void mark_slots(std::vector<bool>& slots) const;

  // Key parts of all rows, from the batch's arena.
  std::vector<const std::int64_t*> key_parts(Batch& batch) const;

  // Rows that may have a partner in a hash build, and the hashes of all rows.
  struct Candidates {
    const std::uint64_t* hashes;
    const std::uint32_t* positions;
    std::int64_t count;
  };
  Candidates find_candidates(Batch& batch, const std::vector<const std::int64_t*>& parts) const;

  // The first partner of each row, -1 where there is none; in the batch's arena.
  std::int64_t* first_partners(Batch& batch) const;
  // The partner after `row` in its chain, -1 at the end.
  std::int64_t next_partner(std::int64_t row) const {
    if (chain_ != nullptr) return chain_[row];
    return all_rows_ && row + 1 < table_.rows ? row + 1 : -1;
  }

 private:
  const JoinTable& table_;
  const Program& program_;
  std::vector<int> keys_;
  const std::int64_t* chain_ = nullptr;  // of repeated keys
  bool all_rows_ = false;
};

}  // namespace saccade::cpu
