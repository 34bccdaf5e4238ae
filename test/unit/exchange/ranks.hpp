// Runs a function once per in-process rank, each on a thread of its own, and hands on the first failure.
#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "exchange/communicator.hpp"

namespace saccade {

// A rank that fails aborts the others, as an engine does; its exception (not theirs) is rethrown.
inline void run_ranks(int ranks, const std::function<void(Communicator&)>& body) {
  auto communicators = make_in_process_communicators(ranks);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      Communicator& communicator = *communicators[static_cast<std::size_t>(rank)];
      try {
        body(communicator);
      } catch (const std::exception& error) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
        communicator.abort(error.what());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace saccade
