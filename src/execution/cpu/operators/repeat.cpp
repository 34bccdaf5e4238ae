// Repeats rows: positions of the batch, each as often as its count says, in batches of the usual size.
#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {
namespace {

class RepeatStep : public Step {
 public:
  RepeatStep(const physical::Repeat& repeat, PipelineRun& run)
      : run_(run), count_(run.program.add(repeat.count)), number_slot_(repeat.number_slot) {
    SACCADE_CHECK(repeat.count.lane == Lane::kInt64);
  }

  std::vector<std::string> names() const override { return {"repeat"}; }

  void mark_slots(std::vector<bool>& slots) const override { run_.program.mark_slots(count_, slots); }

  void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const override {
    const Vector counts = batch.evaluate_dense(count_);
    auto* positions = batch.arena().allocate<std::uint32_t>(kBatchRows);
    auto* numbers = batch.arena().allocate<std::int64_t>(kBatchRows);
    std::int64_t filled = 0;
    for (std::int64_t i = 0; i < batch.count(); ++i) {
      if (counts.valid != nullptr && counts.valid[i] == 0) continue;
      for (std::int64_t copy = 0; copy < counts.as<std::int64_t>()[i]; ++copy) {
        if (filled == kBatchRows) {
          run_.check_cancelled();
          if (run_.pool.failed()) return;
          const Arena::Mark mark = batch.arena().mark();
          Batch slice = batch;
          hand_on(slice, positions, numbers, filled, rows_left, next);
          batch.arena().release(mark);
          filled = 0;
        }
        positions[filled] = static_cast<std::uint32_t>(i);
        numbers[filled++] = copy;
      }
    }
    if (filled > 0) hand_on(batch, positions, numbers, filled, rows_left, next);
  }

 private:
  void hand_on(Batch& batch, const std::uint32_t* positions, const std::int64_t* numbers, std::int64_t n,
               std::int64_t* rows_left, const Continuation& next) const {
    *rows_left += n;
    batch.select(positions, n, live_);
    batch.set_slot(number_slot_, {Lane::kInt64, false, numbers, nullptr});
    next(batch);
  }

  const PipelineRun& run_;
  int count_;
  int number_slot_;
};

}  // namespace

std::unique_ptr<Step> make_repeat(const physical::Repeat& repeat, PipelineRun& run) {
  return std::make_unique<RepeatStep>(repeat, run);
}

}  // namespace saccade::cpu
