// NVIDIA's run-time compiler, loaded at first use: a kernel's text in, a cubin for one architecture out. Needs no GPU.
// Looked for in $SACCADE_NVRTC (see cuda/shared_library.hpp), by the loader, and in /usr/local/cuda/lib64. Thread-safe;
// kernels compile at the same time on different threads. compile_with_nvrtc and nvrtc_available are in device_runtime.hpp.
#pragma once

#include <string>

#include "execution/gpu/device_runtime.hpp"

namespace saccade::gpu {

// All that decides on a cubin besides source and architecture: the compiler's version and its flags.
// Errors: 58000 where libnvrtc is not installed.
std::string nvrtc_identity();

}  // namespace saccade::gpu
