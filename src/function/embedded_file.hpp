// Source text that the build compiles into the binary (cmake/embed.cmake), for compilers that run inside it.
#pragma once

#include <span>
#include <string_view>

namespace saccade {

// Both views end in a NUL and live as long as the program.
struct EmbeddedFile {
  std::string_view name;  // as it is included: "function/hash.hpp"
  std::string_view text;
};

}  // namespace saccade
