#include "execution/cpu/worker_pool.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "common/error.hpp"

namespace saccade::cpu {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::work_guarded(const std::function<void(int)>& work, int index) {
  try {
    work(index);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
}

void WorkerPool::serve(int index) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return closing_ || (generation_ != seen && index < wanted_); });
    if (closing_) return;
    seen = generation_;
    const std::function<void(int)>& work = *work_;
    lock.unlock();
    work_guarded(work, index);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

void WorkerPool::start_threads(int workers) {
  try {
    for (int index = static_cast<int>(threads_.size()) + 1; index < workers; ++index) {
      threads_.emplace_back([this, index] { serve(index); });
    }
  } catch (const std::system_error& error) {
    throw Error(sqlstate::kSystemError, fmt::format("could not start a worker thread: {}", error.what()), 0,
                "Lower the setting threads.");
  }
}

void WorkerPool::run(int workers, const std::function<void(int)>& work) {
  failed_.store(false, std::memory_order_relaxed);
  error_ = nullptr;
  if (workers > 1) {
    const std::lock_guard lock(mutex_);
    start_threads(workers);
    work_ = &work;
    wanted_ = workers;
    running_ = workers - 1;
    ++generation_;
    start_.notify_all();
  }
  work_guarded(work, 0);
  if (workers > 1) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
    wanted_ = 0;
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace saccade::cpu
