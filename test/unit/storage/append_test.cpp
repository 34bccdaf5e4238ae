// Appending to tables in memory: values, forms that grow, dictionaries, shared chunks, and how often rows are moved.
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "storage/memory_table.hpp"

namespace saccade {
namespace {

constexpr DataType kBigint{TypeKind::kBigint};
constexpr DataType kText{TypeKind::kText};

using Rows = std::vector<std::vector<Value>>;

Value number(std::int64_t value) {
  return {kBigint, int128{value}};
}

class AppendTest : public testing::Test {
 protected:
  static std::vector<ColumnSummary> agree(std::vector<ColumnSummary> local) { return local; }

  void append(const Rows& rows) {
    const AppendRequest request{table, rows, local_ranks, static_cast<int>(local_ranks.size()), ++serial, 2};
    table = append_values(request, agree, pool);
  }

  // All rows of a column, rank by rank.
  std::vector<Value> column(int number) const {
    std::vector<Value> values;
    for (const int rank : local_ranks) {
      for (std::int64_t chunk = 0; chunk < table->chunk_count(rank, ranks()); ++chunk) {
        const Column loaded = load(rank, chunk, number);
        verify_column(loaded);
        EXPECT_EQ(loaded.encoding, table->columns()[static_cast<std::size_t>(number)].encoding);
        for (std::int64_t row = 0; row < loaded.length; ++row) values.push_back(value_at(loaded, row));
      }
    }
    return values;
  }
  Column load(int rank, std::int64_t chunk, int column) const {
    const std::vector<int> columns{column};
    return table->load(rank, ranks(), chunk, columns, pool).front();
  }
  int ranks() const { return static_cast<int>(local_ranks.size()); }

  void create(const std::vector<ColumnDefinition>& columns) {
    table = make_empty_table({"t", columns}, ranks(), ++serial, pool);
  }

  mutable MemoryPool pool{"test", 0};
  std::vector<int> local_ranks{0};
  std::shared_ptr<Table> table;
  std::uint64_t serial = 0;
};

TEST_F(AppendTest, ColumnsGrowThroughAllForms) {
  create({{"n", kBigint}});
  std::vector<Value> expected;
  for (const std::int64_t value : {std::int64_t{5}, std::int64_t{5}, std::int64_t{6}, std::int64_t{-200}, std::int64_t{70'000},
                                   std::int64_t{-5'000'000'000}, INT64_MAX, INT64_MIN}) {
    append({{number(value)}});
    expected.push_back(number(value));
    EXPECT_EQ(column(0), expected);
  }
  EXPECT_EQ(table->row_count(), 8);
  EXPECT_EQ(table->columns()[0].statistics.bounds, (Bounds{INT64_MIN, INT64_MAX}));
}

TEST_F(AppendTest, NullsBeforeAndAfterValues) {
  create({{"n", kBigint}, {"u", kText}});
  append({{Value::null(kBigint), Value::null(kText)}});
  append({{number(1), {kText, std::string("b")}}});
  append({{Value::null(kBigint), {kText, std::string("a")}}});
  EXPECT_EQ(column(0), (std::vector<Value>{Value::null(kBigint), number(1), Value::null(kBigint)}));
  EXPECT_EQ(column(1), (std::vector<Value>{Value::null(kText), {kText, std::string("b")}, {kText, std::string("a")}}));
  EXPECT_TRUE(table->columns()[0].statistics.may_be_null);
}

TEST_F(AppendTest, DictionariesAreMerged) {
  create({{"u", kText}});
  std::vector<Value> expected;
  for (const char* text : {"m", "a", "z", "m", "", "b"}) {
    append({{{kText, std::string(text)}}});
    expected.push_back({kText, std::string(text)});
  }
  EXPECT_EQ(column(0), expected);
  EXPECT_EQ(table->columns()[0].dictionary->size(), 5);
}

// Values that go down by one each time: every step could need another base.
TEST_F(AppendTest, AFallingColumnIsEncodedAnewAFewTimesOnly) {
  create({{"n", kBigint}});
  int changes = 0;
  std::int64_t base = 0;
  for (std::int64_t i = 0; i < 3'000; ++i) {
    append({{number(-i)}});
    if (table->columns()[0].base != base) ++changes;
    base = table->columns()[0].base;
  }
  EXPECT_EQ(table->row_count(), 3'000);
  EXPECT_LT(changes, 40);
  EXPECT_LT(table->chunk_count(0, 1), 20);
}

TEST_F(AppendTest, LargeChunksAreShared) {
  create({{"n", kBigint}});
  Rows rows;
  for (std::int64_t i = 0; i < 1'000; ++i) rows.push_back({number(i)});
  append(rows);
  const void* before = load(0, 0, 0).values;
  append({{number(500)}});
  EXPECT_EQ(table->chunk_count(0, 1), 2);
  EXPECT_EQ(load(0, 0, 0).values, before);
}

TEST_F(AppendTest, EachRankKeepsARunOfTheRows) {
  local_ranks = {0, 1, 2};
  create({{"n", kBigint}});
  append({{number(1)}, {number(2)}, {number(3)}});
  append({{number(4)}, {number(5)}, {number(6)}});
  EXPECT_EQ(column(0), (std::vector<Value>{number(1), number(4), number(2), number(5), number(3), number(6)}));
  EXPECT_FALSE(table->columns()[0].statistics.sorted);
  EXPECT_EQ(table->columns()[0].statistics.unique, Uniqueness::kProven);
  EXPECT_EQ(table->row_count(), 6);
}

TEST_F(AppendTest, OneRankStaysSorted) {
  create({{"n", kBigint}});
  append({{number(1)}});
  append({{number(2)}});
  EXPECT_TRUE(table->columns()[0].statistics.sorted);
  append({{number(2)}});
  EXPECT_TRUE(table->columns()[0].statistics.sorted);
  EXPECT_NE(table->columns()[0].statistics.unique, Uniqueness::kProven);
  append({{number(0)}});
  EXPECT_FALSE(table->columns()[0].statistics.sorted);
}

TEST_F(AppendTest, DeclarationsStayAndAreHeld) {
  create({{"n", kBigint, true, number(7)}});
  append({{number(1)}});
  EXPECT_TRUE(table->columns()[0].not_null);
  EXPECT_EQ(table->columns()[0].default_value, number(7));
  const std::shared_ptr<Table> before = table;
  try {
    append({{number(2)}, {Value::null(kBigint)}});
    FAIL() << "NULL was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "23502");
  }
  EXPECT_EQ(table, before);
  EXPECT_EQ(table->row_count(), 1);
}

TEST_F(AppendTest, VersionsDifferEvenWhereRowsAreEqual) {
  create({{"n", kBigint}});
  const std::uint64_t empty = table->version();
  create({{"n", kBigint}});
  EXPECT_NE(table->version(), empty);
}

TEST_F(AppendTest, WideNumericsJoinNarrowOnes) {
  const DataType wide = DataType::numeric(38, 0);
  create({{"n", wide}});
  append({{{wide, int128{1}}}});
  const int128 large = power_of_ten(37);
  append({{{wide, large}}, {{wide, -large}}});
  EXPECT_EQ(column(0), (std::vector<Value>{{wide, int128{1}}, {wide, large}, {wide, -large}}));
}

TEST_F(AppendTest, MemoryGoesBack) {
  create({{"n", kBigint}, {"u", kText}});
  for (std::int64_t i = 0; i < 200; ++i) append({{number(i), {kText, std::to_string(i)}}});
  table.reset();
  EXPECT_EQ(pool.used(), 0);
}

}  // namespace
}  // namespace saccade
