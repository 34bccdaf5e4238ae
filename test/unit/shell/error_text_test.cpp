#include "interfaces/shell/error_text.hpp"

#include <gtest/gtest.h>

#include "interfaces/shell/display_width.hpp"

namespace saccade::shell {
namespace {

std::string text_of(int position, const std::string& statement, const std::string& hint = "") {
  use_utf8();
  return error_text(QueryError("42703", "column \"x\" does not exist", position, hint), statement);
}

const std::string kFirst = "ERROR:  42703: column \"x\" does not exist\n";

TEST(ErrorText, WithoutAPosition) {
  EXPECT_EQ(text_of(0, "SELECT x;"), kFirst);
  EXPECT_EQ(error_text(QueryError("22012", "division by zero", 0, ""), "SELECT 1/0;"), "ERROR:  22012: division by zero\n");
}

TEST(ErrorText, PutsACaretUnderThePosition) {
  EXPECT_EQ(text_of(8, "SELECT x;"), kFirst + "LINE 1: SELECT x;\n               ^\n");
  EXPECT_EQ(text_of(1, "SELECT x;"), kFirst + "LINE 1: SELECT x;\n        ^\n");
}

TEST(ErrorText, PutsTheHintLast) {
  EXPECT_EQ(text_of(8, "SELECT x;", "Perhaps y."), kFirst + "LINE 1: SELECT x;\n               ^\nHINT:  Perhaps y.\n");
}

TEST(ErrorText, ShowsTheLineOfThePosition) {
  EXPECT_EQ(text_of(17, "SELECT a,\n  b + x\nFROM t;"), kFirst + "LINE 2:   b + x\n              ^\n");
  EXPECT_EQ(text_of(19, "SELECT a,\n  b + x\nFROM t;"), kFirst + "LINE 3: FROM t;\n        ^\n");
  EXPECT_EQ(text_of(18, "SELECT a,\n  b + x\nFROM t;"), kFirst + "LINE 2:   b + x\n               ^\n");  // the line's end
}

TEST(ErrorText, TheEndOfTheStatementIsAPlaceToo) {
  EXPECT_EQ(text_of(8, "SELECT "), kFirst + "LINE 1: SELECT \n               ^\n");
  EXPECT_EQ(text_of(9, "SELECT "), kFirst);  // outside: not shown
}

TEST(ErrorText, CountsCharactersAndMeasuresTheirWidth) {
  EXPECT_EQ(text_of(15, "SELECT 'größe', x;"), kFirst + "LINE 1: SELECT 'größe', x;\n                      ^\n");
  EXPECT_EQ(text_of(14, "SELECT '日本', x;"), kFirst + "LINE 1: SELECT '日本', x;\n                       ^\n");
  EXPECT_EQ(text_of(9, "SELECT\t\tx;"), kFirst + "LINE 1: SELECT  x;\n                ^\n");
}

TEST(ErrorText, CutsLongLinesAroundThePosition) {
  const std::string filler(200, 'a');
  const std::string text = text_of(201, filler + "x" + filler);
  const std::size_t newline = text.find('\n', kFirst.size());
  const std::string line = text.substr(kFirst.size(), newline - kFirst.size());
  const std::string caret = text.substr(newline + 1);
  EXPECT_TRUE(line.starts_with("LINE 1: ...aaa")) << line;
  EXPECT_TRUE(line.ends_with("aaa...")) << line;
  EXPECT_LT(line.size(), 90u);
  EXPECT_EQ(line.find('x'), caret.find('^'));
}

}  // namespace
}  // namespace saccade::shell
