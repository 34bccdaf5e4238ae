// The backend of GPUs, and of the shim: each pipeline runs as one generated kernel (emitter.hpp) and a few fixed ones.
#pragma once

#include <memory>

#include "execution/backend.hpp"
#include "execution/gpu/device_runtime.hpp"
#include "execution/gpu/residency.hpp"

namespace saccade {

// `name`: "gpu 0", "gpu-shim". `residency` may be shared by the backends of a process; kernels of up to a few plans are kept,
// so that a plan that was run before is neither printed nor compiled again.
std::unique_ptr<Backend> make_gpu_backend(std::string name, std::unique_ptr<gpu::DeviceRuntime> runtime,
                                          std::shared_ptr<gpu::Residency> residency);

}  // namespace saccade
