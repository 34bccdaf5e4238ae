#include "exchange/nccl_communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "common/error.hpp"

namespace saccade {

namespace {

// All ranks are inside the verb, and a round moves no more than the staging memory: it has failed if it takes this long.
constexpr std::chrono::seconds kLongestRound{60};

// What ranks tell each other before they connect.
struct RankState {
  cuda::Uuid gpu;
  char error[240];  // empty: ready
};

std::int64_t part(std::int64_t bytes, std::int64_t done, std::int64_t slot) {
  return std::clamp<std::int64_t>(bytes - done, 0, slot);
}

void* pointer(cuda::DeviceAddress address) {
  return reinterpret_cast<void*>(address);
}

}  // namespace

struct NcclCommunicator::Device {
  Device(int ordinal, const NcclTransport& transport) : context(ordinal, transport.driver), api(transport.driver) {
    cuda::check(api, context.make_current(), "cuCtxSetCurrent");
    cuda::check(api, api.stream_create(&stream, cuda::kStreamNonBlocking), "cuStreamCreate");
    const auto bytes = static_cast<std::size_t>(2 * transport.staging_bytes);
    if (const cuda::Result result = api.mem_alloc(&staging, bytes); result != cuda::kSuccess) {
      api.stream_destroy(stream);
      cuda::check(api, result, "cuMemAlloc of NCCL's staging memory");
    }
  }
  ~Device() {
    context.make_current();
    api.stream_synchronize(stream);
    api.mem_free(staging);
    api.stream_destroy(stream);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  cuda::PrimaryContext context;
  const cuda::DriverApi& api;
  cuda::Stream stream = nullptr;
  cuda::DeviceAddress staging = 0;
};

NcclCommunicator::NcclCommunicator(Communicator& host, int device, const std::function<NcclTransport()>& open) : host_(host) {
  RankState mine{};
  try {
    const NcclTransport transport = open();
    api_ = &transport.nccl;
    staging_bytes_ = transport.staging_bytes;
    device_ = std::make_unique<Device>(device, transport);
    cuda::check(device_->api, device_->api.device_get_uuid(&mine.gpu, device_->context.device()), "cuDeviceGetUuid");
  } catch (const Error& error) {
    std::strncpy(mine.error, error.what(), sizeof mine.error - 1);
  }
  const auto ranks = static_cast<std::size_t>(size());
  std::vector<RankState> states(ranks);
  std::vector<std::int64_t> offsets(ranks), bytes(ranks, sizeof(RankState));
  for (std::size_t i = 0; i < ranks; ++i) offsets[i] = static_cast<std::int64_t>(i * sizeof(RankState));
  host_.all_gather(reinterpret_cast<const std::byte*>(&mine), sizeof mine, reinterpret_cast<std::byte*>(states.data()), offsets,
                   bytes);
  for (std::size_t i = 0; i < ranks; ++i) {
    if (states[i].error[0] != '\0') {
      throw Error(sqlstate::kSystemError, fmt::format("rank {} can't use NCCL: {}", i, states[i].error));
    }
    for (std::size_t other = 0; other < i; ++other) {
      if (std::memcmp(&states[i].gpu, &states[other].gpu, sizeof(cuda::Uuid)) != 0) continue;
      throw Error(sqlstate::kSystemError, fmt::format("ranks {} and {} share one GPU, NCCL needs one for each", other, i), 0,
                  "Start as many ranks as there are GPUs, or let the ranks exchange through host memory.");
    }
  }
  connect();
}

NcclCommunicator::~NcclCommunicator() {
  if (handle_ == nullptr) return;
  device_->context.make_current();
  // Destroying waits for the peers, which an aborted query may not allow.
  if (aborted()) {
    api_->abort(handle_);
  } else {
    api_->destroy(handle_);
  }
}

void NcclCommunicator::connect() {
  nccl::UniqueId id{};
  if (rank() == 0) check(api_->get_unique_id(&id), "ncclGetUniqueId");
  host_.broadcast(reinterpret_cast<std::byte*>(&id), sizeof id, 0);
  cuda::check(device_->api, device_->context.make_current(), "cuCtxSetCurrent");
  check(api_->init_rank(&handle_, size(), id, rank()), "ncclCommInitRank");
}

void NcclCommunicator::disconnect() noexcept {
  if (handle_ != nullptr) api_->abort(handle_);
  handle_ = nullptr;
}

void NcclCommunicator::abort(const std::string& reason) noexcept {
  aborted_ = true;
  host_.abort(reason);
}

void NcclCommunicator::reset() {
  host_.reset();
  const std::vector<std::int64_t> mine(static_cast<std::size_t>(size()), handle_ == nullptr ? 1 : 0);
  const std::vector<std::int64_t> broken = host_.exchange_sizes(mine);
  aborted_ = false;
  if (std::all_of(broken.begin(), broken.end(), [](std::int64_t one) { return one == 0; })) return;
  device_->context.make_current();
  disconnect();
  connect();
}

void NcclCommunicator::check(nccl::Result result, const char* call) {
  if (result == nccl::kSuccess || result == nccl::kInProgress) return;
  const char* detail = handle_ != nullptr ? api_->get_last_error(handle_) : nullptr;
  throw Error(sqlstate::kConnectionFailure,
              fmt::format("NCCL failed in {}: {}{}{}", call, api_->get_error_string(result),
                          detail != nullptr && *detail != '\0' ? ": " : "", detail != nullptr ? detail : ""));
}

template <class Body>
void NcclCommunicator::run_verb(const Body& body) {
  host_.barrier();
  SACCADE_CHECK(handle_ != nullptr);
  try {
    cuda::check(device_->api, device_->context.make_current(), "cuCtxSetCurrent");
    body();
  } catch (const std::exception& error) {
    abort(error.what());
    disconnect();
    throw;
  }
}

std::int64_t NcclCommunicator::slot_bytes() const {
  return staging_bytes_ / size() / 256 * 256;
}

cuda::DeviceAddress NcclCommunicator::send_slot(int peer) const {
  return device_->staging + static_cast<cuda::DeviceAddress>(peer * slot_bytes());
}

cuda::DeviceAddress NcclCommunicator::receive_slot(int peer) const {
  return send_slot(peer) + staging_bytes_;
}

void NcclCommunicator::upload(cuda::DeviceAddress to, const std::byte* from, std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  cuda::check(device_->api, device_->api.copy_to_device(to, from, size, device_->stream), "cuMemcpyHtoDAsync");
}

void NcclCommunicator::download(std::byte* to, cuda::DeviceAddress from, std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  cuda::check(device_->api, device_->api.copy_to_host(to, from, size, device_->stream), "cuMemcpyDtoHAsync");
}

// Polls instead of synchronising: a stream that waits for a lost peer would never come back.
void NcclCommunicator::wait() {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t polls = 0;; ++polls) {
    const cuda::Result state = device_->api.stream_query(device_->stream);
    if (state == cuda::kSuccess) return;
    if (state != cuda::kNotReady) cuda::check(device_->api, state, "an NCCL exchange");
    nccl::Result asynchronous = nccl::kSuccess;
    check(api_->get_async_error(handle_, &asynchronous), "ncclCommGetAsyncError");
    check(asynchronous, "an exchange");
    if (aborted()) host_.barrier();  // raises the reason of the first abort
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited > kLongestRound)
      throw Error(sqlstate::kConnectionFailure, "NCCL moved nothing for 60 seconds: a rank or a link is lost");
    if (waited > std::chrono::milliseconds(2)) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void NcclCommunicator::all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets,
                                  std::span<const std::int64_t> send_bytes, std::byte* receive,
                                  std::span<const std::int64_t> receive_offsets, std::span<const std::int64_t> receive_bytes) {
  const auto ranks = static_cast<std::size_t>(size());
  SACCADE_CHECK(send_offsets.size() == ranks && send_bytes.size() == ranks);
  SACCADE_CHECK(receive_offsets.size() == ranks && receive_bytes.size() == ranks);
  const std::int64_t longest = std::max(*std::max_element(send_bytes.begin(), send_bytes.end()),
                                        *std::max_element(receive_bytes.begin(), receive_bytes.end()));
  run_verb([&] {
    for (std::int64_t done = 0; done < longest; done += slot_bytes()) {
      all_to_all_round(done, send, send_offsets, send_bytes, receive, receive_offsets, receive_bytes);
    }
  });
}

// Both sides of a pair cut its bytes alike, so a rank may end before others do.
void NcclCommunicator::all_to_all_round(std::int64_t done, const std::byte* send, std::span<const std::int64_t> send_offsets,
                                        std::span<const std::int64_t> send_bytes, std::byte* receive,
                                        std::span<const std::int64_t> receive_offsets,
                                        std::span<const std::int64_t> receive_bytes) {
  const std::int64_t slot = slot_bytes();
  const auto each_peer = [&](std::span<const std::int64_t> bytes, auto&& work) {
    for (std::size_t peer = 0; peer < bytes.size(); ++peer) {
      if (const std::int64_t size = part(bytes[peer], done, slot); size > 0) work(static_cast<int>(peer), size);
    }
  };
  each_peer(send_bytes, [&](int peer, std::int64_t size) {
    upload(send_slot(peer), send + send_offsets[static_cast<std::size_t>(peer)] + done, size);
  });
  check(api_->group_start(), "ncclGroupStart");
  each_peer(send_bytes, [&](int peer, std::int64_t size) {
    check(api_->send(pointer(send_slot(peer)), static_cast<std::size_t>(size), nccl::kUint8, peer, handle_, device_->stream),
          "ncclSend");
  });
  each_peer(receive_bytes, [&](int peer, std::int64_t size) {
    check(api_->receive(pointer(receive_slot(peer)), static_cast<std::size_t>(size), nccl::kUint8, peer, handle_,
                        device_->stream),
          "ncclRecv");
  });
  check(api_->group_end(), "ncclGroupEnd");
  wait();
  each_peer(receive_bytes, [&](int peer, std::int64_t size) {
    download(receive + receive_offsets[static_cast<std::size_t>(peer)] + done, receive_slot(peer), size);
  });
  wait();
}

void NcclCommunicator::broadcast(std::byte* data, std::int64_t bytes, int root) {
  SACCADE_CHECK(root >= 0 && root < size());
  run_verb([&] {
    for (std::int64_t done = 0; done < bytes; done += staging_bytes_) {
      const std::int64_t size = part(bytes, done, staging_bytes_);
      void* const staging = pointer(device_->staging);
      if (rank() == root) upload(device_->staging, data + done, size);
      check(api_->broadcast(staging, staging, static_cast<std::size_t>(size), nccl::kUint8, root, handle_, device_->stream),
            "ncclBroadcast");
      wait();
      if (rank() != root) download(data + done, device_->staging, size);
      wait();
    }
  });
}

void NcclCommunicator::all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive,
                                  std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes_of) {
  const auto ranks = static_cast<std::size_t>(size());
  SACCADE_CHECK(offsets.size() == ranks && bytes_of.size() == ranks && bytes_of[static_cast<std::size_t>(rank())] == bytes);
  const std::int64_t longest = *std::max_element(bytes_of.begin(), bytes_of.end());
  run_verb([&] {
    for (std::int64_t done = 0; done < longest; done += slot_bytes()) all_gather_round(done, send, receive, offsets, bytes_of);
  });
}

