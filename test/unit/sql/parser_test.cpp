#include "sql/parser.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "common/error.hpp"

namespace saccade::test {
namespace {

std::string rewritten(const std::string& sql) {
  return rewrite_files(sql, scan_tokens(sql)).text();
}

std::string error(const std::string& sql) {
  try {
    parse(sql);
  } catch (const Error& error) {
    return error.sqlstate() + "@" + std::to_string(error.position()) + " " + error.what();
  }
  return "no error";
}

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(RewriteFiles, StringsWhereTablesAreExpected) {
  EXPECT_EQ("select * from read_file('a.parquet')", rewritten("select * from 'a.parquet'"));
  EXPECT_EQ("select 1 from t, read_file('b') x", rewritten("select 1 from t, 'b' x"));
  EXPECT_EQ("select 1 from read_file('a') join read_file('b') on x = 'c' cross join read_file('d')",
            rewritten("select 1 from 'a' join 'b' on x = 'c' cross join 'd'"));
  EXPECT_EQ("select 1 from (read_file('a') join (read_file('b') join u using (k)) using (k))",
            rewritten("select 1 from ('a' join ('b' join u using (k)) using (k))"));
  EXPECT_EQ("select 1 from /* a */ read_file('a') -- 'b'\n, read_file(E'c\\'d')",
            rewritten("select 1 from /* a */ 'a' -- 'b'\n, E'c\\'d'"));
  EXPECT_EQ("select 1 from read_file($$a$$)", rewritten("select 1 from $$a$$"));
  EXPECT_EQ("select 1 from (select 'x', 'y' from read_file('z') where a in ('p', 'q')) s, read_file('t')",
            rewritten("select 1 from (select 'x', 'y' from 'z' where a in ('p', 'q')) s, 't'"));
}

TEST(RewriteFiles, QuotedNamesWithAFilesEnding) {
  EXPECT_EQ("select * from read_file('a.parquet') t", rewritten("select * from \"a.parquet\" t"));
  EXPECT_EQ("select * from read_file('it''s \"x\".PARQUET')", rewritten("select * from \"it's \"\"x\"\".PARQUET\""));
  const std::string long_path = repeat("folder/", 30) + "a.parquet";
  EXPECT_EQ("select * from read_file('" + long_path + "')", rewritten("select * from \"" + long_path + "\""));
  for (const char* kept : {"select * from \"table\"", "select * from \"a.parquet\".t", "select \"a.parquet\" from t"}) {
    EXPECT_EQ(kept, rewritten(kept));
  }
}

TEST(RewriteFiles, LeavesOtherStringsAlone) {
  for (const char* kept :
       {"select extract(year from 'x'), substring('a' from 'b'), trim(both from 'x'), overlay('a' placing 'b' from 'c') from t",
        "select a is distinct from 'x', a is not distinct from 'y' from t", "copy t from 'x.parquet'",
        "delete from 'x.parquet'", "select 'a', 'b' from t where x = 'c' group by 'd', 'e' order by 'f', 'g'",
        "select f('a', 'b') from g('c', 'd')", "select 1 from t as x (a, b) join u on a in ('c', 'd')",
        "select interval '1' day, date '2020-01-01'"}) {
    EXPECT_EQ(kept, rewritten(kept));
  }
}

TEST(RewriteFiles, PositionsAreThoseOfTheUsersText) {
  EXPECT_EQ("42601@44 syntax error at or near \"where\"", error("select 1 from 'é.parquet', \"b.csv\" x where"
                                                                " where a"));
  const std::string sql = "select 1 from 'a', \"é.csv\" where zz";
  const SyntaxTree tree = parse(sql);
  const auto& where = tree.statement().at("SelectStmt").at("whereClause").at("ColumnRef");
  EXPECT_EQ(34, tree.position(where.at("location").get<int>()));
}

TEST(Parser, SyntaxErrorsHaveAState) {
  EXPECT_EQ("42601@1 syntax error at or near \"selec\"", error("selec 1"));
  EXPECT_EQ("42601@15 syntax error at or near \"from\"", error("select é from from"));
  EXPECT_EQ("42601@8 unterminated quoted string at or near \"'abc\"", error("select 'abc"));
  EXPECT_EQ("42601@8 unterminated /* comment at or near \"/* abc\"", error("select /* abc"));
  EXPECT_EQ("42601@8 zero-length delimited identifier at or near \"\"\"\"", error("select \"\""));
  EXPECT_EQ("42601@14 more than one statement where one is expected", error("select 'é';  select 2"));
}

TEST(Parser, EmptyStatements) {
  for (const char* sql : {"", ";", " -- nothing\n/* here */ ;;"}) EXPECT_TRUE(parse(sql).statement().is_null()) << sql;
}

TEST(Parser, ChecksUtf8) {
  EXPECT_EQ("22021@9 invalid byte sequence for encoding \"UTF8\": 0xff", error("select '\xff'"));
  EXPECT_EQ("22021@10 invalid byte sequence for encoding \"UTF8\": 0xc0", error("select 'é\xc0\x80'"));
  EXPECT_EQ("22021@9 invalid byte sequence for encoding \"UTF8\": 0xed", error("select '\xed\xa0\x80'"));
  EXPECT_EQ("22021@9 invalid byte sequence for encoding \"UTF8\": 0xf4", error("select '\xf4\x90\x80\x80'"));
  EXPECT_EQ("22021@9 invalid byte sequence for encoding \"UTF8\": 0xe2", error("select '\xe2\x82"));
  EXPECT_EQ("22021@9 invalid byte sequence for encoding \"UTF8\": 0x00", error(std::string("select 1\0", 9)));
  EXPECT_EQ("22021@0 invalid byte sequence for encoding \"UTF8\": 0xff", error("select E'a\\377'"));
  EXPECT_EQ("22021@0 invalid byte sequence for encoding \"UTF8\": 0x00", error("select E'\\000'"));
  EXPECT_EQ("no error", error("select '\xe2\x82\xac \xf0\x9f\x98\x80'"));
}

// libpg_query's JSON leaves out the value of integers below one.
TEST(Parser, IntegersOfEverySign) {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {
      {"0", 0},          {"-0", 0},    {"7", 7},           {"-7", -7},
      {"- 7", -7},       {"-(7)", -7}, {"-((-(-7)))", -7}, {"- /* 5 */ - - 3", -3},
      {"- -- 9\n 4", -4}};
  for (const auto& [text, value] : cases) {
    const SyntaxTree tree = parse("select 'é', " + text + " from 'f'");
    const auto& target = tree.statement().at("SelectStmt").at("targetList").at(1).at("ResTarget").at("val").at("A_Const");
    EXPECT_EQ(value, tree.integer(target)) << text;
  }
}

// PostgreSQL's scanner would take hours for a megabyte of them.
TEST(Parser, LongRunsOfOperatorsEndInAnError) {
  EXPECT_EQ("54001", error("select 1 " + repeat("+-", 500'000) + "1").substr(0, 5));
  const std::string run = repeat("+-", 5'000);
  EXPECT_EQ("no error", error("select '" + run + "', E'\\'" + run + "', \"" + run + "\" from t"));
  EXPECT_EQ("no error",
            error("select 1 /* /* " + run + " */ " + run + "*/ -- " + run + "\n, $a$" + run + "$a$, $$" + run + "$$"));
  EXPECT_EQ("54001", error("select $1 " + run + " 1").substr(0, 5));
}

TEST(Parser, DeepStatementsEndInAnError) {
  const auto state = [](const std::string& sql) { return error(sql).substr(0, 5); };
  for (const int depth : {2'500, 99'990}) {
    EXPECT_EQ("54001", state("select 1" + repeat("+1", depth))) << depth;
    EXPECT_EQ("54001", state("select " + repeat("(", depth) + "1" + repeat(")", depth))) << depth;
    EXPECT_EQ("54001", state("select " + repeat("(", depth))) << depth;
    EXPECT_EQ("54001", state("select " + repeat("not ", depth) + "true")) << depth;
    EXPECT_EQ("54001", state("select " + repeat("case when true then ", depth) + "1" + repeat(" end", depth))) << depth;
    EXPECT_EQ("54001", state("select 1 from t" + repeat(" cross join t", depth))) << depth;
    EXPECT_EQ("54001", state("select 1" + repeat("::integer", depth))) << depth;
    EXPECT_EQ("54001", state(repeat("select (", depth) + "1" + repeat(")", depth))) << depth;
  }
  EXPECT_EQ("54001", state("select " + repeat("- ", 3'000) + "a"));
  EXPECT_EQ("54001", state("select 1" + repeat(" union select 1", 99'990)));
  EXPECT_EQ("no error", error("select 1" + repeat(" union select 1", 2'500)));
  EXPECT_EQ("54001", state("select 1" + repeat("+1", 1'000'000)));
  EXPECT_EQ("no error", error("select 1" + repeat("+1", 900)));
  EXPECT_EQ("no error", error("select " + repeat("(", 900) + "1" + repeat(")", 900)));
  EXPECT_EQ("no error", error("select 1 in (1" + repeat(", 2", 200'000) + ")"));
  EXPECT_EQ("no error", error(repeat(";", 200'000)));
}

TEST(Parser, ThreadsParseSideBySide) {
  std::vector<std::thread> threads;
  std::vector<int> failures(8, 0);
  for (std::size_t i = 0; i < failures.size(); ++i) {
    threads.emplace_back([i, &failures] {
      for (int round = 0; round < 50; ++round) {
        const bool wrong = i % 2 == 1;
        const std::string outcome = error(wrong ? "select from where" : "select a, b from 'x' where a = 1");
        if (outcome != (wrong ? "42601@13 syntax error at or near \"where\"" : "no error")) ++failures[i];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::vector<int>(8, 0), failures);
}

}  // namespace
}  // namespace saccade::test
