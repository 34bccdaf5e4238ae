// EXPLAIN's text: a block a pipeline, a line a step, and beside them, for EXPLAIN ANALYZE, what was measured.
#pragma once

#include <string>
#include <vector>

#include "physical/physical_plan.hpp"

namespace saccade::physical {

// What one pipeline did, over all ranks that report.
struct MeasuredStep {
  std::string name;
  std::int64_t rows = 0;
};

struct MeasuredPipeline {
  bool known = false;
  std::string device;
  double seconds = 0, exchange_seconds = 0;  // of the slowest rank
  std::int64_t rows_in = 0, rows_out = 0, bytes = 0, exchange_bytes = 0;
  std::int64_t chunks = 0, chunks_skipped = 0;
  int launches = 0, synchronisations = 0, allocations = 0, compilations = 0;
  std::vector<MeasuredStep> steps;
};

struct ExplainOptions {
  std::string device;        // of Placement::kDevice: "cpu", "gpu 0", "gpu-shim"
  int workers = 0;           // EXPLAIN PIPELINE: of each pipeline on the CPU; lines then end with the bytes of a row
  std::string communicator;  // "in-process", "mpi", "nccl"; used where the plan has more than one rank
};

// One line an element. `measured`: empty, or by pipeline.
std::vector<std::string> explain(const Plan& plan, const ExplainOptions& options,
                                 const std::vector<MeasuredPipeline>& measured);

}  // namespace saccade::physical
