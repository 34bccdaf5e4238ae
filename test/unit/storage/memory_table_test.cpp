#include "storage/memory_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "common/error.hpp"
#include "data/text_store.hpp"
#include "data/value.hpp"

namespace saccade {
namespace {

// One column as values with nulls.
using Cells = std::vector<std::optional<int128>>;

template <class T>
void fill(const Cells& cells, Buffer& values) {
  for (std::size_t i = 0; i < cells.size(); ++i) values.as<T>()[i] = static_cast<T>(cells[i].value_or(77));
}

LaneColumn lane_column(const Cells& cells, Lane lane, MemoryPool& pool) {
  const auto rows = static_cast<std::int64_t>(cells.size());
  const std::shared_ptr<Buffer> values = Buffer::allocate(rows * lane_bytes(lane), pool);
  switch (lane) {
    case Lane::kBoolean:
      fill<std::uint8_t>(cells, *values);
      break;
    case Lane::kInt64:
      fill<std::int64_t>(cells, *values);
      break;
    case Lane::kInt128:
      fill<int128>(cells, *values);
      break;
    case Lane::kFloat64:
      fill<double>(cells, *values);
      break;
    case Lane::kText:
      ADD_FAILURE() << "text stands in cells as codes";
      break;
  }
  std::shared_ptr<Buffer> valid;
  if (std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return !cell; })) {
    valid = Buffer::allocate(rows, pool);
    for (std::size_t i = 0; i < cells.size(); ++i) valid->as<std::uint8_t>()[i] = cells[i] ? 1 : 0;
  }
  return {lane, values, valid};
}

std::vector<ColumnSummary> alone(std::vector<ColumnSummary> summaries) {
  return summaries;
}

struct OneColumn {
  DataType type{TypeKind::kBigint};
  Lane lane = Lane::kInt64;
  std::shared_ptr<const Dictionary> dictionary;
  std::vector<std::vector<Cells>> sets;  // by rank: the row sets that are added
};

std::shared_ptr<Table> build(const OneColumn& column, MemoryPool& pool) {
  MemoryTableBuilder builder("t", {"x"}, {column.type}, {column.dictionary}, static_cast<int>(column.sets.size()), pool);
  for (std::size_t rank = 0; rank < column.sets.size(); ++rank) {
    for (const Cells& cells : column.sets[rank]) {
      builder.add_rows(static_cast<int>(rank),
                       {static_cast<std::int64_t>(cells.size()), {lane_column(cells, column.lane, pool)}});
    }
  }
  return builder.finish(alone, 2);
}

// Every row of every rank is what was put in; chunks have 131,072 rows but the last one.
void expect_rows(const Table& table, const OneColumn& column, MemoryPool& pool) {
  const int ranks = static_cast<int>(column.sets.size());
  std::int64_t total = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    Cells expected;
    for (const Cells& cells : column.sets[static_cast<std::size_t>(rank)])
      expected.insert(expected.end(), cells.begin(), cells.end());
    const auto rows = static_cast<std::int64_t>(expected.size());
    ASSERT_EQ(table.chunk_count(rank, ranks), (rows + kMemoryChunkRows - 1) / kMemoryChunkRows);
    std::int64_t at = 0;
    for (std::int64_t chunk = 0; chunk < table.chunk_count(rank, ranks); ++chunk) {
      const Column loaded = table.load(rank, ranks, chunk, std::vector<int>{0}, pool).front();
      verify_column(loaded);
      ASSERT_EQ(loaded.length, std::min(kMemoryChunkRows, rows - at));
      ASSERT_EQ(loaded.length, table.chunk_rows(rank, ranks, chunk));
      EXPECT_EQ(loaded.encoding, table.columns()[0].encoding);
      EXPECT_EQ(loaded.dictionary, column.dictionary);
      for (std::int64_t row = 0; row < loaded.length; ++row, ++at) {
        const std::optional<int128>& cell = expected[static_cast<std::size_t>(at)];
        ASSERT_EQ(loaded.valid(row), cell.has_value());
        if (!cell) continue;
        if (loaded.lane == Lane::kFloat64) {
          ASSERT_EQ(static_cast<const double*>(loaded.values)[row], static_cast<double>(*cell));
        } else {
          ASSERT_TRUE(int128_at(loaded, row) == *cell);
        }
      }
    }
    total += rows;
  }
  EXPECT_EQ(table.row_count(), total);
}

Cells random_cells(int count, int128 low, int128 high, bool nulls, unsigned seed) {
  std::mt19937_64 random(seed);
  Cells cells;
  for (int i = 0; i < count; ++i) {
    const uint128 any = static_cast<uint128>(random()) << 64 | random();
    const int128 value = low + static_cast<int128>(any % (static_cast<uint128>(high - low) + 1));
    cells.push_back(nulls && random() % 4 == 0 ? std::nullopt : std::optional<int128>(value));
  }
  return cells;
}

