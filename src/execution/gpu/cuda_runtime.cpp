#include "execution/gpu/cuda_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

constexpr const char* kFillWordsName = "saccade_fill_words";
constexpr const char* kFillWordsSource = R"(// fills 64-bit words
struct FillWordsArguments { unsigned long long* destination; unsigned long long word; long long words; };
extern "C" __global__ void saccade_fill_words(FillWordsArguments a) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < a.words; i += step) a.destination[i] = a.word;
}
)";

struct FillWordsArguments {
  DeviceAddress destination;
  std::uint64_t word;
  std::int64_t words;
};

// The budget that all runtimes of `device` share as long as one of them lives; the first one sets the limit.
std::shared_ptr<DeviceBudget> shared_budget(int device, std::int64_t limit) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<DeviceBudget>> budgets;
  const std::lock_guard lock(mutex);
  std::shared_ptr<DeviceBudget> budget = budgets[device].lock();
  if (!budget) {
    budget = std::make_shared<DeviceBudget>(limit);
    budgets[device] = budget;
  }
  return budget;
}

}  // namespace

// The pool's blocks, from the driver.
class CudaRuntime::DriverMemory final : public BlockSource {
 public:
  explicit DriverMemory(CudaRuntime& runtime) : runtime_(runtime) {}

  std::optional<DeviceAddress> take(std::int64_t bytes) override {
    cuda::DeviceAddress address = 0;
    const cuda::Result result = runtime_.api_.mem_alloc(&address, static_cast<std::size_t>(bytes));
    ++runtime_.counters_.allocations;
    if (result == cuda::kOutOfMemory) return std::nullopt;
    runtime_.check(result, "cuMemAlloc");
    return address;
  }
  void give_back(DeviceAddress address) noexcept override { runtime_.api_.mem_free(address); }

 private:
  CudaRuntime& runtime_;
};

CudaRuntime::CudaRuntime(int device, const Settings& settings)
    : context_(device), api_(context_.api()), device_(device), cache_folder_(kernel_cache_folder(settings)) {
  enter();
  read_properties();
  std::int64_t limit = settings.gpu_memory_limit;
  if (limit == 0) {
    std::size_t free = 0, total = 0;
    check(api_.mem_get_info(&free, &total), "cuMemGetInfo");
    limit = static_cast<std::int64_t>(free / 10 * 9);
  }
  budget_ = shared_budget(device, limit);
  const auto raise = [this](cuda::Result result, const char* call) { check(result, call); };
  check(api_.stream_create(&stream_, cuda::kStreamNonBlocking), "cuStreamCreate");
  memory_ = std::make_unique<DriverMemory>(*this);
  pool_ = std::make_unique<DevicePool>(fmt::format("GPU {}", device), *memory_, *budget_);
  uploads_ = std::make_unique<PinnedStaging>(api_, stream_, raise);
  downloads_ = std::make_unique<PinnedStaging>(api_, stream_, raise);
}

// Results are not looked at: after a sticky error every call fails, and the driver frees all with the process.
CudaRuntime::~CudaRuntime() {
  context_.make_current();
  api_.stream_synchronize(stream_);
  for (const auto& [source, kernel] : kernels_) api_.module_unload(kernel.module);
  uploads_.reset();
  downloads_.reset();
  pool_.reset();
  api_.stream_destroy(stream_);
}

void CudaRuntime::enter() {
  if (!disabled_.empty()) throw Error(sqlstate::kSystemError, disabled_, 0, "SET device = cpu, or start again.");
  check(context_.make_current(), "cuCtxSetCurrent");
}

void CudaRuntime::check(cuda::Result result, const char* call) {
  if (result == cuda::kSuccess) return;
  if (cuda::is_sticky(result)) {
    disabled_ = fmt::format("GPU {} was disabled after {} in {}: SET device = cpu, or start again", device_,
                            cuda::describe(api_, result), call);
    enter();
  }
  cuda::check(api_, result, call);
}

