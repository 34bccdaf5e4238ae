#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {
namespace {

class ComputeStep : public Step {
 public:
  ComputeStep(const physical::Compute& compute, PipelineRun& run) : slots_(compute.slots) {
    SACCADE_CHECK(compute.slots.size() == compute.expressions.size());
    for (const physical::Node& node : compute.expressions) expressions_.push_back(run.program.add(node));
    program_ = &run.program;
  }

  std::vector<std::string> names() const override { return {"compute"}; }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int expression : expressions_) program_->mark_slots(expression, slots);
  }

  void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const override {
    for (std::size_t i = 0; i < slots_.size(); ++i) batch.set_slot(slots_[i], batch.evaluate(expressions_[i]));
    *rows_left += batch.count();
    next(batch);
  }

 private:
  const Program* program_;
  std::vector<int> slots_;
  std::vector<int> expressions_;
};

}  // namespace

std::unique_ptr<Step> make_compute(const physical::Compute& compute, PipelineRun& run) {
  return std::make_unique<ComputeStep>(compute, run);
}

}  // namespace saccade::cpu
