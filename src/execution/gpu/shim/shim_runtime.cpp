#include "execution/gpu/shim/shim_runtime.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <future>
#include <numeric>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "common/error.hpp"
#include "execution/gpu/kernel_cache.hpp"
#include "execution/gpu/shim/shim_compiler.hpp"

namespace saccade::gpu {

namespace {

constexpr int kThreads = 64;  // two warps
constexpr std::int64_t kMemory = std::int64_t{4} << 30;
constexpr int kUnwritten = 0xcd;
constexpr std::int64_t kPatternBytes = std::int64_t{1} << 20;

// To the address sanitizer, if the program has it: what lies outside of pieces that are handed out must not be touched.
void close_memory([[maybe_unused]] const void* address, [[maybe_unused]] std::int64_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_poison_memory_region(address, static_cast<std::size_t>(bytes));
#endif
}
void open_memory([[maybe_unused]] const void* address, [[maybe_unused]] std::int64_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(address, static_cast<std::size_t>(bytes));
#endif
}

}  // namespace

class ShimRuntime::HeapBlocks final : public BlockSource {
 public:
  explicit HeapBlocks(RuntimeCounters& counters) : counters_(counters) {}
  std::optional<DeviceAddress> take(std::int64_t bytes) override {
    ++counters_.allocations;
    void* block = std::aligned_alloc(DevicePool::kAlignment, static_cast<std::size_t>(bytes));
    if (block == nullptr) return std::nullopt;
    close_memory(block, bytes);
    return reinterpret_cast<DeviceAddress>(block);
  }
  void give_back(DeviceAddress address) noexcept override { std::free(reinterpret_cast<void*>(address)); }

 private:
  RuntimeCounters& counters_;
};

// What a Kernel* of this runtime points to.
struct ShimRuntime::LoadedKernel {
  explicit LoadedKernel(const std::filesystem::path& path) : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library == nullptr) throw Error(sqlstate::kSystemError, fmt::format("the gpu-shim can't load a kernel: {}", dlerror()));
    bind = reinterpret_cast<decltype(bind)>(dlsym(library, "saccade_shim_bind"));
    call = reinterpret_cast<decltype(call)>(dlsym(library, "saccade_shim_call"));
    SACCADE_CHECK(bind != nullptr && call != nullptr);
  }
  ~LoadedKernel() { dlclose(library); }
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  void* library;
  void (*bind)(const saccade_shim::Api*, saccade_shim::Place*);
  void (*call)(const void* arguments);
};

ShimRuntime::ShimRuntime(const Settings& settings, std::uint64_t seed) : folder_(kernel_cache_folder(settings)), random_(seed) {
  if (folder_.empty()) folder_ = std::filesystem::temp_directory_path() / "saccade-kernels";
  properties_.name = "shim";
  properties_.multiprocessors = 2;
  properties_.blocks_per_multiprocessor = 2;
  properties_.block_threads = kThreads;
  properties_.memory = kMemory;
  budget_ = std::make_unique<DeviceBudget>(settings.gpu_memory_limit > 0 ? settings.gpu_memory_limit : kMemory);
  blocks_ = std::make_unique<HeapBlocks>(counters_);
  pool_ = std::make_unique<DevicePool>("gpu-shim", *blocks_, *budget_);
}

ShimRuntime::~ShimRuntime() = default;

std::vector<const Kernel*> ShimRuntime::compile(std::span<const std::string> sources, std::span<const std::string> names) {
  SACCADE_CHECK(sources.size() == names.size());
  std::map<std::string, std::future<ShimObject>> missing;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    keys.push_back(names[i] + '\n' + sources[i]);
    if (kernels_.contains(keys[i]) || missing.contains(keys[i])) continue;
    missing.emplace(keys[i], std::async(std::launch::async, [this, source = sources[i], name = names[i]] {
                      return compile_for_host(source, name, folder_);
                    }));
  }
  for (auto& [key, object] : missing) {
    const ShimObject found = object.get();
    counters_.compilations += found.compiled ? 1 : 0;
    kernels_.emplace(key, std::make_unique<LoadedKernel>(found.path));
  }
  std::vector<const Kernel*> kernels;
  for (const std::string& key : keys) kernels.push_back(reinterpret_cast<const Kernel*>(kernels_.at(key).get()));
  return kernels;
}

DeviceAddress ShimRuntime::allocate(std::int64_t bytes) {
  const DeviceAddress address = pool_->allocate(bytes);
  open_memory(reinterpret_cast<void*>(address), bytes);
  std::memset(reinterpret_cast<void*>(address), kUnwritten, static_cast<std::size_t>(std::min(bytes, kPatternBytes)));
  return address;
}

void ShimRuntime::free(DeviceAddress address) noexcept {
  close_memory(reinterpret_cast<void*>(address), pool_->free(address));
}

void ShimRuntime::upload(DeviceAddress destination, const void* source, std::int64_t bytes) {
  std::memcpy(reinterpret_cast<void*>(destination), source, static_cast<std::size_t>(bytes));
}

void ShimRuntime::fill(DeviceAddress destination, unsigned char byte, std::int64_t bytes) {
  std::memset(reinterpret_cast<void*>(destination), byte, static_cast<std::size_t>(bytes));
}

void ShimRuntime::fill_words(DeviceAddress destination, std::uint64_t word, std::int64_t words) {
  std::fill_n(reinterpret_cast<std::uint64_t*>(destination), words, word);
}

void ShimRuntime::download(void* destination, DeviceAddress source, std::int64_t bytes) {
  ++counters_.synchronisations;
  std::memcpy(destination, reinterpret_cast<const void*>(source), static_cast<std::size_t>(bytes));
}

// Blocks run one after the other, in an order that the seed shuffles.
void ShimRuntime::launch(const Kernel* kernel, int blocks, int threads, std::int64_t shared_bytes, const void* arguments,
                         std::int64_t argument_bytes) {
  SACCADE_CHECK(threads == kThreads && blocks > 0 && shared_bytes <= properties_.shared_memory_per_block);
  ++counters_.launches;
  const auto& loaded = *reinterpret_cast<const LoadedKernel*>(kernel);
  // As the device does, the kernel sees a copy; 16 bytes is the alignment of a 128-bit literal.
  std::vector<std::max_align_t> copy(static_cast<std::size_t>(argument_bytes) / sizeof(std::max_align_t) + 1);
  std::memcpy(copy.data(), arguments, static_cast<std::size_t>(argument_bytes));
  std::vector<std::max_align_t> shared(static_cast<std::size_t>(shared_bytes) / sizeof(std::max_align_t) + 1);
  FiberBlock block(threads, random_());
  saccade_shim::Place& place = block.place();
  place.blocks = static_cast<unsigned>(blocks);
  place.shared = reinterpret_cast<unsigned long*>(shared.data());
  loaded.bind(&FiberBlock::api(), &place);
  std::vector<unsigned> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random_);
  for (const unsigned number : order) {
    place.block = number;
    std::memset(static_cast<void*>(shared.data()), kUnwritten, shared.size() * sizeof(std::max_align_t));
    block.run([&] { loaded.call(copy.data()); });
  }
}

std::unique_ptr<DeviceRuntime> make_shim_runtime(const Settings& settings, std::uint64_t seed) {
  return std::make_unique<ShimRuntime>(settings, seed);
}

}  // namespace saccade::gpu
