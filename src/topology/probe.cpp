#include "topology/probe.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "common/error.hpp"

namespace saccade {
namespace {

constexpr int kRounds = 4;

std::uint64_t sum_words(const std::vector<std::uint64_t>& words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return sum;
}

// The seconds of the quickest round in which all threads read their blocks.
double read_all(const std::vector<std::vector<std::uint64_t>>& blocks) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  Clock::time_point start = Clock::now();
  int round = 0;
  std::atomic<std::uint64_t> sink{0};
  const auto between = [&]() noexcept {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (round > 0) best = best == 0 ? seconds : std::min(best, seconds);  // the first barrier only lets all start together
    ++round;
    start = Clock::now();
  };
  std::barrier barrier(static_cast<std::ptrdiff_t>(blocks.size()), between);
  const auto work = [&](std::size_t thread) {
    for (int turn = 0; turn <= kRounds; ++turn) {
      barrier.arrive_and_wait();
      if (turn < kRounds) sink += sum_words(blocks[thread]);
    }
  };
  std::vector<std::jthread> threads;
  std::size_t started = 1;
  try {
    for (; started < blocks.size(); ++started) threads.emplace_back(work, started);
  } catch (const std::system_error& error) {
    for (std::size_t missing = started; missing <= blocks.size(); ++missing) barrier.arrive_and_drop();
    throw Error(sqlstate::kSystemError, std::string("could not start a thread: ") + error.what());
  }
  work(0);
  threads.clear();
  return best;
}

}  // namespace

double measure_memory_bandwidth(int threads, std::int64_t bytes_per_thread) {
  SACCADE_CHECK(threads >= 1 && bytes_per_thread >= 8);
  try {
    const auto words = static_cast<std::size_t>(bytes_per_thread / 8);
    const std::vector<std::vector<std::uint64_t>> blocks(static_cast<std::size_t>(threads),
                                                         std::vector<std::uint64_t>(words, 1));
    const double seconds = read_all(blocks);
    return static_cast<double>(words * 8) * threads / std::max(seconds, 1e-9);
  } catch (const std::bad_alloc&) {
    throw Error(sqlstate::kOutOfMemory, "out of memory while measuring the memory bandwidth", 0, "Use fewer threads.");
  }
}

Topology default_topology(int ranks, int machines) {
  SACCADE_CHECK(machines >= 1 && ranks >= 1 && ranks % machines == 0);
  Topology topology;
  topology.ranks = ranks;
  topology.machines = machines;
  return topology;
}

}  // namespace saccade
