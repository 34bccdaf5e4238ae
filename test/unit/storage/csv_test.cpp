#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "catalog/file_call.hpp"
#include "storage/file_opener.hpp"
#include "unit/storage/parquet_files.hpp"

namespace saccade {
namespace {

// One CSV file in a folder of its own, read with options.
class CsvTest : public ParquetFiles {
 protected:
  std::string write(const std::string& text, const std::string& name = "t.csv") const {
    write_bytes((folder_ / name).string(), text);
    return (folder_ / name).string();
  }

  std::shared_ptr<Table> open(const std::string& text, std::vector<FileOption> options = {}) {
    const FileCall call{"read_csv", std::move(options)};
    return opener_->open(call.text(), write(text));
  }

  // "name type|..." and then a line a row: values between bars, <NULL> where there is none.
  std::string read(const std::string& text, std::vector<FileOption> options = {}) {
    return show(*open(text, std::move(options)));
  }

  std::string show(Table& table) {
    std::string result;
    for (const ColumnInfo& column : table.columns()) {
      result += fmt::format("{}{} {}", result.empty() ? "" : "|", column.name, to_string(column.type));
    }
    for (const auto& row : read_rows(table, pool_)) {
      result += '\n';
      for (std::size_t i = 0; i < row.size(); ++i) result += fmt::format("{}{}", i == 0 ? "" : "|", row[i].value_or("<NULL>"));
    }
    return result;
  }

  // "sqlstate message" of what reading all columns raises.
  std::string error_of(const std::string& text, std::vector<FileOption> options = {}) {
    try {
      return "no error: " + read(text, std::move(options));
    } catch (const Error& error) {
      const std::string folder = folder_.string() + "/";
      std::string message = error.what();
      const std::size_t at = message.find(folder);
      if (at != std::string::npos) message.erase(at, folder.size());
      return error.sqlstate() + " " + message;
    }
  }

