// A look at the text before PostgreSQL's scanner sees it.
#include <string_view>

#include "sql/parser_tokens.hpp"

namespace saccade {

namespace {

constexpr std::string_view kOperatorCharacters = "+-*/<>=~!@#%^&|`?";

bool is_operator(char c) {
  return kOperatorCharacters.find(c) != std::string_view::npos;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Behind a quoted string or name that begins at `at`.
std::size_t behind_quotes(std::string_view text, std::size_t at, bool backslashes) {
  const char quote = text[at++];
  for (; at < text.size(); ++at) {
    if (backslashes && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (at + 1 == text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return text.size();
}

std::size_t behind_comment(std::string_view text, std::size_t at) {
  if (text[at] == '-') {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
  }
  int depth = 0;
  for (; at + 1 < text.size(); ++at) {
    if (text[at] == '/' && text[at + 1] == '*') {
      ++depth;
      ++at;
    } else if (text[at] == '*' && text[at + 1] == '/') {
      ++at;
      if (--depth == 0) return at + 1;
    }
  }
  return text.size();
}

// Behind $tag$ ... $tag$; behind the dollar where none begins.
std::size_t behind_dollars(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  if (end == text.size() || text[end] != '$') return at + 1;
  const std::string_view tag = text.substr(at, end + 1 - at);
  const std::size_t close = text.find(tag, end + 1);
  return close == std::string_view::npos ? text.size() : close + tag.size();
}

bool begins_comment(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  return two == "--" || two == "/*";
}

}  // namespace

std::size_t find_long_operator(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (begins_comment(text, at)) {
      at = behind_comment(text, at);
    } else if (c == '\'' || c == '"') {
      const bool escapes = at > 0 && (text[at - 1] == 'e' || text[at - 1] == 'E') && (at == 1 || !is_word(text[at - 2]));
      at = behind_quotes(text, at, c == '\'' && escapes);
    } else if (c == '$' && (at == 0 || !is_word(text[at - 1]))) {
      at = behind_dollars(text, at);
    } else if (is_operator(c)) {
      const std::size_t begin = at;
      while (at < text.size() && is_operator(text[at]) && !begins_comment(text, at)) ++at;
      if (at - begin > kLongestOperators) return begin;
    } else {
      ++at;
    }
  }
  return std::string_view::npos;
}

}  // namespace saccade
