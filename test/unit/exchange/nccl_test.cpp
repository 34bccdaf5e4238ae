// NcclCommunicator over stand-ins for the driver and NCCL: "device memory" is host memory, and ranks hand each other copies. So
// the cutting into rounds, the matching of both sides and the handling of failures are tested with any number of ranks.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "exchange/nccl_communicator.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kStaging = 4096;

// What ranks sent each other and nobody received yet, and how the stand-ins are to fail. One for the process: NCCL's functions
// have no place for a context.
struct Network {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> sent;  // by sender and receiver
  std::atomic<bool> stalled{false};                                        // streams never get done
  std::atomic<bool> failing{false};                                        // sends fail
  std::atomic<int> connected{0};
  std::atomic<std::int64_t> largest{0};  // bytes of one message

  void post(int from, int to, const void* data, std::size_t bytes) {
    const auto* start = static_cast<const std::byte*>(data);
    const std::lock_guard lock(mutex);
    sent[{from, to}].emplace_back(start, start + bytes);
    largest = std::max<std::int64_t>(largest, static_cast<std::int64_t>(bytes));
    changed.notify_all();
  }
  void fetch(int from, int to, void* data, std::size_t bytes) {
    std::unique_lock lock(mutex);
    auto& queue = sent[{from, to}];
    changed.wait(lock, [&] { return !queue.empty(); });
    ASSERT_EQ(queue.front().size(), bytes);
    std::memcpy(data, queue.front().data(), bytes);
    queue.pop_front();
  }
};

Network* network = nullptr;
thread_local std::vector<std::function<void()>> receives;  // of the open group
thread_local bool in_group = false;

int rank_of(nccl::Handle handle) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle) & 0xff);
}
int ranks_of(nccl::Handle handle) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle) >> 8);
}

void receive_later(std::function<void()> receive) {
  receives.push_back(std::move(receive));
}

nccl::Result finish() {
  if (in_group) return nccl::kSuccess;
  for (const auto& receive : receives) {
    if (!network->stalled) receive();
  }
  receives.clear();
  return nccl::kSuccess;
}

nccl::Result fake_broadcast(const void* send, void* receive, std::size_t count, int, int root, nccl::Handle handle,
                            cuda::Stream) {
  const int rank = rank_of(handle);
  if (rank == root) {
    for (int to = 0; to < ranks_of(handle); ++to) {
      if (to != root) network->post(root, to, send, count);
    }
  } else {
    receive_later([=] { network->fetch(root, rank, receive, count); });
  }
  return finish();
}

nccl::Result fake_all_gather(const void* send, void* receive, std::size_t count, int, nccl::Handle handle, cuda::Stream) {
  const int rank = rank_of(handle);
  for (int peer = 0; peer < ranks_of(handle); ++peer) {
    network->post(rank, peer, send, count);
    std::byte* const place = static_cast<std::byte*>(receive) + static_cast<std::size_t>(peer) * count;
    receive_later([=] { network->fetch(peer, rank, place, count); });
  }
  return finish();
}

nccl::Api fake_nccl() {
  nccl::Api api{};
  api.get_error_string = [](nccl::Result) { return "it does not work"; };
  api.get_last_error = [](nccl::Handle) { return ""; };
  api.get_unique_id = [](nccl::UniqueId*) { return nccl::kSuccess; };
  api.init_rank = [](nccl::Handle* handle, int ranks, nccl::UniqueId, int rank) {
    *handle = reinterpret_cast<nccl::Handle>(static_cast<std::intptr_t>(ranks << 8 | rank));
    ++network->connected;
    return nccl::kSuccess;
  };
  api.destroy = [](nccl::Handle) { return nccl::kSuccess; };
  api.abort = api.destroy;
  api.get_async_error = [](nccl::Handle, nccl::Result* result) { return *result = nccl::kSuccess; };
  api.group_start = [] {
    in_group = true;
    return nccl::kSuccess;
  };
  api.group_end = [] {
    in_group = false;
    return finish();
  };
  api.send = [](const void* data, std::size_t count, int, int peer, nccl::Handle handle, cuda::Stream) {
    if (network->failing && rank_of(handle) == 1) return 1;
    network->post(rank_of(handle), peer, data, count);
    return nccl::kSuccess;
  };
  api.receive = [](void* data, std::size_t count, int, int peer, nccl::Handle handle, cuda::Stream) {
    receive_later([=] { network->fetch(peer, rank_of(handle), data, count); });
    return finish();
  };
  api.broadcast = fake_broadcast;
  api.all_gather = fake_all_gather;
  return api;
}

