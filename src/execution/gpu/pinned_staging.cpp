#include "execution/gpu/pinned_staging.hpp"

#include <algorithm>

namespace saccade::gpu {

PinnedStaging::PinnedStaging(const cuda::DriverApi& api, cuda::Stream stream, DriverCheck check)
    : api_(api), stream_(stream), check_(std::move(check)) {}

PinnedStaging::~PinnedStaging() {
  for (const cuda::Event event : events_) {
    if (event != nullptr) api_.event_destroy(event);
  }
  if (memory_ != nullptr) api_.mem_free_host(memory_);
}

void PinnedStaging::allocate(int& allocations) {
  if (memory_ != nullptr) return;
  for (cuda::Event& event : events_) {
    if (event == nullptr) check_(api_.event_create(&event, cuda::kEventDisableTiming), "cuEventCreate");
  }
  void* memory = nullptr;
  check_(api_.mem_host_alloc(&memory, 2 * kHalfBytes, 0), "cuMemHostAlloc");
  memory_ = static_cast<std::byte*>(memory);
  ++allocations;
}

std::span<std::byte> PinnedStaging::next(std::int64_t wanted, int& waits, int& allocations) {
  allocate(allocations);
  if (filled_ == kHalfBytes) {
    mark(current_);
    current_ = 1 - current_;
    filled_ = 0;
    if (marked_[current_]) {
      const cuda::Result state = api_.event_query(events_[current_]);
      if (state == cuda::kNotReady) {
        ++waits;
        wait(current_);
      } else {
        check_(state, "cuEventQuery");
      }
    }
  }
  constexpr std::int64_t kAlignment = 64;
  const std::int64_t size = std::min(wanted, kHalfBytes - filled_);
  std::byte* const start = memory_ + current_ * kHalfBytes + filled_;
  filled_ = std::min(kHalfBytes, (filled_ + size + kAlignment - 1) / kAlignment * kAlignment);
  return {start, static_cast<std::size_t>(size)};
}

std::byte* PinnedStaging::half(int index, int& allocations) {
  allocate(allocations);
  return memory_ + index * kHalfBytes;
}

void PinnedStaging::mark(int index) {
  check_(api_.event_record(events_[index], stream_), "cuEventRecord");
  marked_[index] = true;
}

void PinnedStaging::wait(int index) {
  check_(api_.event_synchronize(events_[index]), "cuEventSynchronize");
}

}  // namespace saccade::gpu
