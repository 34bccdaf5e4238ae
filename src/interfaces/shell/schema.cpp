#include "interfaces/shell/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace saccade::shell {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += c;
    result += c;
  }
  return result + quote;
}

// The SQL words that can be no names of tables or columns.
constexpr std::string_view kReserved =
    " all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create "
    "current_catalog "
    "current_date current_role current_time current_timestamp current_user default deferrable desc distinct do else end except "
    "false fetch for foreign from grant group having in initially intersect into lateral leading limit localtime "
    "localtimestamp "
    "not null offset on only or order placing primary references returning select session_user some symmetric table then to "
    "trailing true union unique user using variadic when where window with ";

bool is_reserved(std::string_view name) {
  return kReserved.find(" " + std::string(name) + " ") != std::string_view::npos;
}

}  // namespace

std::vector<Relation> relations(Session& session) {
  const std::unique_ptr<QueryResult> result = session.execute(
      "SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY table_schema, table_name");
  std::vector<Relation> relations;
  for (std::int64_t row = 0; row < result->rows(); ++row) {
    relations.push_back({result->text(row, 0), result->text(row, 1), result->text(row, 2) == "VIEW"});
  }
  return relations;
}

std::vector<RelationColumn> columns_of(Session& session, const std::string& from) {
  const std::unique_ptr<QueryResult> result = session.execute("SELECT * FROM " + from + " LIMIT 0");
  std::vector<RelationColumn> columns;
  for (const ResultField& field : result->fields()) columns.push_back({field.name, field.type, true, ""});
  return columns;
}

std::vector<RelationColumn> columns_of(Session& session, const Relation& relation) {
  std::vector<RelationColumn> columns = columns_of(session, quoted_name(relation.schema) + "." + quoted_name(relation.name));
  const std::unique_ptr<QueryResult> result = session.execute(
      fmt::format("SELECT column_name, is_nullable, column_default FROM information_schema.columns WHERE table_schema = {} AND "
                  "table_name = {}",
                  quoted_text(relation.schema), quoted_text(relation.name)));
  std::map<std::string, std::int64_t> row_of;
  for (std::int64_t row = 0; row < result->rows(); ++row) row_of[result->text(row, 0)] = row;
  for (RelationColumn& column : columns) {
    const auto found = row_of.find(column.name);
    if (found == row_of.end()) continue;
    column.nullable = result->text(found->second, 1) != "NO";
    column.default_value = result->text(found->second, 2);
  }
  return columns;
}

std::string quoted_name(std::string_view name) {
  const bool plain = !name.empty() && (name[0] < '0' || name[0] > '9') && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain && !is_reserved(name) ? std::string(name) : quoted(name, '"');
}

std::string quoted_text(std::string_view text) {
  return quoted(text, '\'');
}

RelationPattern::RelationPattern(std::string_view text) {
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && !(in_quotes && text.substr(i + 1, 1) == "\"")) {
      in_quotes = !in_quotes;
    } else if (in_quotes) {
      if (c == '"') ++i;
      name_.push_back({Kind::kCharacter, c});
    } else if (c == '.' && !has_schema_) {
      has_schema_ = true;
      schema_ = std::exchange(name_, {});
    } else {
      name_.push_back({c == '*' ? Kind::kAny : c == '?' ? Kind::kOne : Kind::kCharacter, lower(c)});
    }
  }
}

bool RelationPattern::matches(const Relation& relation) const {
  return matches(name_, relation.name) && (!has_schema_ || matches(schema_, relation.schema));
}

// Whether each prefix of the glob matches a prefix of the text, character by character.
bool RelationPattern::matches(const Glob& glob, std::string_view text) {
  std::vector<bool> reached(text.size() + 1, false);
  reached[0] = true;
  for (const Element& element : glob) {
    std::vector<bool> next(text.size() + 1, false);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (element.kind == Kind::kAny) {
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      } else {
        next[i] = i > 0 && reached[i - 1] && (element.kind == Kind::kOne || text[i - 1] == element.c);
      }
    }
    reached = std::move(next);
  }
  return reached[text.size()];
}

}  // namespace saccade::shell
