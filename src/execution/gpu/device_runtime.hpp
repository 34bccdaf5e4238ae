// A device that kernels run on: a GPU through the CUDA driver (cuda_runtime.cpp), or the shim, which compiles the same text for
// the host and runs a block's threads as fibers (shim/shim_runtime.cpp). The GPU backend is written against this alone.
//
// All work of one runtime goes to one stream, in order. Used by one thread at a time, except where several in-process ranks
// share one GPU: each then has a runtime of its own (memory counts against one limit). Errors: 58000 with the device's own
// error name for a failed call (a sticky error disables the runtime: every later call raises 58000), 53200 where device memory
// or its limit is too small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/settings.hpp"

namespace saccade::gpu {

using DeviceAddress = std::uint64_t;

struct DeviceProperties {
  std::string name;      // "NVIDIA H200", "shim"
  int architecture = 0;  // 80, 90, 100; 0 for the shim
  int multiprocessors = 1;
  std::int64_t memory = 0;  // bytes
  std::int64_t shared_memory_per_block = 48 * 1024;
  int block_threads = 256;  // what kernels are to be launched with (the shim: 64, two warps)
  int blocks_per_multiprocessor = 8;
};

// A compiled kernel; owned by the runtime's cache, valid as long as the runtime.
struct Kernel;

struct RuntimeCounters {
  int launches = 0, synchronisations = 0, allocations = 0, compilations = 0;
};

class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  virtual const DeviceProperties& properties() const = 0;

  // Kernels by text: from the cache in memory, the one on disk, or compiled, all texts at the same time. `sources[i]` defines
  // one extern "C" kernel `names[i]`. Errors: XX000 with the compiler's log (a fault of the emitter).
  virtual std::vector<const Kernel*> compile(std::span<const std::string> sources, std::span<const std::string> names) = 0;

  // Device memory from a pool that keeps what is freed (`allocations` counts only calls to the driver). 256-byte aligned.
  virtual DeviceAddress allocate(std::int64_t bytes) = 0;
  virtual void free(DeviceAddress address) noexcept = 0;

  // In stream order. Uploads copy from pageable memory through pinned staging: `source` may be reused on return.
  virtual void upload(DeviceAddress destination, const void* source, std::int64_t bytes) = 0;
  virtual void fill(DeviceAddress destination, unsigned char byte, std::int64_t bytes) = 0;
  virtual void fill_words(DeviceAddress destination, std::uint64_t word, std::int64_t words) = 0;
  // Waits for all that was enqueued before (one synchronisation).
  virtual void download(void* destination, DeviceAddress source, std::int64_t bytes) = 0;
  virtual void synchronize() = 0;

  // `arguments`: the kernel's single parameter, a struct passed by value. Dynamic shared memory in bytes.
  virtual void launch(const Kernel* kernel, int blocks, int threads, std::int64_t shared_bytes, const void* arguments,
                      std::int64_t argument_bytes) = 0;

  virtual RuntimeCounters counters() const = 0;  // since the start
};

// GPUs of this machine. Errors: 58000 with a hint where no driver or no GPU is found.
int cuda_device_count();

// Errors: 58000 with a hint where no driver, no GPU or no NVRTC is found.
std::unique_ptr<DeviceRuntime> make_cuda_runtime(int device, const Settings& settings);
// Needs a C++ compiler (c++ on PATH, or $CXX) at run time: for tests. `seed` shuffles the schedule of threads.
std::unique_ptr<DeviceRuntime> make_shim_runtime(const Settings& settings, std::uint64_t seed);

// Compiles a kernel's text by NVRTC for an architecture (80, 90, 100) without a GPU: the cubin, and the time it took.
// Errors: 58000 where libnvrtc is not installed, XX000 with the log.
struct CompiledKernel {
  std::vector<char> cubin;
  double seconds = 0;
  std::string log;
};
CompiledKernel compile_with_nvrtc(const std::string& source, int architecture);
// Whether libnvrtc can be loaded on this machine.
bool nvrtc_available();

}  // namespace saccade::gpu
