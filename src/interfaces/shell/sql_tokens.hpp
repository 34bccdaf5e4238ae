// The tokens of a statement that is still being typed, for completion: what it means is not yet known, and its end may be
// missing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saccade::shell {

struct SqlToken {
  enum class Kind : std::uint8_t { kWord, kQuotedName, kString, kSymbol };
  Kind kind;
  std::string text;       // a word in lower case; names and strings without their quotes; a symbol's one character
  std::size_t begin = 0;  // of the token in the text, its quote included
  bool is_open = false;   // a quote that has no end
  bool is(std::string_view word) const { return (kind == Kind::kWord || kind == Kind::kSymbol) && text == word; }
  bool is_name() const { return kind == Kind::kWord || kind == Kind::kQuotedName; }
};

// Without blanks and comments. Numbers are words.
std::vector<SqlToken> sql_tokens(std::string_view text);

}  // namespace saccade::shell