void CudaRuntime::read_properties() {
  const auto attribute = [this](int number) {
    int value = 0;
    check(api_.device_get_attribute(&value, number, context_.device()), "cuDeviceGetAttribute");
    return value;
  };
  char name[256] = {};
  check(api_.device_get_name(name, sizeof name - 1, context_.device()), "cuDeviceGetName");
  properties_.name = name;
  properties_.architecture = 10 * attribute(cuda::kAttributeCapabilityMajor) + attribute(cuda::kAttributeCapabilityMinor);
  properties_.multiprocessors = attribute(cuda::kAttributeMultiprocessors);
  properties_.shared_memory_per_block = attribute(cuda::kAttributeSharedBytesPerBlockOptIn);
  std::size_t memory = 0;
  check(api_.device_total_mem(&memory, context_.device()), "cuDeviceTotalMem");
  properties_.memory = static_cast<std::int64_t>(memory);
}

std::vector<const Kernel*> CudaRuntime::compile(std::span<const std::string> sources, std::span<const std::string> names) {
  SACCADE_CHECK(sources.size() == names.size());
  enter();
  std::vector<std::string> keys, missing;
  std::vector<std::size_t> missing_at;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    keys.push_back(names[i] + '\n' + sources[i]);
    if (kernels_.contains(keys[i])) continue;
    missing.push_back(sources[i]);
    missing_at.push_back(i);
  }
  if (!missing.empty()) {
    if (!cache_) cache_ = nvrtc_kernel_cache(cache_folder_);
    const std::vector<KernelCache::Found> found = cache_->get(missing, properties_.architecture);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      counters_.compilations += found[i].compiled ? 1 : 0;
      const std::size_t at = missing_at[i];
      if (!kernels_.contains(keys[at])) kernels_.emplace(keys[at], load(*found[i].cubin, names[at]));
    }
  }
  std::vector<const Kernel*> kernels;
  for (const std::string& key : keys) kernels.push_back(reinterpret_cast<const Kernel*>(&kernels_.at(key)));
  return kernels;
}

CudaRuntime::LoadedKernel CudaRuntime::load(const std::vector<char>& cubin, const std::string& name) {
  LoadedKernel kernel;
  const cuda::Result loaded = api_.module_load_data(&kernel.module, cubin.data());
  if (loaded == cuda::kInvalidImage || loaded == cuda::kNoBinaryForGpu || loaded == cuda::kUnsupportedPtxVersion) {
    int version = 0;
    check(api_.driver_get_version(&version), "cuDriverGetVersion");
    throw Error(sqlstate::kSystemError,
                fmt::format("the GPU driver does not take kernels of this NVRTC: {}", cuda::describe(api_, loaded)), 0,
                fmt::format("The driver is made for CUDA {}.{}: set SACCADE_NVRTC to an NVRTC of that version, or install a "
                            "newer driver.",
                            version / 1000, version % 1000 / 10));
  }
  check(loaded, "cuModuleLoadData");
  try {
    check(api_.module_get_function(&kernel.function, kernel.module, name.c_str()), "cuModuleGetFunction");
    int shared = 0;
    check(api_.function_get_attribute(&shared, cuda::kFunctionStaticSharedBytes, kernel.function), "cuFuncGetAttribute");
    kernel.static_shared_bytes = shared;
    kernel.dynamic_shared_limit = 48 * 1024 - shared;  // what CUDA grants without asking
  } catch (...) {
    api_.module_unload(kernel.module);
    throw;
  }
  return kernel;
}

DeviceAddress CudaRuntime::allocate(std::int64_t bytes) {
  enter();
  return pool_->allocate(bytes);
}

void CudaRuntime::upload(DeviceAddress destination, const void* source, std::int64_t bytes) {
  enter();
  const auto* from = static_cast<const std::byte*>(source);
  while (bytes > 0) {
    const std::span<std::byte> piece = uploads_->next(bytes, counters_.synchronisations, counters_.allocations);
    std::memcpy(piece.data(), from, piece.size());
    check(api_.copy_to_device(destination, piece.data(), piece.size(), stream_), "cuMemcpyHtoDAsync");
    from += piece.size();
    destination += piece.size();
    bytes -= static_cast<std::int64_t>(piece.size());
  }
}

void CudaRuntime::fill(DeviceAddress destination, unsigned char byte, std::int64_t bytes) {
  enter();
  if (bytes > 0) check(api_.fill_bytes(destination, byte, static_cast<std::size_t>(bytes), stream_), "cuMemsetD8Async");
}

