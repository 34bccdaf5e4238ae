// The text of a backslash command: \name argument ...
//
// Arguments are separated by blanks. 'single quotes' hold blanks and take '' for a quote and \n, \t, \\ and the like; "double
// quotes" hold blanks too and stay in the text, since for a name they matter. Another backslash outside of quotes begins the
// next command;
// \\ leads back to SQL.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace saccade::shell {

struct CommandArgument {
  std::string text;
  bool quoted = false;  // in single quotes, as a whole or in part
};

struct CommandLine {
  std::string name;  // without the backslash; "\" for the way back to SQL
  std::vector<CommandArgument> arguments;
  std::size_t length = 0;  // of the text that it took
};

// `text` begins with the backslash. Errors: QueryError 42601 where a quote does not end.
CommandLine parse_command_line(std::string_view text);

// Of an argument that is no name: without its double quotes.
std::string without_double_quotes(std::string_view text);

}  // namespace saccade::shell
