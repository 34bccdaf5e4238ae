// Finds where a statement ends in text that arrives line by line: the first semicolon outside of strings, quoted names,
// dollar quotes and comments, by PostgreSQL's lexical rules.
#pragma once

#include <cstddef>
#include <string_view>

namespace saccade::shell {

// The number of bytes up to and including the first statement's semicolon; npos where the text has no complete statement.
std::size_t statement_end(std::string_view text);

// Without the blanks and comments before the first token; empty where there is nothing else.
std::string_view without_leading_space(std::string_view text);

}  // namespace saccade::shell