TEST(MemoryTable, KeepsRandomRowsOfEveryEncoding) {
  struct Case {
    DataType type;
    Lane lane;
    int128 low, high;
    std::string encoding;
  };
  const std::vector<Case> cases = {
      {{TypeKind::kBigint}, Lane::kInt64, 9, 9, "constant"},
      {{TypeKind::kInteger}, Lane::kInt64, -100, 100, "narrowed 1"},
      {{TypeKind::kDate}, Lane::kInt64, 8000, 10561, "narrowed 2"},
      {{TypeKind::kTimestamp}, Lane::kInt64, -1000000000, 2000000000, "narrowed 4"},
      {{TypeKind::kBigint}, Lane::kInt64, INT64_MIN, INT64_MAX, "plain 8"},
      {{TypeKind::kBoolean}, Lane::kBoolean, 0, 1, "narrowed 1"},
      {{TypeKind::kDouble}, Lane::kFloat64, -1000, 1000, "plain 8"},
      {DataType::numeric(38, 2), Lane::kInt128, -power_of_ten(37), power_of_ten(37), "plain 16"},
      {DataType::numeric(38, 2), Lane::kInt128, -100, 100, "narrowed 1"},
      {DataType::numeric(15, 2), Lane::kInt64, 90100, 10494950, "narrowed 4"},
  };
  unsigned seed = 0;
  for (const Case& c : cases) {
    for (const bool nulls : {false, true}) {
      MemoryPool pool("pool", 0);
      OneColumn column{c.type, c.lane, nullptr, {{random_cells(3000, c.low, c.high, nulls, ++seed)}}};
      const std::shared_ptr<Table> table = build(column, pool);
      EXPECT_EQ(to_string(table->columns()[0].encoding), c.encoding);
      EXPECT_EQ(table->columns()[0].statistics.may_be_null, nulls);
      expect_rows(*table, column, pool);
    }
  }
}

TEST(MemoryTable, CutsRowSetsIntoChunksPerRank) {
  MemoryPool pool("pool", 0);
  OneColumn column;
  column.sets = {
      {random_cells(100000, 0, 1000, true, 1), random_cells(1, 0, 1000, false, 2), random_cells(200000, 0, 1000, true, 3)},
      {},
      {random_cells(131072, 0, 1000, false, 4)}};
  const std::shared_ptr<Table> table = build(column, pool);
  EXPECT_EQ(table->chunk_count(0, 3), 3);
  EXPECT_EQ(table->chunk_count(1, 3), 0);
  EXPECT_EQ(table->chunk_count(2, 3), 1);
  expect_rows(*table, column, pool);
  EXPECT_THROW(table->chunk_count(0, 2), Error);
  EXPECT_THROW(table->chunk_rows(1, 3, 0), Error);
}

TEST(MemoryTable, KnowsBoundsOfEachChunk) {
  MemoryPool pool("pool", 0);
  Cells cells;
  for (int i = 0; i < 300000; ++i) cells.emplace_back(i * 2);
  OneColumn column;
  column.sets = {{cells}};
  const std::shared_ptr<Table> table = build(column, pool);
  EXPECT_EQ(table->chunk_bounds(0, 1, 0, 0), (Bounds{0, 2 * 131071}));
  EXPECT_EQ(table->chunk_bounds(0, 1, 2, 0), (Bounds{2 * 262144, 2 * 299999}));
  const ColumnStatistics& statistics = table->columns()[0].statistics;
  EXPECT_EQ(statistics.bounds, (Bounds{0, 599998}));
  EXPECT_TRUE(statistics.sorted);
  EXPECT_EQ(statistics.unique, Uniqueness::kProven);
  EXPECT_EQ(statistics.distinct, 300000);
}

ColumnStatistics statistics_of(std::vector<std::vector<Cells>> sets) {
  MemoryPool pool("pool", 0);
  OneColumn column;
  column.sets = std::move(sets);
  return build(column, pool)->columns()[0].statistics;
}

