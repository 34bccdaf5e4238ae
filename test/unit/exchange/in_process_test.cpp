#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>

#include "common/error.hpp"
#include "unit/exchange/ranks.hpp"

namespace saccade {
namespace {

const std::byte* bytes_of(const std::vector<std::int64_t>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
std::byte* bytes_of(std::vector<std::int64_t>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

std::string failure_of(const std::function<void()>& body, std::string_view sqlstate) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), sqlstate);
    return error.what();
  }
  ADD_FAILURE() << "nothing was raised";
  return {};
}

class InProcess : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, InProcess, testing::Values(1, 2, 3, 4));

TEST_P(InProcess, ExchangesSizes) {
  run_ranks(GetParam(), [](Communicator& c) {
    std::vector<std::int64_t> send;
    for (int to = 0; to < c.size(); ++to) send.push_back(c.rank() * 100 + to);
    const auto received = c.exchange_sizes(send);
    for (int from = 0; from < c.size(); ++from) EXPECT_EQ(received[static_cast<std::size_t>(from)], from * 100 + c.rank());
  });
}

// Rank r sends to rank t (r + t) values r * 1000 + t, so some parts are empty and all differ.
TEST_P(InProcess, MovesUnequalParts) {
  run_ranks(GetParam(), [](Communicator& c) {
    std::vector<std::int64_t> send, receive_expected;
    std::vector<std::int64_t> send_offsets, send_bytes, receive_offsets, receive_bytes;
    for (int other = 0; other < c.size(); ++other) {
      const auto count = static_cast<std::size_t>(c.rank() + other);
      send_offsets.push_back(static_cast<std::int64_t>(send.size() * 8));
      receive_offsets.push_back(send_offsets.back());
      send_bytes.push_back(static_cast<std::int64_t>(count * 8));
      receive_bytes.push_back(send_bytes.back());
      send.insert(send.end(), count, c.rank() * 1000 + other);
      receive_expected.insert(receive_expected.end(), count, other * 1000 + c.rank());
    }
    std::vector<std::int64_t> receive(receive_expected.size(), -1);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::fill(receive.begin(), receive.end(), -1);
      c.all_to_all(bytes_of(std::as_const(send)), send_offsets, send_bytes, bytes_of(receive), receive_offsets, receive_bytes);
      EXPECT_EQ(receive, receive_expected);
    }
  });
}

TEST_P(InProcess, BroadcastsFromEveryRoot) {
  run_ranks(GetParam(), [](Communicator& c) {
    for (int root = 0; root < c.size(); ++root) {
      std::vector<std::int64_t> data(100);
      if (c.rank() == root) std::iota(data.begin(), data.end(), root * 7);
      c.broadcast(bytes_of(data), 800, root);
      EXPECT_EQ(data[0], root * 7);
      EXPECT_EQ(data[99], root * 7 + 99);
    }
  });
}

TEST_P(InProcess, GathersUnequalPartsInRankOrder) {
  run_ranks(GetParam(), [](Communicator& c) {
    const std::vector<std::int64_t> send(static_cast<std::size_t>(c.rank()), c.rank());  // rank 0 sends nothing
    std::vector<std::int64_t> offsets, sizes, expected;
    for (int from = 0; from < c.size(); ++from) {
      offsets.push_back(static_cast<std::int64_t>(expected.size() * 8));
      sizes.push_back(from * 8);
      expected.insert(expected.end(), static_cast<std::size_t>(from), from);
    }
    std::vector<std::int64_t> received(expected.size(), -1);
    c.all_gather(bytes_of(send), c.rank() * 8, bytes_of(received), offsets, sizes);
    EXPECT_EQ(received, expected);
    for (int root = 0; root < c.size(); ++root) {
      std::fill(received.begin(), received.end(), -1);
      c.gather(bytes_of(send), c.rank() * 8, c.rank() == root ? bytes_of(received) : nullptr, offsets, sizes, root);
      if (c.rank() == root) {
        EXPECT_EQ(received, expected);
      }
    }
  });
}

