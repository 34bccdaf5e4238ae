#include "cuda/cuda_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/error.hpp"
#include "cuda/shared_library.hpp"

namespace saccade::cuda {

namespace {

constexpr const char* kNoGpuHint = "Use SET device = cpu, or install NVIDIA's driver for the GPU of this machine.";

void resolve_devices(const SharedLibrary& library, DriverApi& api) {
  library.resolve("cuGetErrorName", api.get_error_name);
  library.resolve("cuGetErrorString", api.get_error_string);
  library.resolve("cuDriverGetVersion", api.driver_get_version);
  library.resolve("cuDeviceGetCount", api.device_get_count);
  library.resolve("cuDeviceGet", api.device_get);
  library.resolve("cuDeviceGetName", api.device_get_name);
  library.resolve("cuDeviceGetAttribute", api.device_get_attribute);
  library.resolve("cuDeviceTotalMem_v2", api.device_total_mem);
  library.resolve("cuDeviceGetUuid", api.device_get_uuid);
  library.resolve("cuDevicePrimaryCtxRetain", api.primary_context_retain);
  library.resolve("cuDevicePrimaryCtxRelease_v2", api.primary_context_release);
  library.resolve("cuCtxSetCurrent", api.context_set_current);
  library.resolve("cuCtxGetCurrent", api.context_get_current);
}

void resolve_memory(const SharedLibrary& library, DriverApi& api) {
  library.resolve("cuMemGetInfo_v2", api.mem_get_info);
  library.resolve("cuMemAlloc_v2", api.mem_alloc);
  library.resolve("cuMemFree_v2", api.mem_free);
  library.resolve("cuMemHostAlloc", api.mem_host_alloc);
  library.resolve("cuMemFreeHost", api.mem_free_host);
  library.resolve("cuMemcpyHtoDAsync_v2", api.copy_to_device);
  library.resolve("cuMemcpyDtoHAsync_v2", api.copy_to_host);
  library.resolve("cuMemsetD8Async", api.fill_bytes);
  library.resolve("cuMemsetD32Async", api.fill_words32);
}

void resolve_execution(const SharedLibrary& library, DriverApi& api) {
  library.resolve("cuStreamCreate", api.stream_create);
  library.resolve("cuStreamDestroy_v2", api.stream_destroy);
  library.resolve("cuStreamSynchronize", api.stream_synchronize);
  library.resolve("cuStreamQuery", api.stream_query);
  library.resolve("cuEventCreate", api.event_create);
  library.resolve("cuEventDestroy_v2", api.event_destroy);
  library.resolve("cuEventRecord", api.event_record);
  library.resolve("cuEventQuery", api.event_query);
  library.resolve("cuEventSynchronize", api.event_synchronize);
  library.resolve("cuEventElapsedTime", api.event_elapsed_time);
  library.resolve("cuModuleLoadData", api.module_load_data);
  library.resolve("cuModuleUnload", api.module_unload);
  library.resolve("cuModuleGetFunction", api.module_get_function);
  library.resolve("cuFuncGetAttribute", api.function_get_attribute);
  library.resolve("cuFuncSetAttribute", api.function_set_attribute);
  library.resolve("cuLaunchKernel", api.launch_kernel);
}

DriverApi load_driver() {
  std::string reason;
  const auto library = SharedLibrary::find({"CUDA driver", {"libcuda.so.1"}, ""}, reason);
  if (!library) throw Error(sqlstate::kSystemError, fmt::format("no GPU can be used: {}", reason), 0, kNoGpuHint);
  DriverApi api{};
  resolve_devices(*library, api);
  resolve_memory(*library, api);
  resolve_execution(*library, api);
  Result (*initialise)(unsigned) = nullptr;
  library->resolve("cuInit", initialise);
  if (const Result result = initialise(0); result != kSuccess) {
    throw Error(sqlstate::kSystemError, fmt::format("no GPU can be used: cuInit says {}", describe(api, result)), 0,
                kNoGpuHint);
  }
  return api;
}

}  // namespace

const DriverApi& driver() {
  static const DriverApi api = load_driver();
  return api;
}

std::string describe(const DriverApi& api, Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.get_error_name(result, &name) != kSuccess || name == nullptr) return fmt::format("CUDA error {}", result);
  if (api.get_error_string(result, &text) != kSuccess || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

bool is_sticky(Result result) {
  constexpr std::array kSticky = {
      4,    // DEINITIALIZED
      46,   // DEVICE_UNAVAILABLE
      214,  // ECC_UNCORRECTABLE
      220,  // NVLINK_UNCORRECTABLE
      226,  // CONTAINED
      700,  // ILLEGAL_ADDRESS
      702,  // LAUNCH_TIMEOUT
      709,  // CONTEXT_IS_DESTROYED
      710,  // ASSERT
      714,  // HARDWARE_STACK_ERROR
      715,  // ILLEGAL_INSTRUCTION
      716,  // MISALIGNED_ADDRESS
      717,  // INVALID_ADDRESS_SPACE
      718,  // INVALID_PC
      719,  // LAUNCH_FAILED
      721,  // TENSOR_MEMORY_LEAK
      807,  // MPS_SERVER_NOT_READY
      810,  // MPS_CLIENT_TERMINATED
      911,  // EXTERNAL_DEVICE
      999,  // UNKNOWN
  };
  return std::find(kSticky.begin(), kSticky.end(), result) != kSticky.end();
}

void check(const DriverApi& api, Result result, const char* call) {
  if (result == kSuccess) return;
  const std::string_view state = result == kOutOfMemory ? sqlstate::kOutOfMemory : sqlstate::kSystemError;
  throw Error(state, fmt::format("the GPU driver failed in {}: {}", call, describe(api, result)));
}

PrimaryContext::PrimaryContext(int ordinal, const DriverApi& api) : api_(api) {
  int devices = 0;
  check(api_, api_.device_get_count(&devices), "cuDeviceGetCount");
  if (ordinal < 0 || ordinal >= devices) {
    throw Error(sqlstate::kSystemError,
                fmt::format("there is no GPU {}: this machine shows {} (numbered from 0)", ordinal, devices), 0,
                "CUDA_VISIBLE_DEVICES may hide some.");
  }
  check(api_, api_.device_get(&device_, ordinal), "cuDeviceGet");
  check(api_, api_.primary_context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

PrimaryContext::~PrimaryContext() {
  api_.primary_context_release(device_);
}

}  // namespace saccade::cuda
