#include "interfaces/shell/from_clause.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "interfaces/shell/schema.hpp"

namespace saccade::shell {
namespace {

template <std::size_t size>
bool is_any(const SqlToken& token, const std::array<std::string_view, size>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return token.is(word); });
}

constexpr std::array<std::string_view, 6> kBeforeRelation{"from", "join", "into", "update", "table", "view"};
constexpr std::array<std::string_view, 12> kClauses{"select", "from",   "where", "group", "having", "order",
                                                    "limit",  "offset", "union", "set",   "on",     "values"};
// Words that follow a table and are no alias of it.
constexpr std::array<std::string_view, 22> kAfterRelation{
    "where", "group", "having", "order", "limit", "offset", "union",   "except", "intersect", "on",     "using",
    "join",  "inner", "left",   "right", "full",  "cross",  "natural", "window", "set",       "values", "select"};

// Whether a comma here separates tables: the clause that it stands in is FROM.
bool is_in_from(std::span<const SqlToken> before) {
  int depth = 0;
  for (std::size_t i = before.size(); i-- > 0;) {
    const SqlToken& token = before[i];
    if (token.is(")")) ++depth;
    if (token.is("(") && --depth < 0) return false;
    if (depth == 0 && is_any(token, kClauses)) return token.is("from");
  }
  return false;
}

bool is_alias(const SqlToken& token) {
  return token.kind == SqlToken::Kind::kQuotedName || (token.kind == SqlToken::Kind::kWord && !is_any(token, kAfterRelation));
}

// The item that begins at tokens[at].
FromItem item_at(const std::vector<SqlToken>& tokens, std::size_t at) {
  const SqlToken& first = tokens[at++];
  if (first.kind == SqlToken::Kind::kSymbol || first.is_open) return {};
  FromItem item{first.kind == SqlToken::Kind::kString ? quoted_text(first.text) : quoted_name(first.text), ""};
  if (first.is_name()) item.alias = first.text;
  if (at + 1 < tokens.size() && tokens[at].is(".") && tokens[at + 1].is_name()) {
    item.sql += "." + quoted_name(tokens[at + 1].text);
    item.alias = tokens[at + 1].text;
    at += 2;
  }
  if (at < tokens.size() && (tokens[at].is("(") || tokens[at].is("."))) return {};  // a function, half a name
  if (at < tokens.size() && tokens[at].is("as")) ++at;
  if (at < tokens.size() && is_alias(tokens[at])) item.alias = tokens[at].text;
  return item;
}

}  // namespace

bool wants_relation(const std::vector<SqlToken>& before) {
  if (before.empty()) return false;
  return is_any(before.back(), kBeforeRelation) || (before.back().is(",") && is_in_from(before));
}

std::vector<FromItem> from_items(const std::vector<SqlToken>& tokens) {
  std::vector<FromItem> items;
  std::vector<SqlToken> before;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (wants_relation(before)) {
      FromItem item = item_at(tokens, i);
      if (!item.sql.empty()) items.push_back(std::move(item));
    }
    before.push_back(tokens[i]);
  }
  return items;
}

}  // namespace saccade::shell