cuda::DriverApi fake_driver() {
  cuda::DriverApi api{};
  api.device_get_count = [](int* count) { return *count = 8, cuda::kSuccess; };
  api.device_get = [](cuda::Device* device, int ordinal) { return *device = ordinal, cuda::kSuccess; };
  api.device_get_uuid = [](cuda::Uuid* uuid, cuda::Device device) {
    std::memset(uuid, device + 1, sizeof *uuid);
    return cuda::kSuccess;
  };
  api.primary_context_retain = [](cuda::Context*, cuda::Device) { return cuda::kSuccess; };
  api.primary_context_release = [](cuda::Device) { return cuda::kSuccess; };
  api.context_set_current = [](cuda::Context) { return cuda::kSuccess; };
  api.mem_alloc = [](cuda::DeviceAddress* address, std::size_t bytes) {
    *address = reinterpret_cast<cuda::DeviceAddress>(std::malloc(bytes));
    return cuda::kSuccess;
  };
  api.mem_free = [](cuda::DeviceAddress address) {
    std::free(reinterpret_cast<void*>(address));
    return cuda::kSuccess;
  };
  api.copy_to_device = [](cuda::DeviceAddress to, const void* from, std::size_t bytes, cuda::Stream) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return cuda::kSuccess;
  };
  api.copy_to_host = [](void* to, cuda::DeviceAddress from, std::size_t bytes, cuda::Stream) {
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return cuda::kSuccess;
  };
  api.stream_create = [](cuda::Stream*, unsigned) { return cuda::kSuccess; };
  api.stream_destroy = [](cuda::Stream) { return cuda::kSuccess; };
  api.stream_synchronize = [](cuda::Stream) { return cuda::kSuccess; };
  api.stream_query = [](cuda::Stream) { return network->stalled ? cuda::kNotReady : cuda::kSuccess; };
  return api;
}

const cuda::DriverApi kDriver = fake_driver();
const nccl::Api kNccl = fake_nccl();

class NcclTest : public testing::Test {
 protected:
  void SetUp() override { network = &network_; }

  // Runs `work` on every rank, each a thread with an NCCL communicator of its own; returns the ranks' errors, "" for none.
  std::vector<std::string> run(
      int ranks, const std::function<void(Communicator&)>& work,
      const std::function<int(int)>& device_of = [](int rank) { return rank; }) {
    const auto hosts = make_in_process_communicators(ranks);
    std::vector<std::string> errors(static_cast<std::size_t>(ranks));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          NcclCommunicator nccl(*hosts[static_cast<std::size_t>(rank)], device_of(rank), [] {
            return NcclTransport{kDriver, kNccl, kStaging};
          });
          work(nccl);
        } catch (const Error& error) {
          errors[static_cast<std::size_t>(rank)] = error.sqlstate() + " " + error.what();
        }
      });
    }
    threads.clear();
    return errors;
  }
  static std::vector<std::string> no_errors(int ranks) { return std::vector<std::string>(static_cast<std::size_t>(ranks)); }

  // What rank `from` sends to rank `to`, and how much: none, less than a slot, exactly slots, many.
  static std::int64_t bytes_between(int from, int to) {
    constexpr std::int64_t kSizes[] = {0, 1, 1000, kStaging / 2, kStaging, 3 * kStaging + 17, 10 * kStaging};
    return kSizes[(from * 3 + to * 2) % 7];
  }
  static std::byte value(int from, int to, std::int64_t at) {
    return static_cast<std::byte>((from * 7 + to * 31 + at * 13 + at / 256) & 0xff);
  }

  Network network_;
};

