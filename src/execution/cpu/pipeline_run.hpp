// One run of one pipeline: what its source, steps and sink share. Lives on the stack of CpuBackend::run.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>

#include "execution/backend.hpp"
#include "execution/cpu/program.hpp"
#include "execution/cpu/worker_pool.hpp"

namespace saccade::cpu {

struct PipelineRun {
  const physical::Pipeline& pipeline;
  RunState& state;
  WorkerPool& pool;
  int threads;      // workers of this pipeline
  Program program;  // filled by steps and sink while they are prepared, then read only

  PipelineRun(const physical::Pipeline& pipeline_in, RunState& state_in, WorkerPool& pool_in)
      : pipeline(pipeline_in),
        state(state_in),
        pool(pool_in),
        threads(std::max(1, state_in.query.threads)),
        program(pipeline_in, state_in) {}

  MemoryPool& memory() const { return state.query.pool; }
  void check_cancelled() const { state.query.cancellation.check(); }

  // Runs task(0) .. task(tasks - 1), which work on `rows` rows together; for the ends of sinks. On all workers where there are
  // enough rows to wake them for. Checks cancellation before each task.
  void for_each_task(std::int64_t tasks, std::int64_t rows, const std::function<void(std::int64_t)>& task) const {
    constexpr std::int64_t kRowsWorthAWorker = 1 << 14;
    std::atomic<std::int64_t> next{0};
    const int workers = static_cast<int>(std::min<std::int64_t>({threads, tasks, 1 + rows / kRowsWorthAWorker}));
    if (tasks == 0) return;
    pool.run(workers, [&](int) {
      for (std::int64_t i = next++; i < tasks && !pool.failed(); i = next++) {
        check_cancelled();
        task(i);
      }
    });
  }

  // The same over ranges of `size` rows: task(begin, end).
  void for_each_range(std::int64_t rows, std::int64_t size, const std::function<void(std::int64_t, std::int64_t)>& task) const {
    for_each_task((rows + size - 1) / size, rows, [&](std::int64_t i) { task(i * size, std::min(rows, (i + 1) * size)); });
  }
};

}  // namespace saccade::cpu
