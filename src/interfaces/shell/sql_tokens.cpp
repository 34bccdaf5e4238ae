#include "interfaces/shell/sql_tokens.hpp"

#include <algorithm>

namespace saccade::shell {
namespace {

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

SqlToken quoted(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  SqlToken token{quote == '\'' ? SqlToken::Kind::kString : SqlToken::Kind::kQuotedName, "", at, true};
  for (++at; at < text.size(); ++at) {
    if (text[at] == quote) {
      if (text.substr(at + 1, 1) != text.substr(at, 1)) break;
      ++at;
    }
    token.text += text[at];
  }
  token.is_open = at == text.size();
  at = std::min(at + 1, text.size());
  return token;
}

SqlToken word(std::string_view text, std::size_t& at) {
  SqlToken token{SqlToken::Kind::kWord, "", at, false};
  while (at < text.size() && is_word(text[at])) token.text += lower(text[at++]);
  return token;
}

// Behind the comment at `at`; `at` itself where there is none.
std::size_t comment_end(std::string_view text, std::size_t at) {
  const bool line = text.substr(at, 2) == "--";
  if (!line && text.substr(at, 2) != "/*") return at;
  const std::size_t end = line ? text.find('\n', at) : text.find("*/", at);
  return end == std::string_view::npos ? text.size() : end + (line ? 1 : 2);
}

}  // namespace

std::vector<SqlToken> sql_tokens(std::string_view text) {
  std::vector<SqlToken> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_blank(c)) {
      ++at;
    } else if (const std::size_t end = comment_end(text, at); end != at) {
      at = end;
    } else if (c == '\'' || c == '"') {
      tokens.push_back(quoted(text, at));
    } else if (is_word(c)) {
      tokens.push_back(word(text, at));
    } else {
      tokens.push_back({SqlToken::Kind::kSymbol, std::string(1, c), at++, false});
    }
  }
  return tokens;
}

}  // namespace saccade::shell
