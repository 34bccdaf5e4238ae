// The scalar functions' headers as text, for the run-time compiler of device code: the same files that the host compiles.
#pragma once

#include "function/embedded_file.hpp"

namespace saccade {

// function_error.hpp, hash.hpp and scalar/*.hpp; "function/scalar/all.hpp" includes every scalar function.
std::span<const EmbeddedFile> function_device_headers();

}  // namespace saccade
