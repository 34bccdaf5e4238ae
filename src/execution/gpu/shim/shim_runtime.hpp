// The device runtime of tests: kernels compiled for the host, a block's threads as fibers, device memory on the heap.
//
// Fresh memory holds a pattern, not zeros, so that a kernel that reads what nobody wrote shows; the address
// sanitizer, in a program that has it, knows what is handed out, to the byte. See device_runtime.hpp.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "execution/gpu/device_pool.hpp"
#include "execution/gpu/device_runtime.hpp"
#include "execution/gpu/shim/fiber_block.hpp"

namespace saccade::gpu {

class ShimRuntime final : public DeviceRuntime {
 public:
  ShimRuntime(const Settings& settings, std::uint64_t seed);
  ~ShimRuntime() override;

  const DeviceProperties& properties() const override { return properties_; }
  std::vector<const Kernel*> compile(std::span<const std::string> sources, std::span<const std::string> names) override;
  DeviceAddress allocate(std::int64_t bytes) override;
  void free(DeviceAddress address) noexcept override;
  void upload(DeviceAddress destination, const void* source, std::int64_t bytes) override;
  void fill(DeviceAddress destination, unsigned char byte, std::int64_t bytes) override;
  void fill_words(DeviceAddress destination, std::uint64_t word, std::int64_t words) override;
  void download(void* destination, DeviceAddress source, std::int64_t bytes) override;
  void synchronize() override { ++counters_.synchronisations; }
  void launch(const Kernel* kernel, int blocks, int threads, std::int64_t shared_bytes, const void* arguments,
              std::int64_t argument_bytes) override;
  RuntimeCounters counters() const override { return counters_; }

 private:
  class HeapBlocks;
  struct LoadedKernel;

  DeviceProperties properties_;
  RuntimeCounters counters_;
  std::filesystem::path folder_;
  std::mt19937_64 random_;
  std::unique_ptr<DeviceBudget> budget_;
  std::unique_ptr<HeapBlocks> blocks_;
  std::unique_ptr<DevicePool> pool_;
  std::map<std::string, std::unique_ptr<LoadedKernel>> kernels_;  // by name and source
};

}  // namespace saccade::gpu
