// Compiles a kernel's text for the host with the machine's C++ compiler ($CXX, else c++), and keeps the shared objects on disk
// beside the text they were made from: a file whose text differs is never used. Thread-safe; processes may share the folder.
#pragma once

#include <filesystem>
#include <string>

namespace saccade::gpu {

struct ShimObject {
  std::filesystem::path path;  // exports saccade_shim_bind and saccade_shim_call
  bool compiled = false;       // by this call
};

// `source`: complete (device_text.hpp), defining the kernel `name`. Errors: XX000 with the compiler's log, 58000 where no
// compiler or no place for the object is found.
ShimObject compile_for_host(const std::string& source, const std::string& name, const std::filesystem::path& folder);

}  // namespace saccade::gpu
