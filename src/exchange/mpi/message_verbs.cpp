#include "exchange/mpi/message_verbs.hpp"

#include <cstring>

#include "common/error.hpp"

namespace saccade {

void MessageVerbs::check_sizes(std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes) const {
  SACCADE_CHECK(offsets.size() == ranks() && bytes.size() == ranks());
}

std::vector<std::int64_t> MessageVerbs::exchange_sizes(std::span<const std::int64_t> send) {
  SACCADE_CHECK(send.size() == ranks());
  std::vector<std::int64_t> received(ranks()), offsets(ranks()), bytes(ranks(), sizeof(std::int64_t));
  for (std::size_t i = 0; i < ranks(); ++i) offsets[i] = static_cast<std::int64_t>(i * sizeof(std::int64_t));
  all_to_all(reinterpret_cast<const std::byte*>(send.data()), offsets, bytes, reinterpret_cast<std::byte*>(received.data()),
             offsets, bytes);
  return received;
}

void MessageVerbs::all_to_all(const std::byte* send, std::span<const std::int64_t> send_offsets,
                              std::span<const std::int64_t> send_bytes, std::byte* receive,
                              std::span<const std::int64_t> receive_offsets, std::span<const std::int64_t> receive_bytes) {
  check_sizes(send_offsets, send_bytes);
  check_sizes(receive_offsets, receive_bytes);
  const auto self = static_cast<std::size_t>(rank());
  SACCADE_CHECK(send_bytes[self] == receive_bytes[self]);
  run([&] {
    // Each rank starts with its right neighbour, so that not all send to the same one at a time.
    for (int step = 1; step < size(); ++step) {
      const int peer = (rank() + size() - step) % size();
      expect(peer, receive + receive_offsets[static_cast<std::size_t>(peer)], receive_bytes[static_cast<std::size_t>(peer)]);
    }
    for (int step = 1; step < size(); ++step) {
      const int peer = (rank() + step) % size();
      post_send(peer, send + send_offsets[static_cast<std::size_t>(peer)], send_bytes[static_cast<std::size_t>(peer)]);
    }
    if (send_bytes[self] > 0) {
      std::memcpy(receive + receive_offsets[self], send + send_offsets[self], static_cast<std::size_t>(send_bytes[self]));
    }
  });
}

// A binomial tree: the ranks that have the data double in each round.
void MessageVerbs::broadcast(std::byte* data, std::int64_t bytes, int root) {
  SACCADE_CHECK(root >= 0 && root < size());
  const int place = (rank() + size() - root) % size();
  int reach = 1;  // from here on this rank has the data, and sends it to place + reach, place + 2 * reach, ...
  while (reach <= place) reach *= 2;
  if (place > 0) run([&] { expect((place - reach / 2 + root) % size(), data, bytes); });
  run([&] {
    for (; place + reach < size(); reach *= 2) post_send((place + reach + root) % size(), data, bytes);
  });
}

// A ring: each part crosses each link once, whatever the number of ranks behind it.
void MessageVerbs::all_gather(const std::byte* send, std::int64_t bytes, std::byte* receive,
                              std::span<const std::int64_t> offsets, std::span<const std::int64_t> bytes_of) {
  check_sizes(offsets, bytes_of);
  const auto self = static_cast<std::size_t>(rank());
  SACCADE_CHECK(bytes_of[self] == bytes);
  if (bytes > 0) std::memmove(receive + offsets[self], send, static_cast<std::size_t>(bytes));
  const int right = (rank() + 1) % size(), left = (rank() + size() - 1) % size();
  for (int step = 0; step + 1 < size(); ++step) {
    const auto out = static_cast<std::size_t>((rank() + size() - step) % size());
    const auto in = static_cast<std::size_t>((rank() + size() - step - 1) % size());
    run([&] {
      expect(left, receive + offsets[in], bytes_of[in]);
      post_send(right, receive + offsets[out], bytes_of[out]);
    });
  }
}

void MessageVerbs::gather(const std::byte* send, std::int64_t bytes, std::byte* receive, std::span<const std::int64_t> offsets,
                          std::span<const std::int64_t> bytes_of, int root) {
  check_sizes(offsets, bytes_of);
  SACCADE_CHECK(root >= 0 && root < size() && bytes_of[static_cast<std::size_t>(rank())] == bytes);
  run([&] {
    if (rank() != root) return post_send(root, send, bytes);
    for (int peer = 0; peer < size(); ++peer) {
      const auto from = static_cast<std::size_t>(peer);
      if (peer != root) expect(peer, receive + offsets[from], bytes_of[from]);
    }
    if (bytes > 0) std::memmove(receive + offsets[static_cast<std::size_t>(root)], send, static_cast<std::size_t>(bytes));
  });
}

// Dissemination: in round k each rank hears from the one 2^k places before it.
void MessageVerbs::barrier() {
  for (int distance = 1; distance < size(); distance *= 2) {
    const std::byte out{};
    std::byte in{};
    run([&] {
      expect((rank() + size() - distance) % size(), &in, 1);
      post_send((rank() + distance) % size(), &out, 1);
    });
  }
}

}  // namespace saccade