TEST_F(NcclTest, AllToAllBringsEachPartToItsPlace) {
  for (const int ranks : {1, 2, 3, 5}) {
    EXPECT_EQ(run(ranks,
                  [&](Communicator& nccl) {
                    std::vector<std::int64_t> send_bytes, send_offsets, receive_bytes, receive_offsets;
                    std::vector<std::byte> send, receive;
                    for (int peer = 0; peer < ranks; ++peer) {
                      send_offsets.push_back(static_cast<std::int64_t>(send.size()));
                      send_bytes.push_back(bytes_between(nccl.rank(), peer));
                      for (std::int64_t i = 0; i < send_bytes.back(); ++i) send.push_back(value(nccl.rank(), peer, i));
                      receive_offsets.push_back(static_cast<std::int64_t>(receive.size()));
                      receive_bytes.push_back(bytes_between(peer, nccl.rank()));
                      receive.resize(receive.size() + static_cast<std::size_t>(receive_bytes.back()));
                    }
                    EXPECT_EQ(nccl.exchange_sizes(send_bytes), receive_bytes);
                    nccl.all_to_all(send.data(), send_offsets, send_bytes, receive.data(), receive_offsets, receive_bytes);
                    std::size_t at = 0;
                    for (int peer = 0; peer < ranks; ++peer) {
                      for (std::int64_t i = 0; i < bytes_between(peer, nccl.rank()); ++i, ++at) {
                        ASSERT_EQ(receive[at], value(peer, nccl.rank(), i)) << peer << " to " << nccl.rank() << " at " << i;
                      }
                    }
                  }),
              no_errors(ranks));
    EXPECT_LE(network_.largest, kStaging / ranks);
    network_.largest = 0;
  }
}

TEST_F(NcclTest, GatherAndAllGatherKeepTheOrderOfRanks) {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const bool equal : {false, true}) {
      const auto size_of = [&](int rank) { return equal ? 2 * kStaging : bytes_between(rank, 1); };
      EXPECT_EQ(run(ranks,
                    [&](Communicator& nccl) {
                      std::vector<std::int64_t> bytes, offsets;
                      std::vector<std::byte> send, expected;
                      for (int rank = 0; rank < ranks; ++rank) {
                        offsets.push_back(static_cast<std::int64_t>(expected.size()));
                        bytes.push_back(size_of(rank));
                        for (std::int64_t i = 0; i < bytes.back(); ++i) expected.push_back(value(rank, 0, i));
                      }
                      for (std::int64_t i = 0; i < size_of(nccl.rank()); ++i) send.push_back(value(nccl.rank(), 0, i));
                      const auto own = static_cast<std::int64_t>(send.size());
                      std::vector<std::byte> received(expected.size());
                      nccl.all_gather(send.data(), own, received.data(), offsets, bytes);
                      EXPECT_EQ(received, expected);
                      for (int root = 0; root < ranks; ++root) {
                        std::fill(received.begin(), received.end(), std::byte{0});
                        nccl.gather(send.data(), own, nccl.rank() == root ? received.data() : nullptr, offsets, bytes, root);
                        if (nccl.rank() != root) continue;
                        EXPECT_EQ(received, expected);
                      }
                    }),
                no_errors(ranks));
    }
  }
}

TEST_F(NcclTest, BroadcastReachesAll) {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, kStaging, 5 * kStaging + 3}) {
    EXPECT_EQ(run(3,
                  [&](Communicator& nccl) {
                    for (int root = 0; root < 3; ++root) {
                      std::vector<std::byte> data(static_cast<std::size_t>(bytes)), expected(data.size());
                      for (std::size_t i = 0; i < data.size(); ++i) expected[i] = value(root, 0, static_cast<std::int64_t>(i));
                      if (nccl.rank() == root) data = expected;
                      nccl.broadcast(data.data(), bytes, root);
                      EXPECT_EQ(data, expected);
                    }
                  }),
              no_errors(3));
  }
}

