#include "engine/backends.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "execution/cpu/cpu_backend.hpp"
#include "execution/gpu/device_runtime.hpp"
#include "execution/gpu/gpu_backend.hpp"

namespace saccade {

int gpu_of_rank(int rank) {
  return rank % std::max(1, gpu::cuda_device_count());
}

std::unique_ptr<Backend> make_backend(Device device, int rank, const Settings& settings) {
  auto residency = std::make_shared<gpu::Residency>();
  switch (device) {
    case Device::kCpu:
      return make_cpu_backend();
    case Device::kGpu: {
      const int number = gpu_of_rank(rank);
      return make_gpu_backend(fmt::format("gpu {}", number), gpu::make_cuda_runtime(number, settings), std::move(residency));
    }
    case Device::kGpuShim:
      return make_gpu_backend("gpu-shim", gpu::make_shim_runtime(settings, static_cast<std::uint64_t>(rank) + 1),
                              std::move(residency));
  }
  throw Error(sqlstate::kInternalError, "unknown device");
}

}  // namespace saccade
