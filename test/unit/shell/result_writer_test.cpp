#include "interfaces/shell/result_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "interfaces/shell/display_width.hpp"
#include "unit/shell/fake_session.hpp"

namespace saccade::shell {
namespace {

std::string written(const FakeResult& result, Format format) {
  use_utf8();
  Capture capture;
  Output output(capture.file());
  write_result(result, format, output);
  return capture.text();
}

FakeResult sample() {
  return FakeResult({{"id", "integer"}, {"name", "text"}, {"price", "numeric(15,2)"}, {"ok", "boolean"}, {"day", "date"}},
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
  EXPECT_EQ(written(FakeResult({{"a", "bigint"}}, {{"7"}}), Format::kTable), " a \n---\n 7\n(1 row)\n\n");
  EXPECT_EQ(written(FakeResult({{"a", "bigint"}}, {}), Format::kTable), " a \n---\n(0 rows)\n\n");
}

TEST(Table, MeasuresCharactersAsTheyAreShown) {
  EXPECT_EQ(written(FakeResult({{"größe", "text"}, {"n", "integer"}}, {{"日本", "1"}, {"e\u0301", "2"}, {"abcdef", "3"}}),
                    Format::kTable),
            " größe  | n \n"
            "--------+---\n"
            " 日本   | 1\n"
            " e\u0301      | 2\n"
            " abcdef | 3\n"
            "(3 rows)\n\n");
}

TEST(Table, ContinuesValuesOfSeveralLinesAndEscapesControlCharacters) {
  EXPECT_EQ(written(FakeResult({{"t", "text"}, {"u", "text"}}, {{"a\nlong", "x"}, {"b", "1\n2"}, {"c\r\x01", "a\tb"}}),
                    Format::kTable),
            "    t    |     u     \n"
            "---------+-----------\n"
            " a      +| x\n"
            " long    | \n"
            " b       | 1        +\n"
            "         | 2\n"
            " c\\r\\x01 | a       b\n"
            "(3 rows)\n\n");
}

TEST(Table, ShowsTheTagOfAStatementWithoutColumns) {
  const FakeResult set({}, {}, "SET");
  EXPECT_EQ(written(set, Format::kTable), "SET\n");
  EXPECT_EQ(written(set, Format::kCsv), "");
  EXPECT_EQ(written(set, Format::kJson), "");
}

TEST(Csv, LeavesNullEmptyAndQuotesWhatNeedsIt) {
  EXPECT_EQ(written(sample(), Format::kCsv), "id,name,price,ok,day\n1,apple,12.50,t,1998-12-01\n-20,,,f,\n");
  EXPECT_EQ(written(FakeResult({{"a,b", "text"}, {"c", "text"}},
                               {{"", "x\"y"}, {"line\nbreak", "cr\r"}, {"plain text", " "}, {std::nullopt, std::nullopt}}),
                    Format::kCsv),
            "\"a,b\",c\n\"\",\"x\"\"y\"\n\"line\nbreak\",\"cr\r\"\nplain text, \n,\n");
}

TEST(Json, IsAnArrayOfObjects) {
  EXPECT_EQ(written(sample(), Format::kJson),
            "[{\"id\":1,\"name\":\"apple\",\"price\":12.50,\"ok\":true,\"day\":\"1998-12-01\"},\n"
            "{\"id\":-20,\"name\":null,\"price\":null,\"ok\":false,\"day\":null}]\n");
  EXPECT_EQ(written(FakeResult({{"a", "bigint"}}, {}), Format::kJson), "[]\n");
}

TEST(Json, KeepsDigitsAndTurnsWhatIsNoNumberIntoStrings) {
  const std::string text =
      written(FakeResult({{"wide", "numeric(38,10)"}, {"d", "double precision"}, {"t", "text"}},
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
  EXPECT_THROW(written(FakeResult({{"t", "text"}}, {{"\xff"}}), Format::kJson), QueryError);
}

TEST(Output, AFullDiskIsAnError) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Output output(full);
  try {
    write_result(sample(), Format::kCsv, output);
    ADD_FAILURE() << "nothing was raised";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "could not write to the output: No space left on device");
    EXPECT_FALSE(error.closed());
  }
  std::fclose(full);
}

}  // namespace
}  // namespace saccade::shell
