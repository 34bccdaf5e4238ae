// The states of a pipeline's aggregates for a number of groups, one array an aggregate.
//
// Used by one worker at a time. Memory is counted in the query's pool.
#pragma once

#include <memory>
#include <vector>

#include "data/row_set.hpp"
#include "execution/cpu/batch.hpp"
#include "execution/cpu/pipeline_run.hpp"

namespace saccade::cpu {

// The aggregates of a sink, prepared: expressions of the program, and the kernels that take values and states up.
class AggregateList {
 public:
  // Checks functions and lanes (XX000).
  AggregateList(const std::vector<physical::Aggregate>& aggregates, PipelineRun& run);

  struct Entry {
    physical::AggregateFunction function;
    Lane state;
    int argument;                               // expression; -1: count(*)
    AggregateKernels::Update update = nullptr;  // of values; null: a sum of doubles, or the least or greatest text
    AggregateKernels::Update merge = nullptr;   // of states
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  const Program& program() const { return *program_; }
  void mark_slots(std::vector<bool>& slots) const;
  std::int64_t bytes_per_group() const;

 private:
  const Program* program_;
  std::vector<Entry> entries_;
};

class AggregateStates {
 public:
  // All states of `groups` groups at the identity.
  AggregateStates(const AggregateList& list, std::int64_t groups, MemoryPool& pool);

  std::int64_t groups() const { return groups_; }
  // Room for more groups, at the identity. Errors: 53200.
  void grow(std::int64_t groups);

  // Takes up the batch's rows: row i belongs to groups[i]; a null pointer: all to group 0.
  void update(Batch& batch, const std::int64_t* groups);
  // The same for few groups, of kStateCopies copies whose sums count: group g of copy c is g + c * copy_stride, and there are
  // at least eight of them to a copy.
  void update_few(Batch& batch, const std::int64_t* groups, std::int64_t group_count, std::int64_t copy_stride);
  // Takes up states [begin, begin + n) of `other`; they go to groups[i], or to the same places where that is null.
  void merge(const AggregateStates& other, std::int64_t begin, std::int64_t n, const std::int64_t* groups);
  // Resets all states to the identity.
  void reset(std::int64_t begin, std::int64_t end);

  // One aggregate's states at places[0 .. n-1].
  void gather(std::size_t aggregate, const std::int64_t* places, std::int64_t n, void* out) const;
  const void* data(std::size_t aggregate) const { return states_[aggregate]->data(); }
  void* data(std::size_t aggregate) { return states_[aggregate]->data(); }

 private:
  void update_one(std::size_t aggregate, Batch& batch, const std::int64_t* groups);
  void* at(std::size_t aggregate, std::int64_t group);

  const AggregateList* list_;
  MemoryPool* pool_;
  std::int64_t groups_ = 0;
  std::vector<std::unique_ptr<Buffer>> states_;
  TextArena* texts_ = nullptr;  // of the query's store, once it is needed
};

// Output columns of an aggregation are filled by ranges: storage for `rows` states of each aggregate.
std::vector<std::shared_ptr<Buffer>> allocate_states(const AggregateList& list, std::int64_t rows, MemoryPool& pool);

}  // namespace saccade::cpu