  MemoryPool pool_{"pool", 0};
  std::unique_ptr<FileOpener> opener_ = make_file_opener(pool_, 2);
};

TEST_F(CsvTest, FindsOutTypes) {
  EXPECT_EQ(read("a,b,c\n1,x,true\n-2,,false\n"), "a integer|b text|c boolean\n1|x|t\n-2|<NULL>|f");
  EXPECT_EQ(read("a\n1\n3000000000\n"), "a bigint\n1\n3000000000");
  EXPECT_EQ(read("a\n1\n99999999999999999999\n"), "a numeric(38,0)\n1\n99999999999999999999");
  EXPECT_EQ(read("a,b\n2024-02-29,2024-02-29 10:00:00.5\n,2024-01-01\n"),
            "a date|b timestamp without time zone\n2024-02-29|2024-02-29 10:00:00.5\n<NULL>|2024-01-01 00:00:00");
  EXPECT_EQ(read("a\n2024-02-30\n"), "a text\n2024-02-30");                  // there is no such day
  EXPECT_EQ(read("a,n\n007,1\n010,2\n"), "a text|n integer\n007|1\n010|2");  // codes keep their zeros
  EXPECT_EQ(read("n,t\n1,t\n2,f\n"), "n integer|t boolean\n1|t\n2|f");
  EXPECT_EQ(read("n,t\n1,F\n2,O\n"), "n integer|t text\n1|F\n2|O");
}

TEST_F(CsvTest, DoublesAreReadExactly) {
  const std::shared_ptr<Table> table = open("x\n0.1\n1e300\n-2.5\n7\n");
  EXPECT_EQ(to_string(table->columns()[0].type), "double precision");
  table->prepare(std::array{0}, pool_);
  const Column column = table->load(0, 1, 0, std::array{0}, pool_).front();
  const auto* values = static_cast<const double*>(column.values);
  EXPECT_EQ(std::vector<double>(values, values + 4), (std::vector<double>{0.1, 1e300, -2.5, 7}));
}

TEST_F(CsvTest, FindsOutDelimitersQuotesAndHeaders) {
  EXPECT_EQ(read("a;b\n1;2,5\n"), "a integer|b text\n1|2,5");
  EXPECT_EQ(read("a\tb\n1\tx\n"), "a integer|b text\n1|x");
  EXPECT_EQ(read("a|b|c\n1|2|3\n"), "a integer|b integer|c integer\n1|2|3");
  EXPECT_EQ(read("a,b\n1,'x, y'\n2,'z'\n"), "a integer|b text\n1|x, y\n2|z");
  EXPECT_EQ(read("a,b\n1,it's\n2,x\n"), "a integer|b text\n1|it's\n2|x");
  EXPECT_EQ(read("a,b\n1,\"x \\\" y\"\n"), "a integer|b text\n1|x \" y");
  EXPECT_EQ(read("1,2\n3,4\n"), "column1 integer|column2 integer\n1|2\n3|4");
  EXPECT_EQ(read("x,y\n"), "x text|y text");
  EXPECT_EQ(read("1,y\n"), "column1 integer|column2 text\n1|y");
  EXPECT_EQ(read("name,town\nAnn,Rome\n"), "name text|town text\nAnn|Rome");
  EXPECT_EQ(read("yes,no\nno,no\n"), "column1 text|column2 text\nyes|no\nno|no");  // "no" comes up again
  EXPECT_EQ(read("a,a,\n1,2,3\n", {{"header", {"true"}}}), "a integer|a_1 integer|column3 integer\n1|2|3");
}

// As DuckDB has it, but for pandas' index of numbers.
TEST_F(CsvTest, AHeaderMayHoldBooleansAndEmptyNames) {
  EXPECT_EQ(read("name,t\nbob,x\nann,y\n"), "name text|t text\nbob|x\nann|y");
  EXPECT_EQ(read("name,t\nbob,1\nann,2\n"), "name text|t integer\nbob|1\nann|2");
  EXPECT_EQ(read("id,t\n1,true\n"), "id integer|t boolean\n1|t");
  EXPECT_EQ(read("name,t\nbob,true\n"), "column1 text|column2 boolean\nname|t\nbob|t");  // t may be a value
  EXPECT_EQ(read("t,f\n"), "column1 boolean|column2 boolean\nt|f");
  EXPECT_EQ(read(",a\n0,x\n1,y\n"), "column1 integer|a text\n0|x\n1|y");
  EXPECT_EQ(read(",a\n1,x\n2,y\n"), "column1 integer|column2 text\n<NULL>|a\n1|x\n2|y");  // a row with a null
  EXPECT_EQ(read("a,,c\n1,2,3\n"), "a integer|column2 integer|c integer\n1|2|3");
  EXPECT_EQ(read("a,,c\nx,,z\n"), "a text|column2 text|c text\nx|<NULL>|z");
  EXPECT_EQ(read("a,b,\n1,2,\n3,4,\n"), "a integer|b integer|column3 text\n1|2|<NULL>\n3|4|<NULL>");
  EXPECT_EQ(read("x,,1\ny,z,2\n"), "column1 text|column2 text|column3 integer\nx|<NULL>|1\ny|z|2");
  EXPECT_EQ(read("a,,c\n"), "column1 text|column2 text|column3 text\na|<NULL>|c");
  EXPECT_EQ(read(",\n1,2\n"), "column1 integer|column2 integer\n<NULL>|<NULL>\n1|2");
}

TEST_F(CsvTest, FindsOutTheHeaderAboveColumnsThatAreGiven) {
  const auto given = [&](const std::string& columns, const std::string& text, std::vector<FileOption> more = {}) {
    more.push_back({"columns", {columns}});
    return read(text, more);
  };
  EXPECT_EQ(given("p int, q text", "id,name\n1,x\n"), "p integer|q text\n1|x");
  EXPECT_EQ(given("p int, q text", "1,x\n"), "p integer|q text\n1|x");
  EXPECT_EQ(given("p text, q text", "id,name\n1,x\n"), "p text|q text\n1|x");
  EXPECT_EQ(given("p text, q text", "one,two\na,b\n"), "p text|q text\na|b");
  EXPECT_EQ(given("p text, q text", "1,x\n2,y\n"), "p text|q text\n1|x\n2|y");
  EXPECT_EQ(given("a text, b text", "a,b\na,c\n"), "a text|b text\na|c");  // its names
  EXPECT_EQ(given("n int, y boolean, b bytea", "x,y,z\n1,true,a\n"), "n integer|y boolean|b bytea\n1|t|61");
  EXPECT_EQ(given("i interval, t time", "1 day,10:00\n2 days,11:00\n"),
            "i interval|t time without time zone\n1 day|36000000000\n2 days|39600000000");
  EXPECT_EQ(given("p text, q text", "p,q\na,b\n", {{"header", {"names"}}}), "p text|q text\na|b");
  EXPECT_EQ(given("p text, q text", "one,two\na,b\n", {{"header", {"names"}}}), "p text|q text\none|two\na|b");
  EXPECT_EQ(error_of("a\n", {{"header", {"names"}}}), "22023 read_csv's header => 'names' needs the names in columns");
}

TEST_F(CsvTest, FollowsRfc4180) {
  EXPECT_EQ(read("a,b\r\n1,x\r\n2,y"), "a integer|b text\n1|x\n2|y");
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a,b\n1,x\n"),
            "a integer|b text\n1|x");
  EXPECT_EQ(read("a,b\n1,\"two\nlines, and \"\"quotes\"\"\"\n2,\"\"\n3,\n"),
            "a integer|b text\n1|two\nlines, and \"quotes\"\n2|\n3|<NULL>");
  EXPECT_EQ(read("a,b\n\n1,x\n\r\n2,y\n\n"), "a integer|b text\n1|x\n2|y");  // blank lines are no rows
  EXPECT_EQ(read("a\n1\n\n3\n"), "a integer\n1\n<NULL>\n3");                 // but in one column they are
  EXPECT_EQ(read("a,b\n1,Z\xc3\xbcrich\n"), "a integer|b text\n1|Zürich");
}

TEST_F(CsvTest, TakesOptions) {
  EXPECT_EQ(read("# title\nx:y\n1:2\n", {{"delim", {":"}}, {"skip", {"1"}}}), "x integer|y integer\n1|2");
  EXPECT_EQ(read("1,2\n", {{"names", {"id"}}, {"types", {"bigint", "numeric(5,2)"}}}),
            "id bigint|column2 numeric(5,2)\n1|2.00");
  EXPECT_EQ(read("a,b\n1,2.345\n", {{"column_types", {"b numeric(5, 2), a text"}}}), "a text|b numeric(5,2)\n1|2.35");
  EXPECT_EQ(read("1,x\n", {{"columns", {"id bigint, \"the name\" varchar(3)"}}}),
            "id bigint|the name character varying(3)\n1|x");
  EXPECT_EQ(read("a,b\n1,NA\n-,x\n", {{"nullstr", {"NA", "-"}}}), "a integer|b text\n1|<NULL>\n<NULL>|x");
  EXPECT_EQ(read("a,b\n1,2\n", {{"all_varchar", {"true"}}, {"header", {"true"}}}), "a text|b text\n1|2");
  EXPECT_EQ(read("a,b\n5\",x\n", {{"quote", {""}}}), "a text|b text\n5\"|x");
  EXPECT_EQ(read("Unit price,2nd\n1,2\n", {{"normalize_names", {"true"}}}), "unit_price integer|_2nd integer\n1|2");
  EXPECT_EQ(read("a\n1\n", {{"header", {"false"}}}), "column1 text\na\n1");
  std::string late = "a\n";
  for (int i = 0; i < 30000; ++i) late += "1\n";
  EXPECT_EQ(open(late + "1.5\n", {{"sample_size", {"-1"}}})->columns()[0].type.kind, TypeKind::kDouble);
  EXPECT_EQ(open(late + "1.5\n")->columns()[0].type.kind, TypeKind::kInteger);
}

TEST_F(CsvTest, ReadsTypesThatAreGiven) {
  const auto typed = [&](const std::string& type, const std::string& text) {
    return read(text + "\n", {{"types", {type}}, {"header", {"false"}}});
  };
  EXPECT_EQ(typed("numeric(4,1)", "-0.05\n1e1\n+99.94\n .5 "), "column1 numeric(4,1)\n-0.1\n10.0\n99.9\n0.5");
  EXPECT_EQ(typed("boolean", "yes\n0\nT"), "column1 boolean\nt\nf\nt");
  EXPECT_EQ(typed("smallint", " 7 \n-32768"), "column1 smallint\n7\n-32768");
  EXPECT_EQ(typed("date", "2024-02-29\n20240131"), "column1 date\n2024-02-29\n2024-01-31");
  EXPECT_EQ(typed("char(3)", "ab \nabc  "), "column1 character(3)\nab \nabc");
}

TEST_F(CsvTest, SaysWhereARowIsWrong) {
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"),
            "22P04 file \"t.csv\", line 3: missing data for column \"b\": the row has 1 of 2 fields");
  EXPECT_EQ(error_of("a,b\n1,2\n\"x\ny\",4,5\n"),
            "22P04 file \"t.csv\", line 3: extra data after last expected column: the row has 3 fields, not 2");
  EXPECT_EQ(error_of("a,b\n1,\"x\n2,y\n"), "22P04 file \"t.csv\", line 2: a quoted field is not closed");
  EXPECT_EQ(error_of("a,b\n1,x\"y\"\n"), "22P04 file \"t.csv\", line 2: a quote within a field that does not begin with one");
  EXPECT_EQ(error_of("a,b\n1,\"x\"y\n"), "22P04 file \"t.csv\", line 2: characters behind a closing quote");
  EXPECT_EQ(error_of("a,b\n1,x\ry\n"), "22P04 file \"t.csv\", line 2: an unquoted carriage return");
  EXPECT_EQ(error_of("a,b\n1,\xff\n"),
            "22021 file \"t.csv\", line 2: column \"b\": invalid byte sequence for encoding \"UTF8\"");
  EXPECT_EQ(error_of(std::string("a,b\n1,x\0y\n", 10)), "22021 file \"t.csv\", line 2: a zero byte");
  EXPECT_EQ(error_of(std::string("a,b\n1,\"x\0y\"\n", 12)),
            "22021 file \"t.csv\", line 2: column \"b\": invalid byte sequence for encoding \"UTF8\"");
  EXPECT_EQ(error_of(""), "22P04 file \"t.csv\" has no rows: its columns are not known");
  EXPECT_EQ(error_of("\n\n"), "22P04 file \"t.csv\" has no rows: its columns are not known");
  EXPECT_EQ(error_of("\xff\xfe"
                     "a"),
            "22021 file \"t.csv\" is in UTF-16");
  EXPECT_EQ(error_of("1,2\n", {{"types", {"date"}}}),
            "22007 file \"t.csv\", line 1: column \"column1\": invalid input syntax for type date: \"1\"");
  EXPECT_EQ(error_of("99999\n", {{"types", {"smallint"}}}),
            "22003 file \"t.csv\", line 1: column \"column1\": value \"99999\" is out of range for type smallint");
  EXPECT_EQ(error_of("12.34\n", {{"types", {"numeric(3,2)"}}}),
            "22003 file \"t.csv\", line 1: column \"column1\": value \"12.34\" is out of range for type numeric(3,2)");
  EXPECT_EQ(error_of("abcd\n", {{"types", {"varchar(3)"}}, {"header", {"false"}}}),
            "22001 file \"t.csv\", line 1: column \"column1\": value too long for type character varying(3)");
}

