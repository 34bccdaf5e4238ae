// The CPU backend: runs the pipelines of a physical plan on the cores of one machine, a batch at a time, morsel by morsel.
#pragma once

#include <memory>

#include "execution/backend.hpp"

namespace saccade {

// One for each rank. Its workers sleep between pipelines and end with it.
std::unique_ptr<Backend> make_cpu_backend();

}  // namespace saccade
