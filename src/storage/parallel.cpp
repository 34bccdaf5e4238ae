#include "storage/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace saccade {

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::int64_t width = std::min<std::int64_t>(count, threads > 0 ? threads : cores);
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto work = [&] {
    try {
      for (std::int64_t part = next++; part < count; part = next++) body(part);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(error_mutex);
      if (error == nullptr) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> workers;
    try {
      for (std::int64_t i = 1; i < width; ++i) workers.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no further thread: those that run do all of the work.
    }
    work();
  }
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace saccade
