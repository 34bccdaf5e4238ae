// The verbs of a Communicator as messages between pairs of ranks. How messages travel is for the derived class.
#pragma once

#include <functional>

#include "exchange/communicator.hpp"

namespace saccade {

class MessageVerbs : public Communicator {
 public:
  std::vector<std::int64_t> exchange_sizes(std::span<const std::int64_t> send) final;
  void all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets, std::span<const std::int64_t> send_bytes,
                  std::byte* receive, std::span<const std::int64_t> receive_offsets,
                  std::span<const std::int64_t> receive_bytes) final;
  void broadcast(std::byte* data, std::int64_t bytes, int root) final;
  void all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                  std::span<const std::int64_t> bytes_of) final;
  void gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
              std::span<const std::int64_t> bytes_of, int root) final;
  void barrier() final;

 protected:
  // One verb, or one step of one: `post` calls post_send and expect; run returns when all of these messages are complete.
  // Errors: 08006 after an abort.
  virtual void run(const std::function<void()>& post) = 0;
  // Within run: `data` is read until it returns. No message where `bytes` is 0.
  virtual void post_send(int peer, const std::byte* data, std::int64_t bytes) = 0;
  // Within run: what `peer` sends next, `bytes` of it, arrives at `data`.
  virtual void expect(int peer, std::byte* data, std::int64_t bytes) = 0;

  std::size_t ranks() const { return static_cast<std::size_t>(size()); }

 private:
  void check_sizes(std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes) const;
};

}  // namespace saccade
