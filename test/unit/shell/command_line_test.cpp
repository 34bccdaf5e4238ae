#include "interfaces/shell/command_line.hpp"

#include <gtest/gtest.h>

#include "interfaces/shell/commands.hpp"
#include "interfaces/shell/schema.hpp"
#include "saccade/saccade.hpp"

namespace saccade::shell {
namespace {

std::string parsed(std::string_view text) {
  const CommandLine line = parse_command_line(text);
  std::string shown = line.name;
  for (const CommandArgument& argument : line.arguments) shown += (argument.quoted ? "|'" : "|") + argument.text;
  return shown + "|" + std::to_string(line.length);
}

TEST(CommandLineTest, TakesArgumentsApart) {
  EXPECT_EQ(parsed("\\q"), "q|2");
  EXPECT_EQ(parsed("\\i a.sql  b\t\r"), "i|a.sql|b|13");
  EXPECT_EQ(parsed("\\i 'a b''c\\n\\'d'e"), "i|'a b'c\n'de|17");
  EXPECT_EQ(parsed("\\d \"My Table\".x"), "d|\"My Table\".x|15");
  EXPECT_EQ(parsed("\\d;"), "d|3");
  EXPECT_EQ(parsed("\\pset null ''"), "pset|null|'|13");
}

TEST(CommandLineTest, EndsAtTheNextCommand) {
  EXPECT_EQ(parsed("\\x \\t on"), "x|3");
  EXPECT_EQ(parsed("\\x\\\\ select"), "x|2");
  EXPECT_EQ(parsed("\\\\ select"), "\\|2");
}

TEST(CommandLineTest, AQuoteThatDoesNotEndIsAnError) {
  EXPECT_THROW(parse_command_line("\\i 'a"), QueryError);
  EXPECT_THROW(parse_command_line("\\d \"a"), QueryError);
}

TEST(CommandsTest, AreAllInTheHelp) {
  const std::string help = command_help();
  for (const CommandInfo& command : commands()) {
    EXPECT_EQ(find_command(command.name), &command);
    EXPECT_NE(help.find("  \\" + std::string(command.name) + " "), std::string::npos) << command.name;
  }
  EXPECT_EQ(find_command("nonsense"), nullptr);
}

TEST(RelationPatternTest, MatchesNamesAndSchemas) {
  const Relation orders{"public", "orders", false}, mixed{"Other", "My.Table*", false};
  const auto matches = [](std::string_view pattern, const Relation& relation) {
    return RelationPattern(pattern).matches(relation);
  };
  EXPECT_TRUE(matches("orders", orders));
  EXPECT_TRUE(matches("ORDERS", orders));
  EXPECT_FALSE(matches("\"ORDERS\"", orders));
  EXPECT_TRUE(matches("o*", orders));
  EXPECT_TRUE(matches("*der*s", orders));
  EXPECT_TRUE(matches("order?", orders));
  EXPECT_FALSE(matches("order??", orders));
  EXPECT_FALSE(matches("order", orders));
  EXPECT_TRUE(matches("public.orders", orders));
  EXPECT_TRUE(matches("pub*.*", orders));
  EXPECT_FALSE(matches("other.orders", orders));
  EXPECT_TRUE(matches("\"My.Table*\"", mixed));
  EXPECT_TRUE(matches("\"Other\".\"My.Table*\"", mixed));
  EXPECT_FALSE(matches("\"My*\"", mixed));
  EXPECT_FALSE(matches("", orders));
}

TEST(SchemaTest, QuotesNamesThatNeedIt) {
  EXPECT_EQ(quoted_name("l_orderkey2"), "l_orderkey2");
  EXPECT_EQ(quoted_name("Order"), "\"Order\"");
  EXPECT_EQ(quoted_name("order"), "\"order\"");
  EXPECT_EQ(quoted_name("2x"), "\"2x\"");
  EXPECT_EQ(quoted_name("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(quoted_name(""), "\"\"");
  EXPECT_EQ(quoted_text("it's"), "'it''s'");
}

}  // namespace
}  // namespace saccade::shell