TEST_F(CsvTest, SaysWhereALaterRowContradictsTheFirstOnes) {
  std::string text = "a,b\n";
  for (int i = 0; i < 30000; ++i) text += "1,2\n";
  try {
    read(text + "1,x\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "22P02");
    EXPECT_NE(std::string(error.what()).find("line 30002: column \"b\": invalid input syntax for type integer: \"x\""),
              std::string::npos)
        << error.what();
    EXPECT_NE(error.hint().find("sample_size"), std::string::npos);
  }
}

TEST_F(CsvTest, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(error_of("a\n", {{"colour", {"red"}}}), "42883 read_csv has no option \"colour\"");
  EXPECT_EQ(error_of("a\n", {{"delim", {",,"}}}), "22023 invalid value for option \"delim\" of read_csv");
  EXPECT_EQ(error_of("a\n", {{"delim", {"\n"}}}), "22023 invalid value for option \"delim\" of read_csv");
  EXPECT_EQ(error_of("a\n", {{"skip", {"-1"}}}), "22023 invalid value for option \"skip\" of read_csv");
  EXPECT_EQ(error_of("a\n", {{"header", {"maybe"}}}), "22023 invalid value for option \"header\" of read_csv");
  EXPECT_EQ(error_of("a\n", {{"delim", {"\""}}, {"quote", {"\""}}}), "22023 read_csv's delimiter and quote must be different");
  EXPECT_EQ(error_of("a\n", {{"types", {"colour"}}}), "42704 type \"colour\" does not exist");
  EXPECT_EQ(error_of("1\n", {{"types", {"date", "date"}}}),
            "22023 file \"t.csv\" has 1 columns, fewer than names or types are given");
  EXPECT_EQ(error_of("a\n1\n", {{"column_types", {"x date"}}}),
            "42703 file \"t.csv\" has no column \"x\", whose type is given");
}

TEST_F(CsvTest, ReadsManyBlocksOnManyThreads) {
  std::string text = "id,text\n";
  std::int64_t sum = 0;
  for (int i = 0; text.size() < 9'500'000; ++i) {
    text += fmt::format("{},\"row {}\nof \"\"many\"\"\"\r\n", i, i % 7);
    sum += i;
  }
  const std::shared_ptr<Table> table = open(text);
  std::int64_t seen = 0, next = 0;
  table->prepare(std::array{0, 1}, pool_);
  for (int rank = 0; rank < 1; ++rank) {
    for (std::int64_t chunk = 0; chunk < table->chunk_count(0, 1); ++chunk) {
      const std::vector<Column> columns = table->load(0, 1, chunk, std::array{0, 1}, pool_);
      for (std::int64_t row = 0; row < columns[0].length; ++row, ++next) {
        ASSERT_EQ(int64_at(columns[0], row), next);
        seen += int64_at(columns[0], row);
        if (next % 1000 == 0) {
          ASSERT_EQ(to_string(value_at(columns[1], row)), fmt::format("row {}\nof \"many\"", next % 7));
        }
      }
    }
  }
  EXPECT_EQ(seen, sum);
  EXPECT_EQ(next, table->row_count());
  const Rows two = read_rows(*table, pool_, 2), one = read_rows(*table, pool_);
  EXPECT_EQ(two, one);
}

TEST_F(CsvTest, AVeryLongField) {
  const std::string big(12'000'000, 'x');
  const std::shared_ptr<Table> table = open("a,b\n1,\"" + big + "\"\n2,y\n");
  table->prepare(std::array{1}, pool_);
  const Column column = table->load(0, 1, 0, std::array{1}, pool_).front();
  EXPECT_EQ(to_string(value_at(column, 0)), big);
  EXPECT_EQ(to_string(value_at(column, 1)), "y");
}

TEST_F(CsvTest, ReadsSeveralFilesAsOne) {
  write("a,b\n1,x\n", "p1.csv");
  write("a,b\n2,y\n3,z\n", "p2.csv");
  write("", "p3.csv");
  const std::string pattern = (folder_ / "p*.csv").string();
  EXPECT_EQ(show(*opener_->open("read_csv", pattern)), "a integer|b text\n1|x\n2|y\n3|z");
  write("a,c\n4,u\n", "p4.csv");
  try {
    opener_->open("read_csv", pattern);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "42804") << error.what();
  }
}

