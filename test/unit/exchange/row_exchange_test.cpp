#include "exchange/row_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <set>

#include "common/error.hpp"
#include "function/hash.hpp"
#include "unit/exchange/ranks.hpp"

namespace saccade {
namespace {

// A row of the test's table: key, boolean, numeric in 128 bits, double; nothing where null.
struct Row {
  std::int64_t key = 0;
  std::optional<bool> flag;
  std::optional<int128> wide;
  double number = 0;
  auto operator<=>(const Row&) const = default;
};
using Rows = std::vector<Row>;

template <class T>
std::shared_ptr<const Buffer> filled(const Rows& rows, MemoryPool& pool, const std::function<T(const Row&)>& value) {
  std::shared_ptr<Buffer> buffer = Buffer::allocate(static_cast<std::int64_t>(rows.size() * sizeof(T)), pool);
  for (std::size_t i = 0; i < rows.size(); ++i) buffer->as<T>()[i] = value(rows[i]);
  return buffer;
}

// Validity is left out where this rank has no null, so ranks differ in it.
RowSet to_row_set(const Rows& rows, MemoryPool& pool) {
  RowSet set{.rows = static_cast<std::int64_t>(rows.size()), .columns = {}};
  set.columns.push_back({Lane::kInt64, filled<std::int64_t>(rows, pool, [](const Row& r) { return r.key; }), nullptr});
  set.columns.push_back(
      {Lane::kBoolean, filled<std::uint8_t>(rows, pool, [](const Row& r) { return r.flag == true; }), nullptr});
  set.columns.push_back({Lane::kInt128, filled<int128>(rows, pool, [](const Row& r) { return r.wide.value_or(0); }), nullptr});
  set.columns.push_back({Lane::kFloat64, filled<double>(rows, pool, [](const Row& r) { return r.number; }), nullptr});
  if (std::any_of(rows.begin(), rows.end(), [](const Row& r) { return !r.flag; })) {
    set.columns[1].valid = filled<std::uint8_t>(rows, pool, [](const Row& r) { return r.flag.has_value(); });
  }
  if (std::any_of(rows.begin(), rows.end(), [](const Row& r) { return !r.wide; })) {
    set.columns[2].valid = filled<std::uint8_t>(rows, pool, [](const Row& r) { return r.wide.has_value(); });
  }
  return set;
}

Rows from_row_set(const RowSet& set) {
  Rows rows;
  for (std::int64_t i = 0; i < set.rows; ++i) {
    Row row{.key = set.columns[0].as<std::int64_t>()[i], .flag = {}, .wide = {}, .number = set.columns[3].as<double>()[i]};
    if (set.columns[1].is_valid(i)) row.flag = set.columns[1].as<std::uint8_t>()[i] != 0;
    if (set.columns[2].is_valid(i)) row.wide = set.columns[2].as<int128>()[i];
    rows.push_back(row);
  }
  return rows;
}

// `distinct` keys; a null in `null_percent` of a hundred values.
Rows random_rows(std::mt19937_64& random, std::size_t count, std::int64_t distinct, int null_percent) {
  Rows rows(count);
  for (Row& row : rows) {
    row.key = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(distinct)) - distinct / 2;
    if (static_cast<int>(random() % 100) >= null_percent) row.flag = random() % 2 == 0;
    if (static_cast<int>(random() % 100) >= null_percent)
      row.wide = static_cast<int128>(random()) * static_cast<int128>(random() >> 2);
    row.number = static_cast<double>(random() % 1000) / 8;
  }
  return rows;
}

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rows concatenated(const std::vector<Rows>& parts) {
  Rows all;
  for (const Rows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct Case {
  std::vector<std::size_t> sizes;  // rows of each rank
  std::int64_t distinct;
  std::vector<int> null_percent;  // by rank
};

class RowExchange : public testing::TestWithParam<Case> {
 protected:
  std::vector<Rows> make_parts() const {
    std::mt19937_64 random(42);
    std::vector<Rows> parts;
    for (std::size_t rank = 0; rank < GetParam().sizes.size(); ++rank) {
      parts.push_back(random_rows(random, GetParam().sizes[rank], GetParam().distinct, GetParam().null_percent[rank]));
    }
    return parts;
  }
  int ranks() const { return static_cast<int>(GetParam().sizes.size()); }
};

INSTANTIATE_TEST_SUITE_P(Shapes, RowExchange,
                         testing::Values(Case{{1000}, 10, {20}}, Case{{0}, 1, {0}}, Case{{5000, 1}, 1000, {0, 0}},
                                         Case{{3000, 4000}, 100000, {0, 30}}, Case{{0, 2500}, 50, {0, 100}},
                                         Case{{0, 0, 0}, 1, {0, 0, 0}}, Case{{10000, 20000, 7}, 1, {10, 0, 0}},
                                         Case{{9999, 0, 2049, 2048}, 3, {0, 0, 5, 0}},
                                         Case{{20000, 30000, 10, 40001}, 1'000'000'000'000, {1, 2, 3, 4}}));

TEST_P(RowExchange, ShuffleBringsEveryRowToTheRankOfItsHash) {
  const std::vector<Rows> parts = make_parts();
  std::vector<Rows> arrived(parts.size());
  std::vector<ExchangeStatistics> statistics(parts.size());
  MemoryPool pool("test", 0);
  run_ranks(ranks(), [&](Communicator& c) {
    const auto rank = static_cast<std::size_t>(c.rank());
    const RowSet set = to_row_set(parts[rank], pool);
    arrived[rank] = from_row_set(shuffle_rows(set, {set.columns[0]}, c, pool, statistics[rank]));
  });
  std::int64_t sent = 0, received = 0, bytes_sent = 0, bytes_received = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    for (const Row& row : arrived[rank]) {
      const auto hash = hash_finish(hash_part(kHashSeed, row.key));
      ASSERT_EQ(partition_of(hash, ranks()), static_cast<int>(rank));
    }
    sent += statistics[rank].rows_sent;
    received += statistics[rank].rows_received;
    bytes_sent += statistics[rank].bytes_sent;
    bytes_received += statistics[rank].bytes_received;
  }
  EXPECT_EQ(sorted(concatenated(arrived)), sorted(concatenated(parts)));
  EXPECT_EQ(sent, received);
  EXPECT_EQ(bytes_sent, bytes_received);
  EXPECT_EQ(pool.used(), 0);
}

TEST_P(RowExchange, ShuffleByTwoKeysKeepsTheirOrderInTheHash) {
  const std::vector<Rows> parts = make_parts();
  std::vector<Rows> arrived(parts.size());
  MemoryPool pool("test", 0);
  run_ranks(ranks(), [&](Communicator& c) {
    const auto rank = static_cast<std::size_t>(c.rank());
    const RowSet set = to_row_set(parts[rank], pool);
    const LaneColumn second{Lane::kInt64,
                            filled<std::int64_t>(parts[rank], pool, [](const Row& r) { return static_cast<int>(r.number); }),
                            nullptr};
    ExchangeStatistics statistics;
    arrived[rank] = from_row_set(shuffle_rows(set, {second, set.columns[0]}, c, pool, statistics));
  });
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    for (const Row& row : arrived[rank]) {
      const auto hash = hash_finish(hash_part(hash_part(kHashSeed, static_cast<int>(row.number)), row.key));
      ASSERT_EQ(partition_of(hash, ranks()), static_cast<int>(rank));
    }
  }
  EXPECT_EQ(sorted(concatenated(arrived)), sorted(concatenated(parts)));
}

TEST_P(RowExchange, BroadcastGivesEveryRankAllRowsInRankOrder) {
  const std::vector<Rows> parts = make_parts();
  const Rows all = concatenated(parts);
  std::mutex mutex;
  MemoryPool pool("test", 0);
  run_ranks(ranks(), [&](Communicator& c) {
    const Rows& mine = parts[static_cast<std::size_t>(c.rank())];
    ExchangeStatistics statistics;
    const Rows arrived = from_row_set(broadcast_rows(to_row_set(mine, pool), c, pool, statistics));
    const std::lock_guard lock(mutex);
    EXPECT_EQ(arrived, all);
    EXPECT_EQ(statistics.rows_sent, static_cast<std::int64_t>(mine.size()) * (c.size() - 1));
    EXPECT_EQ(statistics.rows_received, static_cast<std::int64_t>(all.size() - mine.size()));
  });
  EXPECT_EQ(pool.used(), 0);
}

TEST_P(RowExchange, GatherGivesRankZeroAllRowsInRankOrder) {
  const std::vector<Rows> parts = make_parts();
  const Rows all = concatenated(parts);
  std::mutex mutex;
  MemoryPool pool("test", 0);
  run_ranks(ranks(), [&](Communicator& c) {
    ExchangeStatistics statistics;
    const RowSet arrived = gather_rows(to_row_set(parts[static_cast<std::size_t>(c.rank())], pool), c, pool, statistics);
    const std::lock_guard lock(mutex);
    EXPECT_EQ(arrived.columns.size(), 4u);
    EXPECT_EQ(from_row_set(arrived), c.rank() == 0 ? all : Rows{});
  });
  EXPECT_EQ(pool.used(), 0);
}

TEST(RowExchangeFailure, AMemoryLimitOfOneRankEndsAllRanks) {
  std::mt19937_64 random(1);
  const Rows rows = random_rows(random, 20000, 1000, 0);
  std::vector<std::string> states(3);
  MemoryPool pool("test", 0);
  run_ranks(3, [&](Communicator& c) {
    MemoryPool small("query", c.rank() == 1 ? 1 << 17 : 0);
    const RowSet set = to_row_set(rows, pool);
    ExchangeStatistics statistics;
    try {
      shuffle_rows(set, {set.columns[0]}, c, small, statistics);
    } catch (const Error& error) {
      states[static_cast<std::size_t>(c.rank())] = error.sqlstate();
      c.abort(error.what());
    }
    EXPECT_EQ(small.used(), 0);
    c.reset();
    c.barrier();
  });
  EXPECT_EQ(states, (std::vector<std::string>{"08006", "53200", "08006"}));
}

TEST(RowExchangeFailure, RanksThatDisagreeOnLanesAreAnError) {
  MemoryPool pool("test", 0);
  const auto body = [&](Communicator& c) {
    RowSet set;
    set.columns.push_back({c.rank() == 0 ? Lane::kInt64 : Lane::kInt128, Buffer::allocate(0, pool), nullptr});
    ExchangeStatistics statistics;
    broadcast_rows(set, c, pool, statistics);
  };
  EXPECT_THROW(run_ranks(2, body), Error);
}

TEST(RowExchangeFailure, RowsWithoutColumnsKeepTheirCount) {
  MemoryPool pool("test", 0);
  run_ranks(2, [&](Communicator& c) {
    ExchangeStatistics statistics;
    EXPECT_EQ(broadcast_rows(RowSet{.rows = c.rank() + 3, .columns = {}}, c, pool, statistics).rows, 7);
    EXPECT_EQ(gather_rows(RowSet{.rows = c.rank() + 3, .columns = {}}, c, pool, statistics).rows, c.rank() == 0 ? 7 : 0);
  });
}

// What travels of strings: empty ones, nulls, rows without a value, and none at all on a rank.
TEST(RowExchangeTexts, StringsArriveWhole) {
  constexpr int kRanks = 3;
  for (const bool shuffle : {false, true}) {
    std::mutex mutex;
    std::multiset<std::string> seen;
    std::multiset<std::string> expected;
    for (int rank = 0; rank < 2; ++rank) {
      for (int row = 0; row < 500; ++row)
        expected.insert(row % 7 == 0 ? "null" : std::string(static_cast<std::size_t>(row % 40), 'a'));
    }
    run_ranks(kRanks, [&](Communicator& communicator) {
      MemoryPool pool("rank", 0);
      TextStore store(pool);
      const std::int64_t rows = communicator.rank() == 2 ? 0 : 500;
      std::shared_ptr<Buffer> keys = Buffer::allocate(rows * 8, pool), texts = Buffer::allocate(rows * 8, pool),
                              valid = Buffer::allocate(rows, pool);
      for (std::int64_t row = 0; row < rows; ++row) {
        keys->as<std::int64_t>()[row] = row % 11;
        valid->as<std::uint8_t>()[row] = row % 14 == 0 ? 0 : 1;
        const std::string text(static_cast<std::size_t>(row % 40), 'a');
        texts->as<TextValue>()[row] = row % 7 == 0 ? TextValue() : store.add_arena().copy(text);
      }
      const RowSet set{rows, {{Lane::kText, texts, valid}}};
      ExchangeStatistics statistics;
      const RowSet arrived = shuffle
                                 ? shuffle_rows(set, {{Lane::kInt64, keys, nullptr}}, communicator, pool, statistics, &store)
                                 : gather_rows(set, communicator, pool, statistics, &store);
      const std::lock_guard lock(mutex);
      for (std::int64_t row = 0; row < arrived.rows; ++row) {
        const TextValue text = arrived.columns[0].as<TextValue>()[row];
        seen.insert(text.has_value() ? std::string(text.view()) : "null");
      }
    });
    EXPECT_EQ(seen, expected);
  }
}

}  // namespace
}  // namespace saccade