TEST(MemoryTable, ProvesOrRefutesUniqueness) {
  EXPECT_EQ(statistics_of({{{1, 2, 5}}}).unique, Uniqueness::kProven);
  EXPECT_EQ(statistics_of({{{1, 5, 2}}}).unique, Uniqueness::kPossible);
  EXPECT_EQ(statistics_of({{{1, 1, 9}}}).unique, Uniqueness::kPossible);
  EXPECT_EQ(statistics_of({{{1, 2, 2}}}).unique, Uniqueness::kRefuted);
  EXPECT_EQ(statistics_of({{{1, 2, std::nullopt}}}).unique, Uniqueness::kPossible);
  EXPECT_EQ(statistics_of({{{1, 2}, {3}}, {{4}}}).unique, Uniqueness::kProven);
  EXPECT_EQ(statistics_of({{{1, 2}, {7}}, {{4}}}).unique, Uniqueness::kPossible);
  EXPECT_EQ(statistics_of({{{1, 2}, {3}}, {{3, 9}}}).unique, Uniqueness::kPossible);
}

TEST(MemoryTable, KnowsWhetherRowsAreSorted) {
  EXPECT_TRUE(statistics_of({{{1, 1, 3}}}).sorted);
  EXPECT_FALSE(statistics_of({{{1, 3, 2}}}).sorted);
  EXPECT_FALSE(statistics_of({{{1, std::nullopt, 3}}}).sorted);
  EXPECT_FALSE(statistics_of({{{2}, {1}}}).sorted);
  EXPECT_TRUE(statistics_of({{{1}, {}, {1, 2}}, {}, {{2}}}).sorted);
  EXPECT_FALSE(statistics_of({{{2}}, {{1}}}).sorted);
  EXPECT_FALSE(statistics_of({}).sorted);
}

TEST(MemoryTable, EstimatesDistinctValues) {
  for (const int distinct : {1, 7, 1000, 50000}) {
    Cells cells;
    for (int i = 0; i < 200000; ++i) cells.emplace_back(static_cast<int128>(i % distinct) * 7919);
    const double estimate = statistics_of({{cells}}).distinct;
    EXPECT_NEAR(estimate, distinct, distinct * 0.06) << distinct;
  }
}

TEST(MemoryTable, WithoutRowsHasItsColumns) {
  MemoryPool pool("pool", 0);
  OneColumn column;
  column.type = {TypeKind::kText};
  column.dictionary = Dictionary::from_strings({});
  column.sets = {{}, {}};
  const std::shared_ptr<Table> table = build(column, pool);
  EXPECT_EQ(table->row_count(), 0);
  EXPECT_EQ(table->chunk_count(1, 2), 0);
  EXPECT_FALSE(table->columns()[0].statistics.bounds.has_value());
  EXPECT_EQ(pool.used(), 0);
}

TEST(MemoryTable, KeepsOnlyNulls) {
  MemoryPool pool("pool", 0);
  OneColumn column;
  column.sets = {{{std::nullopt, std::nullopt}}};
  const std::shared_ptr<Table> table = build(column, pool);
  expect_rows(*table, column, pool);
  EXPECT_EQ(table->chunk_bounds(0, 1, 0, 0), std::nullopt);
}

TEST(MemoryTable, KeepsTheDictionaryOfText) {
  MemoryPool pool("pool", 0);
  std::vector<std::string> strings;
  for (int i = 0; i < 1000; ++i) strings.push_back(std::to_string(i));
  OneColumn column{{TypeKind::kText}, Lane::kInt64, Dictionary::from_strings(strings), {{random_cells(5000, 3, 7, true, 5)}}};
  const std::shared_ptr<Table> table = build(column, pool);
  EXPECT_EQ(to_string(table->columns()[0].encoding), "dictionary 2");
  EXPECT_EQ(table->columns()[0].statistics.bounds, (Bounds{3, 7}));
  EXPECT_EQ(table->columns()[0].dictionary, column.dictionary);
  expect_rows(*table, column, pool);
}

TEST(MemoryTable, VersionFollowsTheRows) {
  MemoryPool pool("pool", 0);
  const auto version = [&](std::vector<std::vector<Cells>> sets) {
    OneColumn column;
    column.sets = std::move(sets);
    return build(column, pool)->version();
  };
  EXPECT_EQ(version({{{1, 2, 3}}}), version({{{1, 2, 3}}}));
  EXPECT_NE(version({{{1, 2, 3}}}), version({{{1, 3, 2}}}));
  EXPECT_NE(version({{{1, 2, 3}}}), version({{{1, std::nullopt, 3}}}));
}