void CudaRuntime::fill_words(DeviceAddress destination, std::uint64_t word, std::int64_t words) {
  enter();
  if (words <= 0) return;
  const auto low = static_cast<std::uint32_t>(word);
  if (low == static_cast<std::uint32_t>(word >> 32)) {
    check(api_.fill_words32(destination, low, 2 * static_cast<std::size_t>(words), stream_), "cuMemsetD32Async");
    return;
  }
  const std::string source = kFillWordsSource, name = kFillWordsName;
  const std::vector<const Kernel*> kernels = compile({&source, 1}, {&name, 1});
  const std::int64_t full = (words + properties_.block_threads - 1) / properties_.block_threads;
  const std::int64_t resident = properties_.multiprocessors * properties_.blocks_per_multiprocessor;
  const FillWordsArguments arguments{destination, word, words};
  launch(kernels.front(), static_cast<int>(std::min(full, resident)), properties_.block_threads, 0, &arguments,
         sizeof arguments);
}

void CudaRuntime::download(void* destination, DeviceAddress source, std::int64_t bytes) {
  enter();
  ++counters_.synchronisations;
  if (bytes <= 0) {
    check(api_.stream_synchronize(stream_), "cuStreamSynchronize");
    return;
  }
  download_pieces(static_cast<std::byte*>(destination), source, bytes);
}

// While one half is copied out to its place, the device fills the other.
void CudaRuntime::download_pieces(std::byte* destination, DeviceAddress source, std::int64_t bytes) {
  constexpr std::int64_t kPiece = PinnedStaging::kHalfBytes;
  const std::int64_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto size_of = [&](std::int64_t piece) { return static_cast<std::size_t>(std::min(kPiece, bytes - piece * kPiece)); };
  const auto enqueue = [&](std::int64_t piece) {
    const int half = static_cast<int>(piece % 2);
    std::byte* staging = downloads_->half(half, counters_.allocations);
    check(api_.copy_to_host(staging, source + static_cast<DeviceAddress>(piece * kPiece), size_of(piece), stream_),
          "cuMemcpyDtoHAsync");
    downloads_->mark(half);
  };
  enqueue(0);
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    if (piece + 1 < pieces) enqueue(piece + 1);
    const int half = static_cast<int>(piece % 2);
    downloads_->wait(half);
    std::memcpy(destination + piece * kPiece, downloads_->half(half, counters_.allocations), size_of(piece));
  }
}

void CudaRuntime::synchronize() {
  enter();
  ++counters_.synchronisations;
  check(api_.stream_synchronize(stream_), "cuStreamSynchronize");
}

void CudaRuntime::launch(const Kernel* kernel, int blocks, int threads, std::int64_t shared_bytes, const void* arguments,
                         std::int64_t argument_bytes) {
  SACCADE_CHECK(kernel != nullptr && blocks > 0 && threads > 0 && shared_bytes >= 0 && argument_bytes >= 0);
  enter();
  const auto& loaded = *reinterpret_cast<const LoadedKernel*>(kernel);
  SACCADE_CHECK(loaded.static_shared_bytes + shared_bytes <= properties_.shared_memory_per_block);
  if (shared_bytes > loaded.dynamic_shared_limit) {
    check(api_.function_set_attribute(loaded.function, cuda::kFunctionMaxDynamicSharedBytes, static_cast<int>(shared_bytes)),
          "cuFuncSetAttribute");
    loaded.dynamic_shared_limit = shared_bytes;
  }
  auto size = static_cast<std::size_t>(argument_bytes);
  void* extra[] = {cuda::kLaunchBufferPointer, const_cast<void*>(arguments), cuda::kLaunchBufferSize, &size, cuda::kLaunchEnd};
  ++counters_.launches;
  check(api_.launch_kernel(loaded.function, static_cast<unsigned>(blocks), 1, 1, static_cast<unsigned>(threads), 1, 1,
                           static_cast<unsigned>(shared_bytes), stream_, nullptr, argument_bytes > 0 ? extra : nullptr),
        "cuLaunchKernel");
}

int cuda_device_count() {
  const cuda::DriverApi& api = cuda::driver();
  int count = 0;
  cuda::check(api, api.device_get_count(&count), "cuDeviceGetCount");
  return count;
}

std::unique_ptr<DeviceRuntime> make_cuda_runtime(int device, const Settings& settings) {
  return std::make_unique<CudaRuntime>(device, settings);
}

}  // namespace saccade::gpu
