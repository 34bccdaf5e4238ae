#include "common/error.hpp"
#include "execution/cpu/operators/build_sink.hpp"

namespace saccade::cpu {

BuildSink::BuildSink(const physical::JoinBuild& build, PipelineRun& run)
    : run_(run), build_(build), table_(std::make_shared<JoinTable>()) {
  table_->layout = build.layout;
  table_->unique = build.unique || build.distinct || build.layout == physical::JoinBuild::Layout::kDense;
  std::vector<CollectedColumn> columns;
  for (const physical::Node& key : build.keys) {
    SACCADE_CHECK(key.lane == Lane::kInt64);
    keys_.push_back(run.program.add(key));
    columns.push_back({Lane::kInt64, false});
  }
  for (const int slot : build.payload) columns.push_back(collected_column(run, slot));
  for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns, run));
}

void BuildSink::mark_slots(std::vector<bool>& slots) const {
  for (const int key : keys_) run_.program.mark_slots(key, slots);
  for (const int slot : build_.payload) slots[static_cast<std::size_t>(slot)] = true;
}

void BuildSink::collect(int worker, Batch& batch, const MorselPlace& place) {
  std::vector<Vector> vectors;
  for (const int key : keys_) vectors.push_back(batch.evaluate_dense(key));
  for (const int slot : build_.payload) vectors.push_back(batch.dense(batch.slot(slot)));
  buffers_[static_cast<std::size_t>(worker)]->append(vectors, batch.count(), place);
}

void BuildSink::repeated_key() const {
  SACCADE_CHECK(build_.assumed_column >= 0);
  throw AssumptionFailed(build_.assumed_table, build_.assumed_column);
}

void BuildSink::finish_table() {
  if (build_.track_matches) table_->matched = Buffer::allocate_zeroed(table_->rows, run_.memory());
}

std::unique_ptr<Sink> make_join_build(const physical::JoinBuild& build, PipelineRun& run) {
  SACCADE_CHECK(build.keys.empty() == (build.layout == physical::JoinBuild::Layout::kAllRows));
  SACCADE_CHECK(!build.distinct || build.payload.empty());
  if (build.layout == physical::JoinBuild::Layout::kDense) return make_dense_build(build, run);
  return make_hash_build(build, run);
}

}  // namespace saccade::cpu
