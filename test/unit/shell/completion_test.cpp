#include "interfaces/shell/completion.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/from_clause.hpp"
#include "unit/shell/fake_session.hpp"

namespace saccade::shell {
namespace {

using Names = std::vector<std::string>;

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    answer("SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY table_schema, table_name",
           {"table_schema", "table_name", "table_type"},
           {{"public", "orders", "BASE TABLE"}, {"public", "Odd Name", "VIEW"}, {"public", "lineitem", "BASE TABLE"}});
    answer("SELECT DISTINCT column_name FROM information_schema.columns", {"column_name"}, {{"o_orderkey"}, {"l_orderkey"}});
    answer("SELECT * FROM orders LIMIT 0", {"o_orderkey", "o_orderdate"}, {});
    answer("SELECT * FROM lineitem LIMIT 0", {"l_orderkey", "Odd Column"}, {});
    answer("SELECT * FROM 'a.parquet' LIMIT 0", {"file_column"}, {});
    answer("SHOW ALL", {"name", "setting"}, {{"threads", "2"}, {"memory_limit", "1GB"}});
    for (const char* broken : {"SELECT * FROM nope LIMIT 0", "SELECT * FROM o LIMIT 0"}) {
      session.answer(broken, []() -> std::unique_ptr<QueryResult> { throw QueryError("42P01", "no", 0, ""); });
    }
  }

  void answer(const std::string& sql, const Names& columns, std::vector<std::vector<FakeResult::Cell>> cells) {
    std::vector<ResultField> fields;
    for (const std::string& column : columns) fields.push_back({column, "text"});
    session.answer(sql, [fields, cells] { return std::make_unique<FakeResult>(fields, cells); });
  }

  // What stands in the line after Tab where there is one candidate; else all of them.
  Names after_tab(const std::string& before, const std::string& after = "") {
    const Completion completion = complete(session, before, after);
    EXPECT_LE(completion.length, before.size());
    if (completion.candidates.size() != 1) return completion.candidates;
    return {before.substr(0, before.size() - completion.length) + completion.candidates[0] + completion.after};
  }

  FakeSession session;
};

TEST_F(CompletionTest, KeywordsFollowTheCaseOfWhatWasTyped) {
  EXPECT_EQ(after_tab("sel"), (Names{"select "}));
  EXPECT_EQ(after_tab("SEL"), (Names{"SELECT "}));
  EXPECT_EQ(after_tab("select 1; EXPL"), (Names{"select 1; EXPLAIN "}));
  EXPECT_EQ(after_tab("SELECT 1 FROM lineitem ORD"), (Names{"SELECT 1 FROM lineitem ORDER BY "}));
  EXPECT_EQ(after_tab("SELECT date_tr"), (Names{"SELECT date_trunc( "}));
  EXPECT_EQ(after_tab("xyz"), Names{});
}

TEST_F(CompletionTest, TablesStandAfterFromAndItsCommas) {
  const Names all{"\"Odd Name\"", "information_schema.", "lineitem", "orders", "public."};
  EXPECT_EQ(after_tab("SELECT * FROM "), all);
  EXPECT_EQ(after_tab("SELECT * FROM orders o JOIN "), all);
  EXPECT_EQ(after_tab("SELECT * FROM orders o, "), all);
  EXPECT_EQ(after_tab("DROP TABLE ORD"), (Names{"DROP TABLE orders "}));
  EXPECT_EQ(after_tab("SELECT * FROM odd"), (Names{"SELECT * FROM \"Odd Name\" "}));
  EXPECT_EQ(after_tab("SELECT * FROM \"Od"), (Names{"SELECT * FROM \"Odd Name\" "}));
  EXPECT_EQ(after_tab("SELECT * FROM \"od"), Names{});
  EXPECT_EQ(after_tab("SELECT * FROM information_schema.t"), (Names{"SELECT * FROM information_schema.tables "}));
}

TEST_F(CompletionTest, ColumnsAreThoseOfTheTablesNamed) {
  EXPECT_EQ(after_tab("SELECT * FROM orders WHERE o_orderd"), (Names{"SELECT * FROM orders WHERE o_orderdate "}));
  EXPECT_EQ(after_tab("SELECT l_o", " FROM lineitem"), (Names{"SELECT l_orderkey "}));
  EXPECT_EQ(after_tab("SELECT o_", " FROM lineitem"), Names{});
  EXPECT_EQ(after_tab("SELECT l_o"), (Names{"SELECT l_orderkey "}));  // no table is named: those of all
  EXPECT_EQ(after_tab("SELECT x.", " FROM orders AS x, lineitem"), (Names{"o_orderdate", "o_orderkey"}));
  EXPECT_EQ(after_tab("SELECT odd", " FROM lineitem"), (Names{"SELECT \"Odd Column\" "}));
  EXPECT_EQ(after_tab("SELECT * FROM orders JOIN lineitem ON l_o"),
            (Names{"SELECT * FROM orders JOIN lineitem ON l_orderkey "}));
  EXPECT_EQ(after_tab("SELECT f.", " FROM 'a.parquet' f"), (Names{"SELECT f.file_column "}));
  EXPECT_EQ(after_tab("SELECT f", " FROM nope"),
            (Names{"false", "fetch first", "filter", "first", "first_value(", "floor(", "following", "from", "full"}));
}

