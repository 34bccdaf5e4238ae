// What the database has: read through information_schema, with statements like a user's. Errors of all: QueryError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "saccade/saccade.hpp"

namespace saccade::shell {

struct Relation {
  std::string schema;
  std::string name;
  bool is_view = false;
};

// All of them, by schema and name.
std::vector<Relation> relations(Session& session);

struct RelationColumn {
  std::string name;
  std::string type;
  bool nullable = true;
  std::string default_value;  // its SQL; empty: none
};

// `from`: how the relation is written after FROM: a name, or a file in quotes. Nullability and defaults are known of
// relations only.
std::vector<RelationColumn> columns_of(Session& session, const std::string& from);
std::vector<RelationColumn> columns_of(Session& session, const Relation& relation);

// As SQL text: in double quotes where it needs them; in single quotes.
std::string quoted_name(std::string_view name);
std::string quoted_text(std::string_view text);

// Which relations \d and its like mean: name or schema.name, where * and ? stand for any characters. What is not in double
// quotes is taken in lower case.
class RelationPattern {
 public:
  explicit RelationPattern(std::string_view text);
  bool matches(const Relation& relation) const;

 private:
  enum class Kind { kCharacter, kOne, kAny };
  struct Element {
    Kind kind;
    char c;
  };
  using Glob = std::vector<Element>;
  static bool matches(const Glob& glob, std::string_view text);

  bool has_schema_ = false;
  Glob schema_, name_;
};

}  // namespace saccade::shell
