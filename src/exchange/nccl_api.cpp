#include "exchange/nccl_api.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "cuda/shared_library.hpp"

namespace saccade::nccl {

namespace {

Api load() {
  std::string reason;
  const auto library = cuda::SharedLibrary::find({"NCCL", {"libnccl.so.2"}, "SACCADE_NCCL"}, reason);
  if (!library) {
    throw Error(sqlstate::kSystemError, fmt::format("NCCL can't be loaded: {}", reason), 0,
                "Install libnccl2, or PyPI's nvidia-nccl-cu13 and set SACCADE_NCCL to its Python environment.");
  }
  Api api{};
  library->resolve("ncclGetErrorString", api.get_error_string);
  library->resolve("ncclGetLastError", api.get_last_error);
  library->resolve("ncclGetUniqueId", api.get_unique_id);
  library->resolve("ncclCommInitRank", api.init_rank);
  library->resolve("ncclCommDestroy", api.destroy);
  library->resolve("ncclCommAbort", api.abort);
  library->resolve("ncclCommGetAsyncError", api.get_async_error);
  library->resolve("ncclGroupStart", api.group_start);
  library->resolve("ncclGroupEnd", api.group_end);
  library->resolve("ncclSend", api.send);
  library->resolve("ncclRecv", api.receive);
  library->resolve("ncclBroadcast", api.broadcast);
  library->resolve("ncclAllGather", api.all_gather);
  return api;
}

}  // namespace

const Api& api() {
  static const Api loaded = load();
  return loaded;
}

}  // namespace saccade::nccl
