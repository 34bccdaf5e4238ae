#include "interfaces/shell/statement_scanner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace saccade::shell {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> statements;
  StatementScanner scanner;
  scanner.add(text);
  while (scanner.next() == StatementScanner::Found::kStatement) statements.push_back(scanner.take_statement());
  statements.push_back(scanner.has_statement() ? scanner.take_statement() : "");  // the rest
  return statements;
}

using Statements = std::vector<std::string>;

TEST(StatementScanner, EndsAtSemicolons) {
  EXPECT_EQ(split("SELECT 1; SELECT 2;\n SELECT 3"), (Statements{"SELECT 1;", "SELECT 2;", "SELECT 3"}));
  EXPECT_EQ(split(""), (Statements{""}));
  EXPECT_EQ(split(";; ;\n"), (Statements{""}));
}

TEST(StatementScanner, RespectsStringsAndQuotedNames) {
  EXPECT_EQ(split("SELECT 'a;b''c;d', \"x;y\"\"z;\";r"), (Statements{"SELECT 'a;b''c;d', \"x;y\"\"z;\";", "r"}));
  EXPECT_EQ(split("SELECT 'a\\'; SELECT 2;"), (Statements{"SELECT 'a\\';", "SELECT 2;", ""}));  // no escape
  EXPECT_EQ(split("SELECT E'a\\'; x', 2;r"), (Statements{"SELECT E'a\\'; x', 2;", "r"}));       // an escape
  EXPECT_EQ(split("SELECT date'a\\';r"), (Statements{"SELECT date'a\\';", "r"}));               // e ends a name here
  EXPECT_EQ(split("SELECT 'open; "), (Statements{"SELECT 'open; "}));
  EXPECT_EQ(split("SELECT E'it''s \\'; ' ;r"), (Statements{"SELECT E'it''s \\'; ' ;", "r"}));
  EXPECT_EQ(split("SELECT E'a'\n 'b\\';' ;r"), (Statements{"SELECT E'a'\n 'b\\';' ;", "r"}));  // one string in two parts
  EXPECT_EQ(split("SELECT E'a', 'b\\';r"), (Statements{"SELECT E'a', 'b\\';", "r"}));
  EXPECT_EQ(split("SELECT 'a\\\n;';r"), (Statements{"SELECT 'a\\\n;';", "r"}));
}

TEST(StatementScanner, RespectsComments) {
  EXPECT_EQ(split("SELECT 1 -- one;\n + 2;r"), (Statements{"SELECT 1 -- one;\n + 2;", "r"}));
  EXPECT_EQ(split("SELECT /* a; /* b; */ c; */ 1;r"), (Statements{"SELECT /* a; /* b; */ c; */ 1;", "r"}));
  EXPECT_EQ(split("SELECT 1 /* open; "), (Statements{"SELECT 1 /* open; "}));
  EXPECT_EQ(split("SELECT 2-1;r"), (Statements{"SELECT 2-1;", "r"}));
}

TEST(StatementScanner, RespectsDollarQuotes) {
  EXPECT_EQ(split("SELECT $$a;'b$$;r"), (Statements{"SELECT $$a;'b$$;", "r"}));
  EXPECT_EQ(split("SELECT $x$a;$$;$x$;r"), (Statements{"SELECT $x$a;$$;$x$;", "r"}));
  EXPECT_EQ(split("SELECT $1;r"), (Statements{"SELECT $1;", "r"}));
  EXPECT_EQ(split("SELECT a$b$c;r"), (Statements{"SELECT a$b$c;", "r"}));  // a name with dollar signs
}

TEST(StatementScanner, SkipsLeadingSpaceAndComments) {
  EXPECT_EQ(split(" \n-- c\n/* d */ SELECT 1;"), (Statements{"SELECT 1;", ""}));
  EXPECT_EQ(split(" -- only a comment"), (Statements{""}));
  EXPECT_EQ(split("/* open"), (Statements{"/* open"}));
  EXPECT_EQ(split("-1;"), (Statements{"-1;", ""}));
}

// The same, whatever comes in one piece.
TEST(StatementScanner, GoesOnWhereItStopped) {
  const std::vector<std::string> lines{
      "-- x;\n", "/* a;\n", " /* ; */ */ SELECT 'b\n", ";'' ' ;SELECT $t$\n", "$;$ $t\n", "$t$, \"c\n", "\";\n", "\n"};
  StatementScanner scanner;
  Statements found;
  for (const std::string& line : lines) {
    scanner.add(line);
    while (scanner.next() == StatementScanner::Found::kStatement) found.push_back(scanner.take_statement());
  }
  EXPECT_EQ(found, (Statements{"SELECT 'b\n;'' ' ;", "SELECT $t$\n$;$ $t\n$t$, \"c\n\";"}));
  EXPECT_FALSE(scanner.has_statement());
}

TEST(StatementScanner, KnowsWhatIsOpenAndTheLine) {
  StatementScanner scanner;
  const auto open_after = [&](const char* line) {
    scanner.add(line);
    EXPECT_EQ(scanner.next(), StatementScanner::Found::kMore);
    return scanner.open();
  };
  EXPECT_EQ(open_after("-- x\n"), StatementScanner::Open::kNothing);
  EXPECT_FALSE(scanner.has_statement());
  EXPECT_EQ(open_after("/*\n"), StatementScanner::Open::kComment);
  EXPECT_EQ(open_after("*/ \n a '\n"), StatementScanner::Open::kString);
  EXPECT_EQ(open_after("' \"\n"), StatementScanner::Open::kName);
  EXPECT_EQ(open_after("\" $$\n"), StatementScanner::Open::kDollarQuote);
  EXPECT_EQ(open_after("$$\n"), StatementScanner::Open::kNothing);
  EXPECT_TRUE(scanner.has_statement());
  EXPECT_EQ(scanner.line(), 4);
  scanner.add("; /* x\n*/ b\n");
  EXPECT_EQ(scanner.next(), StatementScanner::Found::kStatement);
  scanner.take_statement();
  EXPECT_EQ(scanner.next(), StatementScanner::Found::kMore);
  EXPECT_EQ(scanner.line(), 9);
  scanner.clear();
  EXPECT_EQ(open_after("c\n"), StatementScanner::Open::kNothing);
  EXPECT_EQ(scanner.line(), 10);
}

TEST(StatementScanner, FindsCommandsOutsideOfQuotes) {
  StatementScanner scanner;
  scanner.add("SELECT '\\x' \\g one \\two\n+ 1;\n");
  ASSERT_EQ(scanner.next(), StatementScanner::Found::kCommand);
  EXPECT_EQ(scanner.command_line(), "\\g one \\two");
  EXPECT_EQ(scanner.statement(), "SELECT '\\x' ");
  scanner.drop_command(7);
  ASSERT_EQ(scanner.next(), StatementScanner::Found::kCommand);
  EXPECT_EQ(scanner.command_line(), "\\two");
  scanner.drop_command(4);
  ASSERT_EQ(scanner.next(), StatementScanner::Found::kStatement);
  EXPECT_EQ(scanner.take_statement(), "SELECT '\\x' \n+ 1;");
}

}  // namespace
}  // namespace saccade::shell
