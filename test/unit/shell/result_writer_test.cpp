#include "interfaces/shell/result_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "interfaces/shell/display_width.hpp"
#include "unit/shell/fake_session.hpp"

namespace saccade::shell {
namespace {

std::string written(const TextRows& rows, const PrintOptions& options, std::string_view title = "") {
  use_utf8();
  Capture capture;
  Output output(fileno(capture.file()));
  write_rows(rows, options, output, title);
  output.flush();
  return capture.text();
}

std::string written(const TextRows& rows, Format format) {
  PrintOptions options;
  options.format = format;
  return written(rows, options);
}

TextRows sample() {
  return TextRows({{"id", "integer"}, {"name", "text"}, {"price", "numeric(15,2)"}, {"ok", "boolean"}, {"day", "date"}},
                  {{"1", "apple", "12.50", "t", "1998-12-01"}, {"-20", std::nullopt, std::nullopt, "f", std::nullopt}});
}

TEST(Table, AlignsNumbersRightAndTextLeft) {
  EXPECT_EQ(written(sample(), Format::kTable),
            " id  | name  | price | ok |    day     \n"
            "-----+-------+-------+----+------------\n"
            "   1 | apple | 12.50 | t  | 1998-12-01\n"
            " -20 |       |       | f  | \n"
            "(2 rows)\n\n");
}

TEST(Table, CountsOneRowAndNone) {
  EXPECT_EQ(written(TextRows({{"a", "bigint"}}, {{"7"}}), Format::kTable), " a \n---\n 7\n(1 row)\n\n");
  EXPECT_EQ(written(TextRows({{"a", "bigint"}}, {}), Format::kTable), " a \n---\n(0 rows)\n\n");
}

TEST(Table, MeasuresCharactersAsTheyAreShown) {
  EXPECT_EQ(written(TextRows({{"größe", "text"}, {"n", "integer"}}, {{"日本", "1"}, {"e\u0301", "2"}, {"abcdef", "3"}}),
                    Format::kTable),
            " größe  | n \n"
            "--------+---\n"
            " 日本   | 1\n"
            " e\u0301      | 2\n"
            " abcdef | 3\n"
            "(3 rows)\n\n");
}

TEST(Table, ContinuesValuesOfSeveralLinesAndEscapesControlCharacters) {
  EXPECT_EQ(
      written(TextRows({{"t", "text"}, {"u", "text"}}, {{"a\nlong", "x"}, {"b", "1\n2"}, {"c\r\x01", "a\tb"}}), Format::kTable),
      "    t    |     u     \n"
      "---------+-----------\n"
      " a      +| x\n"
      " long    | \n"
      " b       | 1        +\n"
      "         | 2\n"
      " c\\r\\x01 | a       b\n"
      "(3 rows)\n\n");
}

TEST(Table, EscapesWhatATerminalMustNotSee) {
  EXPECT_EQ(written(TextRows({{"t", "text"}}, {{"\x1b[31mred"}, {"\xc2\x85"}, {"\xff!"}, {"\x7f"}}), Format::kTable),
            "      t      \n-------------\n \\x1B[31mred\n \\u0085\n \\xFF!\n \\x7F\n(4 rows)\n\n");
}

TEST(Table, ShowsRowsOnlyAndATextForNull) {
  PrintOptions options;
  options.null_text = "(null)";
  const TextRows rows({{"a_long_name", "integer"}, {"b", "text"}}, {{"1", std::nullopt}, {std::nullopt, ""}});
  EXPECT_EQ(written(rows, options),
            " a_long_name |   b    \n-------------+--------\n           1 | (null)\n      (null) | \n(2 rows)\n\n");
  options.tuples_only = true;
  EXPECT_EQ(written(rows, options), "      1 | (null)\n (null) | \n\n");
}

TEST(Table, CentresATitleAndMayLeaveTheCountOut) {
  PrintOptions options;
  options.footer = false;
  EXPECT_EQ(written(TextRows({{"a", "text"}, {"b", "text"}}, {{"1234", "5678"}}), options, "Title"),
            "    Title\n  a   |  b   \n------+------\n 1234 | 5678\n\n");
}

// What psql 15 shows.
TEST(Expanded, PutsARowBelowTheOther) {
  PrintOptions options;
  options.expanded = Expanded::kOn;
  EXPECT_EQ(
      written(TextRows({{"a", "integer"}, {"bcd", "text"}}, {{"1", "foooooooooooooooooooo"}, {"2", std::nullopt}}), options),
      "-[ RECORD 1 ]--------------\na   | 1\nbcd | foooooooooooooooooooo\n"
      "-[ RECORD 2 ]--------------\na   | 2\nbcd | \n\n");
  EXPECT_EQ(
      written(TextRows({{"a", "text"}, {"two\nlines", "integer"}, {"n", "text"}}, {{"l1\nlonger2\n3", "1", std::nullopt}}),
              options),
      "-[ RECORD 1 ]--\na     | l1     +\n      | longer2+\n      | 3\ntwo  +| 1\nlines |\nn     | \n\n");
  EXPECT_EQ(written(TextRows({{"aaaaaaaaaaaaaa", "integer"}, {"b", "text"}}, {{"1", "2"}}), options),
            "-[ RECORD 1 ]--+--\naaaaaaaaaaaaaa | 1\nb              | 2\n\n");
  EXPECT_EQ(written(TextRows({{"aaaaaaaaaaaa", "integer"}, {"b", "text"}}, {{"1", "2"}}), options),
            "-[ RECORD 1 ]+--\naaaaaaaaaaaa | 1\nb            | 2\n\n");
  EXPECT_EQ(written(TextRows({{"a", "integer"}}, {}), options), "(0 rows)\n\n");
  options.tuples_only = true;
  EXPECT_EQ(written(TextRows({{"a", "integer"}, {"b", "integer"}}, {{"1", "2"}, {"3", "4"}}), options),
            "a | 1\nb | 2\n--+--\na | 3\nb | 4\n\n");
}

TEST(Expanded, ComesByItselfWhereTheTerminalIsTooNarrow) {
  PrintOptions options;
  options.expanded = Expanded::kAuto;
  const TextRows rows({{"a", "text"}, {"b", "text"}}, {{"1234", "5678"}});
  const std::string table = "  a   |  b   \n------+------\n 1234 | 5678\n(1 row)\n\n";
  EXPECT_EQ(written(rows, options), table);
  options.terminal_columns = 13;
  EXPECT_EQ(written(rows, options), table);
  options.terminal_columns = 12;
  EXPECT_EQ(written(rows, options), "-[ RECORD 1 ]\na | 1234\nb | 5678\n\n");
}

TEST(Csv, LeavesNullEmptyAndQuotesWhatNeedsIt) {
  EXPECT_EQ(written(sample(), Format::kCsv), "id,name,price,ok,day\n1,apple,12.50,t,1998-12-01\n-20,,,f,\n");
  EXPECT_EQ(written(TextRows({{"a,b", "text"}, {"c", "text"}},
                             {{"", "x\"y"}, {"line\nbreak", "cr\r"}, {"plain text", " "}, {std::nullopt, std::nullopt}}),
                    Format::kCsv),
            "\"a,b\",c\n\"\",\"x\"\"y\"\n\"line\nbreak\",\"cr\r\"\nplain text, \n,\n");
  EXPECT_EQ(written(TextRows({{"a", "text"}}, {{"\\."}, {std::nullopt}}), Format::kCsv), "a\n\"\\.\"\n\n");
  PrintOptions options;
  options.format = Format::kCsv;
  options.null_text = "N,A";
  options.tuples_only = true;
  EXPECT_EQ(written(TextRows({{"a", "text"}, {"b", "text"}}, {{std::nullopt, ""}}), options), "\"N,A\",\"\"\n");
}

TEST(Json, IsAnArrayOfObjects) {
  EXPECT_EQ(written(sample(), Format::kJson),
            "[{\"id\":1,\"name\":\"apple\",\"price\":12.50,\"ok\":true,\"day\":\"1998-12-01\"},\n"
            "{\"id\":-20,\"name\":null,\"price\":null,\"ok\":false,\"day\":null}]\n");
  EXPECT_EQ(written(TextRows({{"a", "bigint"}}, {}), Format::kJson), "[]\n");
}

TEST(Json, KeepsDigitsAndTurnsWhatIsNoNumberIntoStrings) {
  const std::string text =
      written(TextRows({{"wide", "numeric(38,10)"}, {"d", "double precision"}, {"t", "text"}},
                       {{"1234567890123456789012345678.0123456789", "1e+20", "quote \" slash \\ \n \x01 ü"},
                        {"NaN", "Infinity", "1"},
                        {"0.0000000001", "-0", "true"}}),
              Format::kJson);
  EXPECT_NE(text.find("\"wide\":1234567890123456789012345678.0123456789,\"d\":1e+20"), std::string::npos) << text;
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed[0]["t"], "quote \" slash \\ \n \x01 ü");
  EXPECT_EQ(parsed[1]["wide"], "NaN");
  EXPECT_EQ(parsed[1]["d"], "Infinity");
  EXPECT_EQ(parsed[1]["t"], "1");
  EXPECT_TRUE(parsed[2]["d"].is_number());
  EXPECT_EQ(parsed[2]["t"], "true");
}

TEST(Json, TextThatIsNoUtf8IsAnError) {
  EXPECT_THROW(written(TextRows({{"t", "text"}}, {{"\xff"}}), Format::kJson), QueryError);
}

TEST(JsonLines, IsAnObjectALine) {
  EXPECT_EQ(written(TextRows({{"id", "bigint"}, {"a \"b\"", "text"}}, {{"1", "x\ny"}, {std::nullopt, "\t\r\x02\x7f\u2028"}}),
                    Format::kJsonLines),
            "{\"id\":1,\"a \\\"b\\\"\":\"x\\ny\"}\n{\"id\":null,\"a \\\"b\\\"\":\"\\t\\r\\u0002\x7f\u2028\"}\n");
  EXPECT_EQ(written(TextRows({{"a", "bigint"}}, {}), Format::kJsonLines), "");
}

TEST(Markdown, EscapesItsOwnMarkup) {
  EXPECT_EQ(written(TextRows({{"l_orderkey", "integer"}, {"a|b", "text"}},
                             {{"1", "*x* `y` <b> [z] \\ ~"}, {"-2", "_a_b_"}, {std::nullopt, "two\nlines\tand\x1b"}}),
                    Format::kMarkdown),
            "| l_orderkey | a\\|b |\n|---:|---|\n"
            "| 1 | \\*x\\* \\`y\\` \\<b\\> \\[z\\] \\\\ \\~ |\n"
            "| -2 | \\_a_b\\_ |\n"
            "|  | two<br>lines and\\\\x1B |\n");
}

TEST(Line, IsNameAndValue) {
  EXPECT_EQ(written(TextRows({{"id", "integer"}, {"größe", "text"}}, {{"1", "a\nb"}, {"2", std::nullopt}}), Format::kLine),
            "   id = 1\ngröße = a\n        b\n\n   id = 2\ngröße = \n\n");
  EXPECT_EQ(written(TextRows({{"id", "integer"}}, {}), Format::kLine), "");
}

TEST(Formats, HaveNames) {
  for (const FormatName& each : kFormats) {
    EXPECT_EQ(format_of(each.name), each.format);
    EXPECT_EQ(name_of(each.format), each.name);
  }
  EXPECT_FALSE(format_of("tables"));
}

TEST(Output, AFullDiskIsAnError) {
  Output output = Output::to_file("/dev/full");
  output.write("x");
  try {
    output.close();
    ADD_FAILURE() << "nothing was raised";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "could not write to \"/dev/full\": No space left on device");
    EXPECT_FALSE(error.closed());
    EXPECT_EQ(error.sqlstate(), "53100");
  }
  EXPECT_NO_THROW(output.close());  // what could not be written is gone
}

TEST(Output, KeepsTheOrderOfShortAndLongTexts) {
  Capture capture;
  Output output(fileno(capture.file()));
  const std::string long_text(200'000, 'x');
  output.write("a");
  output.write(long_text);
  output.write("b");
  output.flush();
  EXPECT_EQ(capture.text(), "a" + long_text + "b");
}

}  // namespace
}  // namespace saccade::shell
