// Page-locked host memory through which a runtime's copies go: the device's copy engine reads and writes it at full speed while
// the CPU fills or empties another part. Allocated at first use. One thread at a time, all copies on one stream.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "cuda/cuda_api.hpp"

namespace saccade::gpu {

// Raises the error that a failed driver call stands for.
using DriverCheck = std::function<void(cuda::Result, const char* call)>;

// Two halves of kHalfBytes. As a ring (uploads), pieces fill one half after the other, and a half is used again when the copies
// out of it are done. As two slots (downloads), each half holds one piece that is on its way.
class PinnedStaging {
 public:
  static constexpr std::int64_t kHalfBytes = std::int64_t{16} << 20;

  PinnedStaging(const cuda::DriverApi& api, cuda::Stream stream, DriverCheck check);
  ~PinnedStaging();
  PinnedStaging(const PinnedStaging&) = delete;
  PinnedStaging& operator=(const PinnedStaging&) = delete;

  // The next part of the ring, of at most `wanted` bytes and at least one; fill it and enqueue the copy out of it before the
  // next call. Adds to `waits` if the copies out of that half had to be waited for, to `allocations` at first use.
  std::span<std::byte> next(std::int64_t wanted, int& waits, int& allocations);

  // Half 0 or 1, whole.
  std::byte* half(int index, int& allocations);
  // Notes that the work enqueued so far uses a half, and waits until it is done.
  void mark(int index);
  void wait(int index);

 private:
  void allocate(int& allocations);

  const cuda::DriverApi& api_;
  cuda::Stream stream_;
  DriverCheck check_;
  std::byte* memory_ = nullptr;
  std::array<cuda::Event, 2> events_{};
  std::array<bool, 2> marked_{};
  int current_ = 0;
  std::int64_t filled_ = 0;  // bytes of the current half
};

}  // namespace saccade::gpu