TEST_F(CsvTest, ReadsAFileAnewOnceItHasChanged) {
  EXPECT_EQ(read("a\n1\n"), "a integer\n1");
  EXPECT_EQ(read("a\nx1\nx2\n"), "a text\nx1\nx2");
}

TEST_F(CsvTest, CountsItsMemory) {
  MemoryPool small("small", 100'000);
  const std::unique_ptr<FileOpener> opener = make_file_opener(small, 1);
  std::string text = "a\n";
  for (int i = 0; i < 30000; ++i) text += "100000\n";
  try {
    opener->open("read_csv", write(text))->prepare(std::array{0}, small);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
  }
  EXPECT_EQ(small.used(), 0);
}

TEST_F(CsvTest, ACancelledStatementStopsReading) {
  std::string text = "a\n";
  for (int i = 0; i < 30000; ++i) text += "100000\n";
  const std::shared_ptr<Table> table = open(text);
  Cancellation cancellation;
  MemoryPool statement("statement", 0, &pool_);
  statement.observe(&cancellation);
  cancellation.cancel();
  try {
    table->prepare(std::array{0}, statement);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "57014");
  }
  table->prepare(std::array{0}, pool_);  // another statement reads it
  EXPECT_EQ(table->load(0, 1, 0, std::array{0}, pool_).front().length, 30000);
}

}  // namespace
}  // namespace saccade
