// Makes the backends of one rank. The only file that names both kinds of device.
#pragma once

#include <memory>

#include "execution/backend.hpp"

namespace saccade {

// `rank`: of this process's ranks, for the shim's schedule and for which GPU serves it. Errors: 58000 where the device or what
// it needs is not there.
std::unique_ptr<Backend> make_backend(Device device, int rank, const Settings& settings);

// The GPU that serves a rank: more ranks than GPUs share them. Errors: 58000 where there is none.
int gpu_of_rank(int rank);

}  // namespace saccade