TEST(MemoryTable, AgreesWithOtherProcesses) {
  MemoryPool pool("pool", 0);
  MemoryTableBuilder builder("t", {"x"}, {{TypeKind::kBigint}}, {nullptr}, 2, pool);
  builder.add_rows(0, {3, {lane_column({1, 2, 3}, Lane::kInt64, pool)}});
  const std::shared_ptr<Table> table = builder.finish(
      [](std::vector<ColumnSummary> mine) {
        ColumnSummary other;
        other.any = true;
        other.low = other.first = 100;
        other.high = other.last = 70000;
        other.rows = 10;
        other.distinct = 10;
        mine[0].append(other);
        return mine;
      },
      1);
  EXPECT_EQ(table->row_count(), 13);
  EXPECT_EQ(to_string(table->columns()[0].encoding), "narrowed 4");
  EXPECT_EQ(table->columns()[0].statistics.unique, Uniqueness::kProven);
  EXPECT_EQ(table->chunk_count(0, 2), 1);
  EXPECT_EQ(table->load(0, 2, 0, std::vector<int>{0}, pool)[0].encoding.width, 4);
}

TEST(MemoryTable, CountsItsMemoryAndRaisesAtTheLimit) {
  MemoryPool rows_pool("rows", 0), pool("tables", 100000);
  MemoryTableBuilder builder("t", {"x"}, {{TypeKind::kBigint}}, {nullptr}, 1, pool);
  builder.add_rows(0, {20000, {lane_column(random_cells(20000, INT64_MIN, INT64_MAX, false, 9), Lane::kInt64, rows_pool)}});
  try {
    builder.finish(alone, 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
  }
  EXPECT_EQ(pool.used(), 0);
}

TEST(MemoryTable, FreesTheRowsOfColumnsThatAreEncoded) {
  MemoryPool rows_pool("rows", 0), pool("tables", 0);
  MemoryTableBuilder builder("t", {"x"}, {{TypeKind::kBigint}}, {nullptr}, 1, pool);
  builder.add_rows(0, {20000, {lane_column(random_cells(20000, 0, 200, false, 9), Lane::kInt64, rows_pool)}});
  const std::shared_ptr<Table> table = builder.finish(alone, 2);
  EXPECT_EQ(rows_pool.used(), 0);
  EXPECT_EQ(pool.used(), 20032);
}

// Rows of strings: distinct ones stay strings, repeated ones become codes, and a dictionary is made where it is demanded.
TEST(MemoryTableTexts, ChoosesTheFormByTheShareOfDistinctStrings) {
  MemoryPool pool("test", 0);
  MemoryPool strings("strings", 0);
  TextStore store(strings);
  constexpr std::int64_t kRows = 100'000;
  std::shared_ptr<Buffer> unique = Buffer::allocate(kRows * 8, strings), repeated = Buffer::allocate(kRows * 8, strings),
                          valid = Buffer::allocate(kRows, strings);
  const auto text = [](std::int64_t row, bool repeats) {
    return std::string(static_cast<std::size_t>(row % 30), 'x') + std::to_string(repeats ? row % 100 : row);
  };
  TextArena& arena = store.add_arena();
  for (std::int64_t row = 0; row < kRows; ++row) {
    unique->as<TextValue>()[row] = arena.copy(text(row, false));
    repeated->as<TextValue>()[row] = arena.copy(text(row, true));
    valid->as<std::uint8_t>()[row] = row % 10 == 3 ? 0 : 1;
  }
  const DataType type{TypeKind::kText};
  MemoryTableBuilder builder("t", {"u", "r"}, {type, type}, {nullptr, nullptr}, 1, pool);
  builder.allow_dictionaries();
  builder.add_rows(0, {kRows, {{Lane::kText, unique, valid}, {Lane::kText, repeated, nullptr}}});
  const std::shared_ptr<Table> table = builder.finish(alone, 2);
  EXPECT_EQ(to_string(table->columns()[0].encoding), "plain 4");
  EXPECT_EQ(to_string(table->columns()[1].encoding), "dictionary 2");
  EXPECT_TRUE(table->columns()[0].statistics.may_be_null);
  EXPECT_NEAR(table->columns()[0].statistics.distinct, 90'000, 4'000);
  for (const bool coded : {false, true}) {
    if (coded) table->demand_dictionary(0);
    EXPECT_EQ(table->columns()[0].dictionary != nullptr, coded);
    std::int64_t row = 0;
    for (std::int64_t chunk = 0; chunk < table->chunk_count(0, 1); ++chunk) {
      const std::vector<Column> columns = table->load(0, 1, chunk, std::array{0, 1}, pool);
      for (const Column& column : columns) verify_column(column);
      for (std::int64_t at = 0; at < columns[0].length; ++at, ++row) {
        ASSERT_EQ(columns[0].valid(at), row % 10 != 3);
        if (columns[0].valid(at)) {
          ASSERT_EQ(text_at(columns[0], at).view(), text(row, false));
        }
        ASSERT_EQ(text_at(columns[1], at).view(), text(row, true));
      }
    }
    EXPECT_EQ(row, kRows);
  }
}

}  // namespace
}  // namespace saccade
