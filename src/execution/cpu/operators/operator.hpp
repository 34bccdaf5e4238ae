// What a pipeline is made of on the CPU: steps that hand batches on, and a sink that takes them up.
//
// Both are prepared once by one thread; run() and consume() are then called by all workers at once, each with a batch and a
// worker number of its own. finish() is called once, by one thread, after all workers are done.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execution/cpu/batch.hpp"
#include "execution/cpu/morsels.hpp"

namespace saccade::cpu {

// The rest of the pipeline, as a step sees it.
class Continuation {
 public:
  virtual ~Continuation() = default;
  // Hands a batch on; empty ones need not be. The batch may be changed by it.
  virtual void operator()(Batch& batch) const = 0;
  // The sink needs no further rows: a step that makes many of one may stop.
  virtual bool satisfied() const = 0;
};

class Step {
 public:
  virtual ~Step() = default;
  // The steps of the plan that this one carries out.
  virtual std::vector<std::string> names() const = 0;
  // Marks the slots the step reads.
  virtual void mark_slots(std::vector<bool>& slots) const = 0;
  // `live`: slots that later steps or the sink read.
  virtual void set_live(const std::vector<bool>& live) { live_ = live; }
  // rows_left[i] grows by the rows that leave the i-th of names().
  virtual void run(Batch& batch, std::int64_t* rows_left, const Continuation& next) const = 0;

 protected:
  std::vector<bool> live_;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void mark_slots(std::vector<bool>& slots) const = 0;
  virtual void consume(int worker, Batch& batch, const MorselPlace& place) = 0;
  // No further rows are needed.
  virtual bool satisfied() const { return false; }
  // The pipeline's output, and the number of its rows.
  virtual std::shared_ptr<PipelineOutput> finish() = 0;
  virtual std::int64_t rows_out() const = 0;
};

// Filters that follow each other in the plan are one step.
std::unique_ptr<Step> make_filter(const std::vector<const physical::Filter*>& filters, PipelineRun& run);
std::unique_ptr<Step> make_compute(const physical::Compute& compute, PipelineRun& run);
std::unique_ptr<Step> make_probe(const physical::Probe& probe, PipelineRun& run);
std::unique_ptr<Step> make_repeat(const physical::Repeat& repeat, PipelineRun& run);

std::unique_ptr<Sink> make_join_build(const physical::JoinBuild& build, PipelineRun& run);
std::unique_ptr<Sink> make_aggregation(const physical::Aggregation& aggregation, PipelineRun& run);
std::unique_ptr<Sink> make_sort(const physical::Sort& sort, PipelineRun& run);
std::unique_ptr<Sink> make_window(const physical::Window& window, PipelineRun& run);
// Exchange (keys: its key parts, collected behind the output), Result and Insert.
std::unique_ptr<Sink> make_collect(const std::vector<int>& output, const std::vector<physical::Node>& keys, PipelineRun& run);

}  // namespace saccade::cpu
