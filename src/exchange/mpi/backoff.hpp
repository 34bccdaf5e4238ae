// The pause of a polling loop. One loop, one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace saccade {

// Pauses between polls: eager at first, then ever longer, so that a waiting rank leaves its core to others.
class Backoff {
 public:
  void wait(bool moved) {
    if (moved) {
      idle_ = 0;
      pause_ = kShortest;
    }
    if (++idle_ <= kEagerPolls) {
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(pause_ * 5 / 4, kLongest);
  }

 private:
  static constexpr int kEagerPolls = 200;
  static constexpr std::chrono::nanoseconds kShortest{10'000}, kLongest{2'000'000};
  int idle_ = 0;
  std::chrono::nanoseconds pause_ = kShortest;
};

}  // namespace saccade
