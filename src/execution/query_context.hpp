// What a running query is given: settings, memory, cancellation, and where its profile goes. One for all ranks of a process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/cancellation.hpp"
#include "common/error.hpp"
#include "common/settings.hpp"
#include "data/text_store.hpp"
#include "execution/progress.hpp"
#include "memory/memory_pool.hpp"

namespace saccade {

// One step of one pipeline on one rank, as EXPLAIN ANALYZE shows it.
struct StepProfile {
  std::string name;
  std::int64_t rows = 0;  // that left the step
};

struct PipelineProfile {
  int pipeline = 0;
  int rank = 0;
  std::string device;  // "cpu", "gpu 0", "gpu-shim"
  double seconds = 0;  // wall time of the pipeline, its exchange not counted
  double exchange_seconds = 0;
  std::int64_t rows_in = 0;   // read from the source
  std::int64_t bytes = 0;     // of encoded columns read from the source, plus payload and states where known
  std::int64_t rows_out = 0;  // into the sink, or groups out of an aggregation
  std::int64_t exchange_bytes = 0;
  int launches = 0, synchronisations = 0, allocations = 0, compilations = 0;  // GPU
  std::int64_t chunks = 0, chunks_skipped = 0;
  std::vector<StepProfile> steps;
};

class Profile {
 public:
  void add(PipelineProfile profile) {
    const std::lock_guard lock(mutex_);
    pipelines_.push_back(std::move(profile));
  }
  std::vector<PipelineProfile> take() {
    const std::lock_guard lock(mutex_);
    return std::move(pipelines_);
  }

 private:
  std::mutex mutex_;
  std::vector<PipelineProfile> pipelines_;
};

struct QueryContext {
  Settings settings;
  MemoryPool& pool;  // the query's own budget
  Cancellation& cancellation;
  Profile& profile;
  int threads = 1;                            // workers of each rank
  std::shared_ptr<TextStore> text = nullptr;  // strings that rows point to; the result's rows keep it
  ProgressMeter* progress = nullptr;          // may be null; told by rank 0
};

}  // namespace saccade
