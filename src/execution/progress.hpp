// How far a statement is: told by the rank that runs it, read by any thread at any time.
//
// A plan's pipelines weigh as many units as they are expected to read rows; within a pipeline the rows read count.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace saccade {

class ProgressMeter {
 public:
  struct Reading {
    bool running = false;
    double seconds = 0;
    double fraction = -1;  // -1: no plan runs yet
    std::int64_t rows = 0;
  };

  // A statement starts, and ends.
  void start();
  void finish();
  // A plan starts (again, where an assumption failed): the rows each pipeline is expected to read.
  void start_plan(std::vector<double> expected_rows);
  // `rows`: what its source holds, where that is known better than was expected; negative: not known.
  void start_pipeline(int pipeline, double rows);
  // Rows of the running pipeline's source that are done. Called by all workers.
  void add_rows(std::int64_t rows) { rows_in_pipeline_.fetch_add(rows, std::memory_order_relaxed); }

  Reading read() const;

 private:
  using Clock = std::chrono::steady_clock;
  double fraction() const;  // under mutex_

  mutable std::mutex mutex_;
  bool running_ = false;
  Clock::time_point start_;
  std::vector<double> weights_;
  int pipeline_ = -1;
  double pipeline_rows_ = 0;
  std::int64_t rows_before_ = 0;  // of the pipelines before
  std::atomic<std::int64_t> rows_in_pipeline_{0};
  mutable double shown_ = -1;  // the largest fraction so far
};

}  // namespace saccade