void NcclCommunicator::all_gather_round(std::int64_t done, const std::byte* send, std::byte* receive,
                                        std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes_of) {
  const std::int64_t slot = slot_bytes();
  const auto size_of = [&](int peer) { return part(bytes_of[static_cast<std::size_t>(peer)], done, slot); };
  if (size_of(rank()) > 0) upload(receive_slot(rank()), send + done, size_of(rank()));
  bool all_full = true;
  for (int peer = 0; peer < size(); ++peer) all_full = all_full && size_of(peer) == slot;
  if (all_full) {
    check(api_->all_gather(pointer(receive_slot(rank())), pointer(receive_slot(0)), static_cast<std::size_t>(slot),
                           nccl::kUint8, handle_, device_->stream),
          "ncclAllGather");
  } else {
    check(api_->group_start(), "ncclGroupStart");
    for (int root = 0; root < size(); ++root) {
      void* const place = pointer(receive_slot(root));
      if (size_of(root) == 0) continue;
      check(
          api_->broadcast(place, place, static_cast<std::size_t>(size_of(root)), nccl::kUint8, root, handle_, device_->stream),
          "ncclBroadcast");
    }
    check(api_->group_end(), "ncclGroupEnd");
  }
  wait();
  for (int peer = 0; peer < size(); ++peer) {
    if (size_of(peer) > 0)
      download(receive + offsets[static_cast<std::size_t>(peer)] + done, receive_slot(peer), size_of(peer));
  }
  wait();
}

void NcclCommunicator::gather(const std::byte* send, std::int64_t bytes, std::byte* receive,
                              std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes_of, int root) {
  const auto ranks = static_cast<std::size_t>(size());
  SACCADE_CHECK(root >= 0 && root < size() && offsets.size() == ranks && bytes_of.size() == ranks);
  const std::vector<std::int64_t> nothing(ranks, 0);
  std::vector<std::int64_t> to_root(ranks, 0);
  to_root[static_cast<std::size_t>(root)] = bytes;
  const bool receives = rank() == root;
  all_to_all(send, nothing, to_root, receive, receives ? offsets : nothing, receives ? bytes_of : nothing);
}

std::unique_ptr<Communicator> make_nccl_communicator(Communicator& host, int device) {
  return std::make_unique<NcclCommunicator>(host, device, [] { return NcclTransport{cuda::driver(), nccl::api()}; });
}

}  // namespace saccade
