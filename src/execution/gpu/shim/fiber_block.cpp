#include "execution/gpu/shim/fiber_block.hpp"

#include <fmt/format.h>

#include <algorithm>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kPreemptOneIn = 8;
constexpr int kNewLeaderOneIn = 200;

// Tells the address sanitizer, in a program that has it, on which stack the host thread runs.
#ifdef __SANITIZE_ADDRESS__
// `shadow`: where what belongs to the stack that is left is kept; nullptr if nothing returns to it.
void leave_stack(void** shadow, const void* next_stack, std::size_t next_bytes) {
  __sanitizer_start_switch_fiber(shadow, next_stack, next_bytes);
}
void arrive_on_stack(void* shadow, const void** last_stack, std::size_t* last_bytes) {
  __sanitizer_finish_switch_fiber(shadow, last_stack, last_bytes);
}
// The frames of a fiber that never returned have left their marks.
void clear_stack(const char* stack) {
  __asan_unpoison_memory_region(stack, kStackBytes);
}
#else
void leave_stack(void**, const void*, std::size_t) {}
void arrive_on_stack(void*, const void**, std::size_t*) {}
void clear_stack(const char*) {}
#endif

}  // namespace

FiberBlock::FiberBlock(int threads, std::uint64_t seed)
    : fibers_(static_cast<std::size_t>(threads)), warps_(static_cast<std::size_t>(threads / 32)), random_(seed) {
  SACCADE_CHECK(threads > 0 && threads % 32 == 0);
  place_.threads = static_cast<unsigned>(threads);
  place_.machine = this;
  for (Fiber& fiber : fibers_) fiber.stack.reset(new char[kStackBytes]);
}

FiberBlock::~FiberBlock() = default;

const saccade_shim::Api& FiberBlock::api() {
  static const saccade_shim::Api api{
      [](void* machine) { static_cast<FiberBlock*>(machine)->barrier(); },
      [](void* machine, unsigned kind, unsigned mask, unsigned long value) {
        return static_cast<FiberBlock*>(machine)->collective(kind, mask, value);
      },
      [](void* machine) { static_cast<FiberBlock*>(machine)->preempt(); },
  };
  return api;
}

// makecontext passes integers only: the address comes in two halves.
void FiberBlock::start(unsigned high, unsigned low) {
  auto* block = reinterpret_cast<FiberBlock*>(static_cast<std::uint64_t>(high) << 32 | low);
  arrive_on_stack(nullptr, &block->scheduler_stack_, &block->scheduler_stack_bytes_);
  (*block->body_)();
  ++block->finished_;
  block->switch_out(State::kFinished);
}

void FiberBlock::prepare(Fiber& fiber) {
  const auto self = reinterpret_cast<std::uint64_t>(this);
  clear_stack(fiber.stack.get());
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, reinterpret_cast<void (*)()>(&FiberBlock::start), 2, static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
}

void FiberBlock::run(const std::function<void()>& body) {
  body_ = &body;
  at_barrier_ = 0;
  finished_ = 0;
  error_.clear();
  leader_ = random_() % warps_.size();
  for (Warp& warp : warps_) warp = Warp();
  for (unsigned thread = 0; thread < place_.threads; ++thread) {
    prepare(fibers_[thread]);
    make_ready(thread);
  }
  while (finished_ < static_cast<int>(fibers_.size()) && error_.empty()) {
    if (!any_ready()) {
      error_ = "threads of a block wait for each other for ever: " + waiting();
      break;
    }
    place_.thread = pick();
    switch_in(fibers_[place_.thread]);
  }
  if (!error_.empty()) throw Error(sqlstate::kInternalError, "gpu-shim: " + error_);
}

bool FiberBlock::any_ready() const {
  return std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return !warp.ready.empty(); });
}

// Any ready lane of the leading warp.
unsigned FiberBlock::pick() {
  if (random_() % kNewLeaderOneIn == 0) leader_ = random_() % warps_.size();
  while (warps_[leader_].ready.empty()) leader_ = random_() % warps_.size();
  std::vector<unsigned>& ready = warps_[leader_].ready;
  std::swap(ready[random_() % ready.size()], ready.back());
  const unsigned thread = ready.back();
  ready.pop_back();
  return thread;
}

void FiberBlock::make_ready(unsigned thread) {
  fibers_[thread].state = State::kReady;
  warps_[thread / 32].ready.push_back(thread);
}

void FiberBlock::switch_in(Fiber& fiber) {
  void* shadow = nullptr;
  leave_stack(&shadow, fiber.stack.get(), kStackBytes);
  swapcontext(&scheduler_, &fiber.context);
  arrive_on_stack(shadow, nullptr, nullptr);
}

void FiberBlock::switch_out(State state) {
  const unsigned own = place_.thread;
  fibers_[own].state = state;
  if (state == State::kReady) make_ready(own);
  Fiber& fiber = fibers_[own];
  leave_stack(state == State::kFinished ? nullptr : &fiber.shadow, scheduler_stack_, scheduler_stack_bytes_);
  swapcontext(&fiber.context, &scheduler_);
  arrive_on_stack(fiber.shadow, &scheduler_stack_, &scheduler_stack_bytes_);
}

// The fiber is never resumed, so its frames must own nothing.
void FiberBlock::fail(std::string message) {
  error_ = std::move(message);
  for (;;) switch_out(State::kFinished);
}

void FiberBlock::barrier() {
  if (++at_barrier_ < static_cast<int>(fibers_.size())) return switch_out(State::kAtBarrier);
  at_barrier_ = 0;
  for (unsigned thread = 0; thread < place_.threads; ++thread) {
    if (fibers_[thread].state == State::kAtBarrier) make_ready(thread);
  }
  switch_out(State::kReady);
}

const unsigned long* FiberBlock::collective(unsigned kind, unsigned mask, unsigned long value) {
  const unsigned lane = place_.thread % 32;
  const unsigned warp_number = place_.thread / 32;
  Warp& warp = warps_[warp_number];
  if (mask != kFullWarp) fail(fmt::format("a collective of a part of a warp (mask {:#x})", mask));
  if (warp.arrived != 0 && warp.kind != kind) {
    fail(fmt::format("lanes of a warp meet in different collectives ({} and {})", warp.kind, kind));
  }
  warp.kind = kind;
  warp.arrived |= 1u << lane;
  std::array<unsigned long, 32>& values = warp.values[warp.generation % 2];
  values[lane] = value;
  if (warp.arrived != kFullWarp) {
    switch_out(State::kInCollective);
    return values.data();
  }
  warp.arrived = 0;
  ++warp.generation;
  for (unsigned thread = warp_number * 32; thread < warp_number * 32 + 32; ++thread) {
    if (fibers_[thread].state == State::kInCollective) make_ready(thread);
  }
  switch_out(State::kReady);
  return values.data();
}

void FiberBlock::preempt() {
  if (random_() % kPreemptOneIn == 0) switch_out(State::kReady);
}

std::string FiberBlock::waiting() const {
  int in_collectives = 0;
  for (const Fiber& fiber : fibers_) in_collectives += fiber.state == State::kInCollective ? 1 : 0;
  return fmt::format("{} at the block's barrier, {} in collectives of their warps, {} have ended", at_barrier_, in_collectives,
                     finished_);
}

}  // namespace saccade::gpu
