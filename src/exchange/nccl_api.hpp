// The part of NCCL that Saccade calls, declared here and loaded from libnccl.so.2 at run time (looked for in $SACCADE_NCCL, see
// cuda/shared_library.hpp, by the loader, and in /usr/local/cuda/lib64). Meanings are those of NVIDIA's NCCL manual.
#pragma once

#include <cstddef>
#include <string>

#include "cuda/cuda_api.hpp"

namespace saccade::nccl {

using Result = int;                         // ncclResult_t
using Handle = struct CommunicatorHandle*;  // ncclComm_t

inline constexpr Result kSuccess = 0;
inline constexpr Result kInProgress = 7;
inline constexpr int kUint8 = 1;  // ncclDataType_t

struct UniqueId {
  char bytes[128];
};

struct Api {
  const char* (*get_error_string)(Result);
  const char* (*get_last_error)(Handle);
  Result (*get_unique_id)(UniqueId*);
  Result (*init_rank)(Handle*, int ranks, UniqueId, int rank);
  Result (*destroy)(Handle);
  Result (*abort)(Handle);
  Result (*get_async_error)(Handle, Result*);
  Result (*group_start)();
  Result (*group_end)();
  Result (*send)(const void* buffer, std::size_t count, int type, int peer, Handle, cuda::Stream);
  Result (*receive)(void* buffer, std::size_t count, int type, int peer, Handle, cuda::Stream);
  Result (*broadcast)(const void* send, void* receive, std::size_t count, int type, int root, Handle, cuda::Stream);
  Result (*all_gather)(const void* send, void* receive, std::size_t count, int type, Handle, cuda::Stream);
};

// Loaded at first use. Thread-safe. Errors: 58000 with a hint where libnccl is not installed.
const Api& api();

}  // namespace saccade::nccl
