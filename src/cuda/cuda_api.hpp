// The part of the CUDA driver API that Saccade calls, declared here and loaded from libcuda.so.1 at run time: no CUDA toolkit
// is needed to build, and no driver to start. Meanings are those of NVIDIA's "CUDA Driver API" manual; a member `mem_alloc` is
// cuMemAlloc in its current ABI version. Thread-safe, as the driver is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace saccade::cuda {

using Result = int;                   // CUresult
using Device = int;                   // CUdevice
using DeviceAddress = std::uint64_t;  // CUdeviceptr
using Context = struct ContextHandle*;
using Stream = struct StreamHandle*;
using Event = struct EventHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;

struct Uuid {
  unsigned char bytes[16];
};

inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kInvalidImage = 200;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kUnsupportedPtxVersion = 222;
inline constexpr Result kNotReady = 600;

// CUdevice_attribute
inline constexpr int kAttributeMultiprocessors = 16;
inline constexpr int kAttributeL2Bytes = 38;
inline constexpr int kAttributeCapabilityMajor = 75;
inline constexpr int kAttributeCapabilityMinor = 76;
inline constexpr int kAttributeSharedBytesPerBlockOptIn = 97;
// CUfunction_attribute
inline constexpr int kFunctionStaticSharedBytes = 1;
inline constexpr int kFunctionMaxDynamicSharedBytes = 8;
// Flags of cuStreamCreate and cuEventCreate
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kEventDisableTiming = 2;
// Markers in the last argument of cuLaunchKernel
inline void* const kLaunchEnd = nullptr;
inline void* const kLaunchBufferPointer = reinterpret_cast<void*>(1);
inline void* const kLaunchBufferSize = reinterpret_cast<void*>(2);

struct DriverApi {
  Result (*get_error_name)(Result, const char**);
  Result (*get_error_string)(Result, const char**);
  Result (*driver_get_version)(int*);
  Result (*device_get_count)(int*);
  Result (*device_get)(Device*, int ordinal);
  Result (*device_get_name)(char* name, int size, Device);
  Result (*device_get_attribute)(int* value, int attribute, Device);
  Result (*device_total_mem)(std::size_t*, Device);
  Result (*device_get_uuid)(Uuid*, Device);
  Result (*primary_context_retain)(Context*, Device);
  Result (*primary_context_release)(Device);
  Result (*context_set_current)(Context);
  Result (*context_get_current)(Context*);
  Result (*mem_get_info)(std::size_t* free, std::size_t* total);
  Result (*mem_alloc)(DeviceAddress*, std::size_t bytes);
  Result (*mem_free)(DeviceAddress);
  Result (*mem_host_alloc)(void**, std::size_t bytes, unsigned flags);
  Result (*mem_free_host)(void*);
  Result (*copy_to_device)(DeviceAddress, const void*, std::size_t bytes, Stream);
  Result (*copy_to_host)(void*, DeviceAddress, std::size_t bytes, Stream);
  Result (*fill_bytes)(DeviceAddress, unsigned char, std::size_t count, Stream);
  Result (*fill_words32)(DeviceAddress, unsigned, std::size_t count, Stream);
  Result (*stream_create)(Stream*, unsigned flags);
  Result (*stream_destroy)(Stream);
  Result (*stream_synchronize)(Stream);
  Result (*stream_query)(Stream);
  Result (*event_create)(Event*, unsigned flags);
  Result (*event_destroy)(Event);
  Result (*event_record)(Event, Stream);
  Result (*event_query)(Event);
  Result (*event_synchronize)(Event);
  Result (*event_elapsed_time)(float* milliseconds, Event start, Event end);
  Result (*module_load_data)(Module*, const void* image);
  Result (*module_unload)(Module);
  Result (*module_get_function)(Function*, Module, const char* name);
  Result (*function_get_attribute)(int* value, int attribute, Function);
  Result (*function_set_attribute)(Function, int attribute, int value);
  Result (*launch_kernel)(Function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared_bytes, Stream, void** parameters, void** extra);
};

// The loaded and initialised driver. Errors: 58000 with a hint if there is no driver, or it finds no usable GPU.
const DriverApi& driver();

// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
std::string describe(const DriverApi& api, Result result);

// Whether `result` tells that the context can't be used any more: every later call in this process would fail as well.
bool is_sticky(Result result);

// Raises 58000 naming `call`, or 53200 if device memory ran out.
void check(const DriverApi& api, Result result, const char* call);

// A reference to a device's primary context, which all users of one device in this process share. Movable, no errors in the
// destructor.
class PrimaryContext {
 public:
  // Errors: 58000 if there is no such device or its context can't be made.
  explicit PrimaryContext(int ordinal, const DriverApi& api = driver());
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  const DriverApi& api() const { return api_; }
  Device device() const { return device_; }
  // Must be called on a thread before its other calls for this device.
  Result make_current() const { return api_.context_set_current(context_); }

 private:
  const DriverApi& api_;
  Device device_ = 0;
  Context context_ = nullptr;
};

}  // namespace saccade::cuda
