// The device runtime on a real GPU (see device_runtime.hpp for the contract), over the CUDA driver.
//
// Runtimes of one device in this process share its primary context and its memory limit; each has a stream, a pool and modules
// of its own. Every call makes the context current first, so a runtime may be driven by one thread now and by another later. A
// sticky error disables the runtime, and since the context is shared, the next call disables the others too.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuda/cuda_api.hpp"
#include "execution/gpu/device_pool.hpp"
#include "execution/gpu/device_runtime.hpp"
#include "execution/gpu/kernel_cache.hpp"
#include "execution/gpu/pinned_staging.hpp"

namespace saccade::gpu {

class CudaRuntime final : public DeviceRuntime {
 public:
  // Errors: 58000 with a hint if there is no driver or no such GPU.
  CudaRuntime(int device, const Settings& settings);
  ~CudaRuntime() override;

  const DeviceProperties& properties() const override { return properties_; }
  std::vector<const Kernel*> compile(std::span<const std::string> sources, std::span<const std::string> names) override;
  DeviceAddress allocate(std::int64_t bytes) override;
  void free(DeviceAddress address) noexcept override { pool_->free(address); }
  void upload(DeviceAddress destination, const void* source, std::int64_t bytes) override;
  void fill(DeviceAddress destination, unsigned char byte, std::int64_t bytes) override;
  void fill_words(DeviceAddress destination, std::uint64_t word, std::int64_t words) override;
  void download(void* destination, DeviceAddress source, std::int64_t bytes) override;
  void synchronize() override;
  void launch(const Kernel* kernel, int blocks, int threads, std::int64_t shared_bytes, const void* arguments,
              std::int64_t argument_bytes) override;
  RuntimeCounters counters() const override { return counters_; }

 private:
  // What a Kernel* of this runtime points to.
  struct LoadedKernel {
    cuda::Module module = nullptr;
    cuda::Function function = nullptr;
    std::int64_t static_shared_bytes = 0;
    mutable std::int64_t dynamic_shared_limit = 0;  // raised by launch() as needed
  };

  class DriverMemory;

  void enter();
  void check(cuda::Result result, const char* call);
  void read_properties();
  LoadedKernel load(const std::vector<char>& cubin, const std::string& name);
  void download_pieces(std::byte* destination, DeviceAddress source, std::int64_t bytes);

  const cuda::PrimaryContext context_;
  const cuda::DriverApi& api_;
  const int device_;
  DeviceProperties properties_;
  RuntimeCounters counters_;
  std::string disabled_;  // why; empty while the device works
  std::filesystem::path cache_folder_;
  std::shared_ptr<KernelCache> cache_;                     // null until the first compile()
  std::unordered_map<std::string, LoadedKernel> kernels_;  // by name and source
  cuda::Stream stream_ = nullptr;
  std::shared_ptr<DeviceBudget> budget_;
  std::unique_ptr<DriverMemory> memory_;
  std::unique_ptr<DevicePool> pool_;
  std::unique_ptr<PinnedStaging> uploads_, downloads_;
};

}  // namespace saccade::gpu
