#include "engine/backends.hpp"

#include "execution/cpu/cpu_backend.hpp"
#include "execution/gpu/device_runtime.hpp"
#include "execution/gpu/gpu_backend.hpp"

namespace saccade {

std::unique_ptr<Backend> make_backend(Device device, int rank, const Settings& settings) {
  switch (device) {
    case Device::kCpu:
      return make_cpu_backend();
    case Device::kGpu:
      return make_gpu_backend(gpu::make_cuda_runtime(rank, settings), settings);
    case Device::kGpuShim:
      return make_gpu_backend(gpu::make_shim_runtime(settings, static_cast<std::uint64_t>(rank) + 1), settings);
  }
  throw Error(sqlstate::kInternalError, "unknown device");
}

}  // namespace saccade