TEST_F(CompletionTest, SettingsStandAfterSetAndShow) {
  EXPECT_EQ(after_tab("SET "), (Names{"memory_limit", "threads"}));
  EXPECT_EQ(after_tab("show thr"), (Names{"show threads "}));
}

TEST_F(CompletionTest, CommandsAndWhatTheyTake) {
  EXPECT_EQ(after_tab("\\tim"), (Names{"\\timing "}));
  EXPECT_EQ(after_tab("\\timing o"), (Names{"off", "on"}));
  EXPECT_EQ(after_tab("\\x a"), (Names{"\\x auto "}));
  EXPECT_EQ(after_tab("\\format js"), (Names{"json", "jsonl"}));
  EXPECT_EQ(after_tab("\\pset nu"), (Names{"\\pset null "}));
  EXPECT_EQ(after_tab("\\d ord"), (Names{"\\d orders "}));
  EXPECT_EQ(after_tab("\\d \"Od"), (Names{"\\d \"Odd Name\" "}));
  EXPECT_EQ(after_tab("\\nonsense x"), Names{});
  EXPECT_EQ(after_tab("\\q x"), Names{});
}

TEST_F(CompletionTest, FilesStandInQuotesWhereATableMay) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("saccade_completion_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "sub");
  for (const char* name : {"orders.parquet", "it's.csv", ".hidden", "my notes.sql"}) std::ofstream(folder / name) << "x";
  const std::string in = folder.string() + "/";
  EXPECT_EQ(after_tab("SELECT * FROM '" + in + "ord"), (Names{"SELECT * FROM '" + in + "orders.parquet'"}));
  EXPECT_EQ(after_tab("SELECT * FROM read_csv('" + in + "it''"), (Names{"SELECT * FROM read_csv('" + in + "it''s.csv'"}));
  EXPECT_EQ(after_tab("COPY t TO '" + in), (Names{in + "it''s.csv", in + "my notes.sql", in + "orders.parquet", in + "sub/"}));
  EXPECT_EQ(after_tab("SELECT * FROM t WHERE x = '" + in), Names{});
  EXPECT_EQ(after_tab("\\i " + in + "my"), (Names{"\\i '" + in + "my notes.sql' "}));
  EXPECT_EQ(after_tab("\\i '" + in + "my"), (Names{"\\i '" + in + "my notes.sql'"}));
  EXPECT_EQ(after_tab("SELECT * FROM '" + in + "none/"), Names{});
  std::filesystem::remove_all(folder);
}

TEST_F(CompletionTest, AFailureOfTheDatabaseLeavesNamesOut) {
  session.answer("SHOW ALL", []() -> std::unique_ptr<QueryResult> { throw QueryError("57014", "cancelled", 0, ""); });
  EXPECT_EQ(after_tab("SET thr"), Names{});
}

TEST(CommonPrefixTest, EndsAtWholeCharacters) {
  use_utf8();
  EXPECT_EQ(common_prefix({"orders", "ordinal"}), "ord");
  EXPECT_EQ(common_prefix({"größe", "grölle"}), "grö");
  EXPECT_EQ(common_prefix({"gr\u00f6", "gr\u00f8"}), "gr");
  EXPECT_EQ(common_prefix({"a", "b"}), "");
  EXPECT_EQ(common_prefix({}), "");
}

std::string items(const std::string& sql) {
  std::string text;
  for (const FromItem& item : from_items(sql_tokens(sql))) text += item.sql + ":" + item.alias + " ";
  return text;
}

TEST(FromItemsTest, AreGuessedFromTheWords) {
  EXPECT_EQ(items("SELECT a, b FROM orders o, public.lineitem AS \"L\" JOIN x ON a = b WHERE c IN (1, 2)"),
            "orders:o public.lineitem:L x:x ");
  EXPECT_EQ(items("SELECT * FROM 'a''b.parquet' f LEFT JOIN \"Odd Name\" USING (a)"),
            "'a''b.parquet':f \"Odd Name\":Odd Name ");
  EXPECT_EQ(items("SELECT f(a, b) FROM (SELECT * FROM t) AS s, u"), "t:t u:u ");
  EXPECT_EQ(items("SELECT * FROM read_csv('x.csv') WHERE -- FROM t\n a = 'FROM u'"), "");
  EXPECT_EQ(items("UPDATE t SET a = 1"), "t:t ");
  EXPECT_EQ(items("SELECT * FROM"), "");
}

}  // namespace
}  // namespace saccade::shell
