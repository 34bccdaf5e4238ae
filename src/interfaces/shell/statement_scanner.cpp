#include "interfaces/shell/statement_scanner.hpp"

#include <algorithm>

namespace saccade::shell {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '$';
}

// The place behind what starts at `at`, or kNone where it does not end. A doubled quote stands for itself.
std::size_t quoted_end(std::string_view text, std::size_t at, bool backslash_escapes) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (backslash_escapes && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (at + 1 == text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return kNone;
}

std::size_t line_comment_end(std::string_view text, std::size_t at) {
  const std::size_t newline = text.find('\n', at);
  return newline == kNone ? kNone : newline + 1;
}

// Comments nest.
std::size_t block_comment_end(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at + 1 < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*") {
      ++depth;
      at += 2;
    } else if (two == "*/") {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return kNone;
}

// $tag$ ... $tag$; a dollar sign that opens none is a character of its own.
std::size_t dollar_quote_end(std::string_view text, std::size_t at) {
  std::size_t tag_end = at + 1;
  if (tag_end < text.size() && starts_name(text[tag_end])) {
    while (tag_end < text.size() && continues_name(text[tag_end]) && text[tag_end] != '$') ++tag_end;
  }
  if (tag_end >= text.size() || text[tag_end] != '$') return at + 1;
  const std::string_view tag = text.substr(at, tag_end + 1 - at);
  const std::size_t close = text.find(tag, tag_end + 1);
  return close == kNone ? kNone : close + tag.size();
}

// The place behind the token or comment at `at`.
std::size_t token_end(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  if (two == "--") return line_comment_end(text, at);
  if (two == "/*") return block_comment_end(text, at);
  if (two == "e'" || two == "E'") return quoted_end(text, at + 1, true);
  if (text[at] == '\'' || text[at] == '"') return quoted_end(text, at, false);
  if (text[at] == '$') return dollar_quote_end(text, at);
  if (!starts_name(text[at])) return at + 1;
  while (at < text.size() && continues_name(text[at])) ++at;
  return at;
}

}  // namespace

std::size_t statement_end(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ';') return at + 1;
    at = token_end(text, at);
    if (at == kNone) return kNone;
  }
  return kNone;
}

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty()) {
    const bool comment = text.substr(0, 2) == "--" || text.substr(0, 2) == "/*";
    if (!comment && !is_space(text[0])) return text;
    if (text.substr(0, 2) == "/*" && block_comment_end(text, 0) == kNone) return text;  // for the parser to report
    text.remove_prefix(comment ? std::min(text.size(), token_end(text, 0)) : 1);
  }
  return text;
}

}  // namespace saccade::shell
