// Compiled kernels by their text: in memory, then on disk, else compiled, several at the same time.
//
// An entry is found by the compiler's identity (version and flags), the architecture and the complete source, all of which the
// file repeats and which are compared in full: a file that is damaged, foreign or of another compiler is never used, only
// replaced. Files are written beside their place and renamed, so processes may share a folder. A folder that can't be written
// costs only the time to compile again. Thread-safe; a text that two threads ask for is compiled once.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/settings.hpp"

namespace saccade::gpu {

using Cubin = std::shared_ptr<const std::vector<char>>;

class KernelCache {
 public:
  // Compiles one source for an architecture; called on several threads at a time.
  using Compile = std::function<std::vector<char>(const std::string& source, int architecture)>;

  // `folder`: empty for none on disk. `identity`: of the compiler.
  KernelCache(std::filesystem::path folder, std::string identity, Compile compile);

  struct Found {
    Cubin cubin;
    bool compiled = false;  // by this call
  };
  // One result a source, in order. Errors: the first that `compile` raised.
  std::vector<Found> get(std::span<const std::string> sources, int architecture);

  // Where the entry of a source lies on disk.
  std::filesystem::path file_of(const std::string& source, int architecture) const;

 private:
  std::string key(const std::string& source, int architecture) const;
  Found get_one(const std::string& source, int architecture);
  Found load_or_compile(const std::string& key, const std::string& source, int architecture);

  const std::filesystem::path folder_;
  const std::string identity_;
  const Compile compile_;
  std::mutex mutex_;
  std::condition_variable compiled_;
  std::unordered_map<std::string, Cubin> memory_;
  std::set<std::string> in_work_;  // keys that a thread is loading or compiling
};

// The folder that settings.kernel_cache names or defaults to; empty if there is no home folder.
std::filesystem::path kernel_cache_folder(const Settings& settings);

// The cache that all runtimes of this process with the same folder share, with NVRTC as its compiler.
// Errors: 58000 where libnvrtc is not installed.
std::shared_ptr<KernelCache> nvrtc_kernel_cache(const std::filesystem::path& folder);

}  // namespace saccade::gpu
