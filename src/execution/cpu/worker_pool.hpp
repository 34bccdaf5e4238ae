// Threads that run the workers of a pipeline. Kept between pipelines; they sleep while there is no work.
//
// One thread at a time may call run(). Owned by one backend.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace saccade::cpu {

class WorkerPool {
 public:
  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs work(0) on the caller's thread and work(1) .. work(workers - 1) on others; returns when all have ended. The first
  // exception is raised again here. Errors of its own: 58000 where a thread can't be started.
  void run(int workers, const std::function<void(int)>& work);

  // Whether a worker of the current run has thrown: the others stop at their next morsel.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  void start_threads(int workers);
  void serve(int index);
  void work_guarded(const std::function<void(int)>& work, int index);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int)>* work_ = nullptr;
  std::uint64_t generation_ = 0;
  int wanted_ = 0;   // workers of the current run
  int running_ = 0;  // threads that have not ended it yet
  bool closing_ = false;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace saccade::cpu
