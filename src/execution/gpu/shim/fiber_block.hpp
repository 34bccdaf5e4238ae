// Runs the threads of one block as fibers of the calling host thread, in an order that a seed shuffles: warps of 32 lanes,
// block barriers, and collectives of whole warps. A thread runs until it waits, or until an atomic lets another one run.
// One warp runs ahead of the others as far as it can, until another one takes the lead: what only a barrier orders then comes
// in another order.
//
// Threads that wait for each other for ever, and lanes that meet in different collectives, end the run with an error, never
// with a hang. One run at a time; owned by one host thread.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "execution/gpu/shim/shim_api.hpp"

namespace saccade::gpu {

class FiberBlock {
 public:
  // `threads`: a multiple of 32.
  FiberBlock(int threads, std::uint64_t seed);
  ~FiberBlock();
  FiberBlock(const FiberBlock&) = delete;
  FiberBlock& operator=(const FiberBlock&) = delete;

  // Where the running thread stands; block, blocks and shared are the caller's to set before run().
  saccade_shim::Place& place() { return place_; }
  static const saccade_shim::Api& api();

  // Runs `body` once in each thread. Errors: XX000 where the threads can't go on.
  void run(const std::function<void()>& body);

 private:
  enum class State : std::uint8_t { kReady, kAtBarrier, kInCollective, kFinished };
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    void* shadow = nullptr;  // the address sanitizer's, in a program that has it
    State state = State::kFinished;
  };
  struct Warp {
    unsigned kind = 0;  // of the collective in which lanes wait
    unsigned arrived = 0;
    unsigned generation = 0;
    std::vector<unsigned> ready;                            // threads
    std::array<std::array<unsigned long, 32>, 2> values{};  // by the generation's parity
  };

  static void start(unsigned high, unsigned low);
  void prepare(Fiber& fiber);
  void barrier();
  const unsigned long* collective(unsigned kind, unsigned mask, unsigned long value);
  void preempt();
  void switch_in(Fiber& fiber);
  void switch_out(State state);
  [[noreturn]] void fail(std::string message);
  std::string waiting() const;
  bool any_ready() const;
  unsigned pick();
  void make_ready(unsigned thread);

  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  std::mt19937_64 random_;
  ucontext_t scheduler_;
  const void* scheduler_stack_ = nullptr;  // for the address sanitizer
  std::size_t scheduler_stack_bytes_ = 0;
  saccade_shim::Place place_;
  const std::function<void()>* body_ = nullptr;
  std::size_t leader_ = 0;  // the warp that runs ahead
  int at_barrier_ = 0;
  int finished_ = 0;
  std::string error_;
};

}  // namespace saccade::gpu