TEST_P(InProcess, NobodyPassesABarrierBeforeAllHaveCome) {
  std::atomic<int> arrived{0};
  run_ranks(GetParam(), [&](Communicator& c) {
    for (int round = 1; round <= 50; ++round) {
      ++arrived;
      c.barrier();
      EXPECT_GE(arrived.load(), round * c.size());
      c.barrier();
    }
  });
}

TEST(InProcessAbort, WakesEveryRankWithTheFirstReasonAndCanBeReset) {
  std::atomic<int> first_abort_done{0};
  run_ranks(3, [&](Communicator& c) {
    for (int round = 0; round < 20; ++round) {
      if (c.rank() == 1) {
        c.abort("rank 1 ran out of memory");
        c.abort("a second reason");
        ++first_abort_done;
      }
      EXPECT_EQ(failure_of([&] { c.barrier(); }, sqlstate::kConnectionFailure), "rank 1 ran out of memory");
      EXPECT_EQ(failure_of(
                    [&] {
                      c.exchange_sizes(std::vector<std::int64_t>{1, 2, 3});
                    },
                    sqlstate::kConnectionFailure),
                "rank 1 ran out of memory");
      c.reset();
      const auto sizes = c.exchange_sizes(std::vector<std::int64_t>{c.rank(), c.rank(), c.rank()});
      EXPECT_EQ(sizes, (std::vector<std::int64_t>{0, 1, 2}));
    }
  });
  EXPECT_EQ(first_abort_done, 20);
}

// Memory that a verb published is freed as soon as the verb has raised; thread and address sanitizers see a late reader.
TEST(InProcessAbort, IsSafeAtAnyMomentOfATransfer) {
  auto communicators = make_in_process_communicators(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < 4; ++rank) {
      threads.emplace_back([&, rank] {
        Communicator& c = *communicators[static_cast<std::size_t>(rank)];
        try {
          while (true) {
            const std::vector<std::int64_t> part(4096, rank);
            std::vector<std::int64_t> all(4 * 4096);
            const std::vector<std::int64_t> offsets{0, 32768, 65536, 98304}, sizes(4, 32768);
            c.all_gather(bytes_of(part), 32768, bytes_of(all), offsets, sizes);
            for (std::size_t from = 0; from < 4; ++from) EXPECT_EQ(all[from * 4096 + 17], static_cast<std::int64_t>(from));
          }
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "cancelled");
        }
        c.reset();
      });
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100 * (round % 10)));
    communicators[static_cast<std::size_t>(round % 4)]->abort("cancelled");
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(InProcessAbort, DisagreeingRanksEndInsteadOfHanging) {
  auto communicators = make_in_process_communicators(2);
  std::vector<std::string> states(2);
  const auto catch_state = [&](int rank, const std::function<void(Communicator&)>& verb) {
    return std::thread([&states, &communicators, rank, verb] {
      try {
        verb(*communicators[static_cast<std::size_t>(rank)]);
      } catch (const Error& error) {
        states[static_cast<std::size_t>(rank)] = error.sqlstate();
      }
      communicators[static_cast<std::size_t>(rank)]->reset();
    });
  };
  std::thread barrier = catch_state(0, [](Communicator& c) { c.barrier(); });
  std::thread sizes = catch_state(1, [](Communicator& c) { c.exchange_sizes(std::vector<std::int64_t>{1, 2}); });
  barrier.join();
  sizes.join();
  EXPECT_TRUE(states[0] == sqlstate::kInternalError || states[1] == sqlstate::kInternalError);

  // One rank has left for the reset while the other still waits in a verb.
  std::thread waits = catch_state(0, [](Communicator& c) { c.barrier(); });
  std::thread leaves = catch_state(1, [](Communicator&) {});
  waits.join();
  leaves.join();
  EXPECT_EQ(states[0], sqlstate::kConnectionFailure);
}

TEST(InProcessAbort, ADestroyedRankEndsTheOthers) {
  auto communicators = make_in_process_communicators(2);
  std::thread waits(
      [&] { EXPECT_EQ(failure_of([&] { communicators[0]->barrier(); }, sqlstate::kConnectionFailure), "rank 1 has ended"); });
  communicators[1].reset();
  waits.join();
}

}  // namespace
}  // namespace saccade
