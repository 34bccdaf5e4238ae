// The tokens of a statement as PostgreSQL's scanner sees them, and the pass over them that lets files stand for tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sql/parser_text.hpp"

namespace saccade {

struct Token {
  std::size_t start = 0;  // bytes of the text
  std::size_t end = 0;
  bool keyword = false;
};

inline std::string_view token_text(std::string_view text, const Token& token) {
  return text.substr(token.start, token.end - token.start);
}

// The SQLSTATE of a message of libpg_query, which gives none itself: 42601, 22021, 0A000 or 54001.
std::string_view parser_sqlstate(std::string_view message);

// Where a run of operator characters begins that is longer than kLongestOperators, outside of strings, names and comments;
// npos where there is none. PostgreSQL's scanner takes a time that grows with the square of such a run.
inline constexpr std::size_t kLongestOperators = 1000;
std::size_t find_long_operator(std::string_view text);

// Without comments. `text` is UTF-8 without zero bytes. Errors: 42601 with the position (an unterminated string or comment).
std::vector<Token> scan_tokens(const std::string& text);

// Turns a string constant where a table is expected (FROM 'a.parquet', JOIN 'a.parquet', after a comma in FROM) and a quoted
// identifier with a file's ending in such a place into read_file('a.parquet').
RewrittenText rewrite_files(const std::string& text, const std::vector<Token>& tokens);

}  // namespace saccade
