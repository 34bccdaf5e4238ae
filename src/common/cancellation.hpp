// The wish to end a statement early. Owned by a session; known to the statement's memory pool, so that whatever allocates for a
// statement, or may ask its pool, notices. Any thread may cancel or check.
#pragma once

#include <atomic>

#include "common/error.hpp"

namespace saccade {

// Set by Ctrl-C, by a time limit or by another rank's failure. Any thread may cancel or check.
class Cancellation {
 public:
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void reset() noexcept { cancelled_.store(false, std::memory_order_relaxed); }
  // Raises 57014. Called at least once a morsel, and every few milliseconds of any longer work.
  void check() const {
    if (cancelled()) throw Error(sqlstate::kQueryCanceled, "canceling statement due to user request");
  }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace saccade
