// A piece of device memory that frees itself; movable. The runtime must outlive it.
#pragma once

#include <algorithm>
#include <utility>

#include "execution/gpu/device_runtime.hpp"

namespace saccade::gpu {

class DeviceMemory {
 public:
  DeviceMemory() = default;
  // Errors: 53200.
  DeviceMemory(DeviceRuntime& runtime, std::int64_t bytes)
      : runtime_(&runtime), address_(runtime.allocate(std::max<std::int64_t>(bytes, 1))), bytes_(bytes) {}
  DeviceMemory(DeviceMemory&& other) noexcept
      : runtime_(other.runtime_), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(runtime_, other.runtime_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory() {
    if (address_ != 0) runtime_->free(address_);
  }

  DeviceAddress address() const { return address_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  DeviceRuntime* runtime_ = nullptr;
  DeviceAddress address_ = 0;
  std::int64_t bytes_ = 0;
};

// A column as kernels see it: the words of Column and Output in device/tile.cuh and device/store.cuh.
struct ColumnAddress {
  DeviceAddress values = 0;
  std::int64_t base = 0;
  DeviceAddress validity = 0;
};

}  // namespace saccade::gpu
