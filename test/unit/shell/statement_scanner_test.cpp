#include "interfaces/shell/statement_scanner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace saccade::shell {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> statements;
  for (std::size_t end = statement_end(text); end != std::string_view::npos; end = statement_end(text)) {
    statements.emplace_back(without_leading_space(text.substr(0, end)));
    text.remove_prefix(end);
  }
  statements.emplace_back(text);  // the rest
  return statements;
}

using Statements = std::vector<std::string>;

TEST(StatementScanner, EndsAtSemicolons) {
  EXPECT_EQ(split("SELECT 1; SELECT 2;\n SELECT 3"), (Statements{"SELECT 1;", "SELECT 2;", "\n SELECT 3"}));
  EXPECT_EQ(split(""), (Statements{""}));
  EXPECT_EQ(split(";;"), (Statements{";", ";", ""}));
}

TEST(StatementScanner, RespectsStringsAndQuotedNames) {
  EXPECT_EQ(split("SELECT 'a;b''c;d', \"x;y\"\"z;\";r"), (Statements{"SELECT 'a;b''c;d', \"x;y\"\"z;\";", "r"}));
  EXPECT_EQ(split("SELECT 'a\\'; SELECT 2;"), (Statements{"SELECT 'a\\';", "SELECT 2;", ""}));  // no escape
  EXPECT_EQ(split("SELECT E'a\\'; x', 2;r"), (Statements{"SELECT E'a\\'; x', 2;", "r"}));       // an escape
  EXPECT_EQ(split("SELECT date'a\\';r"), (Statements{"SELECT date'a\\';", "r"}));               // e ends a name here
  EXPECT_EQ(split("SELECT 'open; "), (Statements{"SELECT 'open; "}));
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
  EXPECT_EQ(without_leading_space(" \n-- c\n/* d */ SELECT 1;"), "SELECT 1;");
  EXPECT_EQ(without_leading_space(" -- only a comment"), "");
  EXPECT_EQ(without_leading_space("/* open"), "/* open");
  EXPECT_EQ(without_leading_space("-1"), "-1");
}

}  // namespace
}  // namespace saccade::shell
