// Tables of TPC-H in memory against the generated rows.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/error.hpp"
#include "storage/tpch/generate.hpp"
#include "storage/tpch/load.hpp"

namespace saccade::tpch {
namespace {

std::vector<ColumnSummary> alone(std::vector<ColumnSummary> own) {
  return own;
}

std::string text_of(const GeneratedColumn& column, std::size_t row) {
  if (column.content == Content::kTexts) return std::string(column.texts[row]);
  if (column.content == Content::kChoices) return std::string(column.choices[static_cast<std::size_t>(column.numbers[row])]);
  char text[kNumberedRoom];
  return {text, write_numbered(column.prefix, column.numbers[row], text)};
}

// Compares all rows of `ranks`, one rank after the other, with those generated at once.
void expect_rows(const Table& table, const LoadRequest& request, MemoryPool& pool) {
  const GeneratedRows expected =
      generate(request.table, request.scale, 0, unit_count(request.table, request.scale), request.columns);
  ASSERT_EQ(table.row_count(), expected.rows);
  std::vector<int> all(request.columns.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  std::size_t row = 0;
  for (int rank = 0; rank < request.ranks; ++rank) {
    for (std::int64_t chunk = 0; chunk < table.chunk_count(rank, request.ranks); ++chunk) {
      const std::vector<Column> columns = table.load(rank, request.ranks, chunk, all, pool);
      const std::int64_t rows = table.chunk_rows(rank, request.ranks, chunk);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        verify_column(columns[i]);
        for (std::int64_t at = 0; at < rows; ++at) {
          const GeneratedColumn& column = expected.columns[i];
          const std::size_t place = row + static_cast<std::size_t>(at);
          if (columns[i].type.kind == TypeKind::kText) {
            ASSERT_EQ(text_at(columns[i], at).view(), text_of(column, place));
          } else {
            ASSERT_EQ(int64_at(columns[i], at), column.numbers[place]);
          }
        }
      }
      row += static_cast<std::size_t>(rows);
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(row), expected.rows);
}

TEST(TpchLoad, HasTheGeneratedRows) {
  MemoryPool pool("test", 0);
  for (const TableSpec& spec : tables()) {
    const LoadRequest request{spec.id, Scale(0.01), all_columns(spec.id), 1, {0}, 2};
    const std::shared_ptr<Table> table = load(request, alone, pool);
    EXPECT_EQ(table->name(), spec.name);
    ASSERT_EQ(table->columns().size(), spec.columns.size());
    for (std::size_t i = 0; i < spec.columns.size(); ++i) {
      EXPECT_EQ(table->columns()[i].name, spec.columns[i].name);
      EXPECT_EQ(table->columns()[i].type, spec.columns[i].type);
      EXPECT_FALSE(table->columns()[i].statistics.may_be_null);
    }
    expect_rows(*table, request, pool);
  }
  EXPECT_EQ(pool.used(), 0);
}

TEST(TpchLoad, TakesOnlyTheColumnsAskedForInTheirOrder) {
  MemoryPool pool("test", 0);
  const LoadRequest request{TableId::kOrders, Scale(0.03), {8, 0, 3}, 1, {0}, 2};
  const std::shared_ptr<Table> table = load(request, alone, pool);
  ASSERT_EQ(table->columns().size(), 3U);
  EXPECT_EQ(table->columns()[0].name, "o_comment");
  EXPECT_TRUE(table->columns()[1].statistics.sorted);
  expect_rows(*table, request, pool);
}

TEST(TpchLoad, SpreadsRowsOverRanks) {
  MemoryPool pool("test", 0);
  const LoadRequest request{TableId::kOrders, Scale(0.1), {0, 2, 8}, 3, {0, 1, 2}, 2};
  const std::shared_ptr<Table> table = load(request, alone, pool);
  for (int rank = 0; rank < 3; ++rank) EXPECT_GT(table->chunk_count(rank, 3), 0);
  expect_rows(*table, request, pool);
}

TEST(TpchLoad, DictionariesOfAProcessHoldTheTextOfAll) {
  MemoryPool pool("test", 0);
  LoadRequest request{TableId::kOrders, Scale(0.1), {6}, 3, {1}, 2};
  const std::shared_ptr<Table> one = load(request, alone, pool);
  request.local_ranks = {0, 1, 2};
  const std::shared_ptr<Table> all = load(request, alone, pool);
  EXPECT_EQ(one->columns()[0].dictionary->identity(), all->columns()[0].dictionary->identity());
  EXPECT_EQ(one->chunk_rows(1, 3, 0), all->chunk_rows(1, 3, 0));
  EXPECT_EQ(one->chunk_count(0, 3), 0);
}

TEST(TpchLoad, TextIsPlainWhereMostOfItIsDistinct) {
  MemoryPool pool("test", 0);
  const LoadRequest request{TableId::kOrders, Scale(0.1), {8, 6}, 2, {0, 1}, 2};
  const std::shared_ptr<Table> table = load(request, alone, pool);
  EXPECT_EQ(to_string(table->columns()[0].encoding), "plain 4");
  EXPECT_EQ(to_string(table->columns()[1].encoding), "dictionary 2");
  table->demand_dictionary(0);
  EXPECT_EQ(table->columns()[0].encoding.form, Form::kDictionary);
  expect_rows(*table, request, pool);
}

TEST(TpchLoad, EndsAtTheMemoryLimit) {
  MemoryPool pool("test", 1 << 20);
  try {
    load({TableId::kLineitem, Scale(0.1), all_columns(TableId::kLineitem), 1, {0}, 2}, alone, pool);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
  }
  EXPECT_EQ(pool.used(), 0);
}

}  // namespace
}  // namespace saccade::tpch