TEST_F(NcclTest, RanksThatShareAGpuAreRefusedEverywhere) {
  const std::string expected = "58000 ranks 0 and 2 share one GPU, NCCL needs one for each";
  EXPECT_EQ(run(
                3, [](Communicator&) {}, [](int rank) { return rank % 2; }),
            std::vector<std::string>(3, expected));
}

TEST_F(NcclTest, ARankWithoutItsGpuIsReportedOnAllRanks) {
  const std::vector<std::string> errors = run(
      3, [](Communicator&) {}, [](int rank) { return rank == 1 ? 99 : rank; });
  EXPECT_EQ(errors, std::vector<std::string>(3,
                                             "58000 rank 1 can't use NCCL: there is no GPU 99: this machine shows 8 "
                                             "(numbered from 0)"));
}

void exchange_bytes(Communicator& nccl) {
  const std::vector<std::int64_t> offsets = {0, 100, 200}, bytes = {100, 100, 100};
  const std::vector<std::byte> send(300, static_cast<std::byte>(nccl.rank()));
  std::vector<std::byte> receive(300);
  nccl.all_to_all(send.data(), offsets, bytes, receive.data(), offsets, bytes);
  for (std::size_t i = 0; i < receive.size(); ++i) ASSERT_EQ(receive[i], static_cast<std::byte>(i / 100));
}

TEST_F(NcclTest, AnAbortElsewhereEndsTheWaitInsideNcclAndResetConnectsAgain) {
  network_.stalled = true;
  std::barrier all_aborted(3);
  EXPECT_EQ(run(3,
                [&](Communicator& nccl) {
                  if (nccl.rank() == 2) {
                    nccl.barrier();  // the one at the start of the others' all_to_all
                    nccl.abort("rank 2 gave up");
                  } else {
                    EXPECT_THROW(exchange_bytes(nccl), Error);
                  }
                  EXPECT_TRUE(nccl.aborted());
                  try {
                    nccl.barrier();
                    ADD_FAILURE();
                  } catch (const Error& error) {
                    EXPECT_EQ(error.sqlstate(), "08006");
                    EXPECT_STREQ(error.what(), "rank 2 gave up");
                  }
                  all_aborted.arrive_and_wait();
                  network_.stalled = false;
                  nccl.reset();
                  EXPECT_FALSE(nccl.aborted());
                  nccl.barrier();
                  {
                    const std::lock_guard lock(network_.mutex);
                    network_.sent.clear();  // a new communicator knows nothing of the old one's messages
                  }
                  nccl.barrier();
                  exchange_bytes(nccl);
                }),
            no_errors(3));
  EXPECT_EQ(network_.connected, 6);
}

TEST_F(NcclTest, AFailureOfNcclOnOneRankEndsTheVerbOnAll) {
  network_.failing = true;
  network_.stalled = true;
  const std::vector<std::string> errors = run(3, [](Communicator& nccl) { exchange_bytes(nccl); });
  EXPECT_EQ(errors, std::vector<std::string>(3, "08006 NCCL failed in ncclSend: it does not work"));
}

TEST(Nccl, WithoutAGpuTheErrorComesOnEveryRank) {
  try {
    cuda::driver();
    GTEST_SKIP() << "there is a GPU here";
  } catch (const Error&) {
  }
  const auto hosts = make_in_process_communicators(2);
  std::vector<std::jthread> ranks;
  for (const auto& host : hosts) {
    ranks.emplace_back([&host] {
      try {
        make_nccl_communicator(*host, 0);
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.sqlstate(), "58000");
        EXPECT_EQ(std::string(error.what()).rfind("rank 0 can't use NCCL: ", 0), 0U) << error.what();
      }
    });
  }
}

}  // namespace
}  // namespace saccade
