// A growing hash table from key parts to group numbers 0, 1, 2 ..., with each group's parts, hash and aggregate states.
//
// Used by one worker at a time. Memory is counted in the query's pool; a table that cannot grow raises 53200.
#pragma once

#include <memory>
#include <vector>

#include "execution/cpu/aggregate_states.hpp"

namespace saccade::cpu {

class GroupTable {
 public:
  GroupTable(int part_count, const AggregateList& list, std::int64_t capacity, MemoryPool& pool);

  std::int64_t groups() const { return groups_; }
  // groups[i]: the group of row i, a new one where its parts are new. n <= kBatchRows.
  void find(const std::uint64_t* hashes, const std::int64_t* const* parts, std::int64_t n, std::int64_t* groups);
  AggregateStates& states() { return states_; }
  const AggregateStates& states() const { return states_; }
  const std::int64_t* part(std::size_t p) const { return parts_[p]->as<std::int64_t>(); }
  const std::uint64_t* hashes() const { return hashes_->as<std::uint64_t>(); }
  // Forgets all groups.
  void clear();

 private:
  void reserve(std::int64_t groups);
  void rebuild_entries();
  template <int kParts>
  void find_all(const std::uint64_t* hashes, const std::int64_t* const* parts, std::int64_t n, std::int64_t* groups);

  MemoryPool* pool_;
  AggregateStates states_;
  std::int64_t groups_ = 0;
  std::int64_t capacity_ = 0;
  std::vector<std::unique_ptr<Buffer>> parts_;
  std::unique_ptr<Buffer> hashes_;
  std::unique_ptr<Buffer> entries_;  // as in a join table: 16 bits of the hash above 48 bits of group + 1
  std::uint64_t entry_mask_ = 0;
};

}  // namespace saccade::cpu
