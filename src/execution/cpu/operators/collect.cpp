#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {
namespace {

// Collects rows in the source's order, whatever the number of workers.
class CollectSink : public Sink {
 public:
  CollectSink(const std::vector<int>& output, const std::vector<physical::Node>& keys, PipelineRun& run)
      : run_(run), output_(output) {
    std::vector<CollectedColumn> columns;
    for (const int slot : output) columns.push_back(collected_column(run, slot));
    for (const physical::Node& key : keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64);
      keys_.push_back(run.program.add(key));
      columns.push_back({Lane::kInt64, false});
    }
    for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns, run));
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int slot : output_) slots[static_cast<std::size_t>(slot)] = true;
    for (const int key : keys_) run_.program.mark_slots(key, slots);
  }

  void consume(int worker, Batch& batch, const MorselPlace& place) override {
    std::vector<Vector> vectors;
    vectors.reserve(output_.size() + keys_.size());
    for (const int slot : output_) vectors.push_back(batch.dense(batch.slot(slot)));
    for (const int key : keys_) vectors.push_back(batch.evaluate_dense(key));
    buffers_[static_cast<std::size_t>(worker)]->append(vectors, batch.count(), place);
  }

  std::shared_ptr<PipelineOutput> finish() override {
    RowSet rows = concatenate(buffers_, run_);
    rows_out_ = rows.rows;
    return std::make_shared<HostRows>(std::move(rows));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  const PipelineRun& run_;
  std::vector<int> output_;
  std::vector<int> keys_;
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_collect(const std::vector<int>& output, const std::vector<physical::Node>& keys, PipelineRun& run) {
  return std::make_unique<CollectSink>(output, keys, run);
}

}  // namespace saccade::cpu
