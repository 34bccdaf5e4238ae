// Loads NVIDIA's libraries at run time, so that the binary builds without a CUDA toolkit and starts where none of them is
// installed. A library that was loaded stays loaded until the process ends. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace saccade::cuda {

// Where a library is looked for: `names` (file names, the preferred first) with the loader's own search path, then in
// /usr/local/cuda/lib64. If the environment variable `variable` is set, it alone says where: a file, a folder that holds one
// of the names, or a Python environment in whose nvidia/*/lib packages (PyPI's nvidia-cuda-nvrtc, nvidia-nccl) it lies.
struct LibrarySearch {
  std::string product;  // "NVRTC", for errors
  std::vector<std::string> names;
  std::string variable;  // empty: none
};

class SharedLibrary {
 public:
  // Nothing if it is not found; `reason` then says where it was looked for and what the loader said.
  static std::optional<SharedLibrary> find(const LibrarySearch& search, std::string& reason);

  const std::string& path() const { return path_; }

  // Sets `function` to the entry point `name`. Errors: 58000 if this version of the library has none.
  template <class Function>
  void resolve(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
  }

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* symbol(const char* name) const;

  void* handle_;
  std::string path_;
};

}  // namespace saccade::cuda
