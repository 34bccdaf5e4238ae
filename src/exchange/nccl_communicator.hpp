// Ranks that talk through NCCL, one GPU each. Payloads (all_to_all, broadcast, all_gather, gather) go from GPU to GPU, staged
// through device memory in rounds of bounded size; sizes and barriers stay on the communicator that bootstraps it.
//
// Every payload verb starts with a barrier of the host communicator: a rank that failed elsewhere is met there, not in the
// middle of NCCL, where nothing could tell it from a slow one. A rank that fails inside a verb aborts the query for all; those
// that wait in NCCL see it by polling. Afterwards reset() makes a new NCCL communicator.
#pragma once

#include <atomic>
#include <functional>

#include "cuda/cuda_api.hpp"
#include "exchange/communicator.hpp"
#include "exchange/nccl_api.hpp"

namespace saccade {

// What the ranks talk through. `staging_bytes`: of device memory for sending, and as much for receiving.
struct NcclTransport {
  const cuda::DriverApi& driver;
  const nccl::Api& nccl;
  std::int64_t staging_bytes = std::int64_t{64} << 20;
};

class NcclCommunicator final : public Communicator {
 public:
  // Collective over `host`, which must outlive it. `open` finds the libraries on this rank. Errors: 58000 on every rank if one
  // of them lacks NCCL or its GPU, or if two of them have the same GPU.
  NcclCommunicator(Communicator& host, int device, const std::function<NcclTransport()>& open);
  ~NcclCommunicator() override;

  int rank() const override { return host_.rank(); }
  int size() const override { return host_.size(); }
  std::string name() const override { return "nccl"; }
  std::vector<std::int64_t> exchange_sizes(std::span<const std::int64_t> send) override { return host_.exchange_sizes(send); }
  void all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets, std::span<const std::int64_t> send_bytes,
                  std::byte* receive, std::span<const std::int64_t> receive_offsets,
                  std::span<const std::int64_t> receive_bytes) override;
  void broadcast(std::byte* data, std::int64_t bytes, int root) override;
  void all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                  std::span<const std::int64_t> bytes_of) override;
  void gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
              std::span<const std::int64_t> bytes_of, int root) override;
  void barrier() override { host_.barrier(); }
  void abort(const std::string& reason) noexcept override;
  bool aborted() const noexcept override { return aborted_.load() || host_.aborted(); }
  void reset() override;

 private:
  struct Device;  // context, stream and staging memory of this rank

  void connect();
  void disconnect() noexcept;
  template <class Body>
  void run_verb(const Body& body);
  void check(nccl::Result result, const char* call);
  void upload(cuda::DeviceAddress to, const std::byte* from, std::int64_t bytes);
  void download(std::byte* to, cuda::DeviceAddress from, std::int64_t bytes);
  void wait();
  void all_to_all_round(std::int64_t done, const std::byte* send, std::span<const std::int64_t> send_offsets,
                        std::span<const std::int64_t> send_bytes, std::byte* receive,
                        std::span<const std::int64_t> receive_offsets, std::span<const std::int64_t> receive_bytes);
  void all_gather_round(std::int64_t done, const std::byte* send, std::byte* receive, std::span<const std::int64_t> offsets,
                        std::span<const std::int64_t> bytes_of);
  std::int64_t slot_bytes() const;
  cuda::DeviceAddress send_slot(int peer) const;
  cuda::DeviceAddress receive_slot(int peer) const;

  Communicator& host_;
  const nccl::Api* api_ = nullptr;
  std::int64_t staging_bytes_ = 0;
  std::unique_ptr<Device> device_;
  nccl::Handle handle_ = nullptr;
  std::atomic<bool> aborted_{false};
};

}  // namespace saccade
