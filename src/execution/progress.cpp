#include "execution/progress.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace saccade {

void ProgressMeter::start() {
  const std::lock_guard lock(mutex_);
  running_ = true;
  start_ = Clock::now();
  weights_.clear();
  pipeline_ = -1;
  rows_before_ = 0;
  rows_in_pipeline_ = 0;
  shown_ = -1;
}

void ProgressMeter::finish() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

void ProgressMeter::start_plan(std::vector<double> expected_rows) {
  const std::lock_guard lock(mutex_);
  weights_ = std::move(expected_rows);
  for (double& weight : weights_) weight = std::max(weight, 1.0);
  pipeline_ = -1;
  rows_before_ += rows_in_pipeline_.exchange(0);
}

void ProgressMeter::start_pipeline(int pipeline, double rows) {
  const std::lock_guard lock(mutex_);
  pipeline_ = pipeline;
  rows_before_ += rows_in_pipeline_.exchange(0);
  double& weight = weights_.at(static_cast<std::size_t>(pipeline));
  if (rows >= 0) weight = std::max(rows, 1.0);
  pipeline_rows_ = weight;
}

double ProgressMeter::fraction() const {
  if (weights_.empty() || pipeline_ < 0) return -1;
  const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const double before = std::accumulate(weights_.begin(), weights_.begin() + pipeline_, 0.0);
  const double share = static_cast<double>(rows_in_pipeline_.load(std::memory_order_relaxed)) / pipeline_rows_;
  return (before + weights_[static_cast<std::size_t>(pipeline_)] * std::min(share, 1.0)) / total;
}

ProgressMeter::Reading ProgressMeter::read() const {
  const std::lock_guard lock(mutex_);
  if (!running_) return {};
  shown_ = std::max(shown_, fraction());
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return {true, seconds, shown_, rows_before_ + rows_in_pipeline_.load(std::memory_order_relaxed)};
}

}  // namespace saccade
