// What the layouts of a join build share: keys and payload are collected by the workers, and the table is made at the end.
//
// Made, used and destroyed as Sink says (operator.hpp); `run` and `build` outlive it.
#pragma once

#include <memory>
#include <vector>

#include "execution/cpu/join_table.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {

class BuildSink : public Sink {
 public:
  BuildSink(const physical::JoinBuild& build, PipelineRun& run);

  void mark_slots(std::vector<bool>& slots) const override;
  std::int64_t rows_out() const override { return table_->rows; }

 protected:
  // Key parts and payload of a batch.
  void collect(int worker, Batch& batch, const MorselPlace& place);
  [[noreturn]] void repeated_key() const;
  // Once the rows have their numbers.
  void finish_table();

  const PipelineRun& run_;
  const physical::JoinBuild& build_;
  std::vector<int> keys_;
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  std::shared_ptr<JoinTable> table_;
};

std::unique_ptr<Sink> make_dense_build(const physical::JoinBuild& build, PipelineRun& run);
std::unique_ptr<Sink> make_hash_build(const physical::JoinBuild& build, PipelineRun& run);

}  // namespace saccade::cpu
