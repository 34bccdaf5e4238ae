#include "sql/binder/scope.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace saccade {

namespace {

// A name as it has to be written in SQL.
std::string as_identifier(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
                     (name[0] < '0' || name[0] > '9');
  if (plain) return name;
  std::string result = "\"";
  for (const char c : name) {
    result += c;
    if (c == '"') result += c;
  }
  return result + '"';
}

}  // namespace

Expression ScopeColumn::reference(int position) const {
  Expression result = value ? *value : column_expression(id, type);
  result.position = position;
  return result;
}

int Scope::add_relation(const std::string& alias, int position) {
  if (has_relation(alias)) {
    throw Error(sqlstate::kDuplicateAlias, fmt::format("table name \"{}\" specified more than once", alias), position,
                "Give one of them another name: FROM t AS other_name.");
  }
  relations_.push_back(alias);
  return relation_count() - 1;
}

void Scope::append(Scope other, int position) {
  const int offset = relation_count();
  for (const std::string& alias : other.relations_) add_relation(alias, position);
  for (ScopeColumn& column : other.columns_) {
    if (column.relation >= 0) column.relation += offset;
    columns_.push_back(std::move(column));
  }
}

void Scope::merge_columns(const std::vector<MergedColumn>& columns, std::size_t first_column) {
  std::vector<ScopeColumn> front;
  for (const MergedColumn& merged : columns) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      ScopeColumn& column = columns_[i];
      if (column.merged || column.name != merged.name) continue;
      const bool shown =
          i < first_column ? merged.from == MergedColumn::From::kLeft : merged.from == MergedColumn::From::kRight;
      column.merged = true;
      if (shown) front.push_back({column.name, column.id, column.type, -1, false, column.value});
    }
    if (merged.value) front.push_back({merged.name, -1, merged.value->type, -1, false, merged.value});
  }
  SACCADE_CHECK(front.size() == columns.size());
  columns_.insert(columns_.begin(), front.begin(), front.end());
}

void Scope::rename(const std::string& alias, const std::vector<std::string>& names, int position) {
  std::vector<ScopeColumn> shown = star({}, position);
  if (names.size() > shown.size()) {
    throw Error(sqlstate::kInvalidColumnReference,
                fmt::format("join expression \"{}\" has {} columns available but {} columns specified", alias, shown.size(),
                            names.size()),
                position);
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    shown[i].relation = 0;
    if (i < names.size()) shown[i].name = names[i];
  }
  relations_ = {alias};
  columns_ = std::move(shown);
}

void Scope::add_alias_of_merged(const std::string& alias, std::size_t count, int position) {
  const int relation = add_relation(alias, position);
  for (std::size_t i = 0; i < count; ++i) {
    ScopeColumn column = columns_[i];
    column.relation = relation;
    column.merged = true;
    columns_.push_back(std::move(column));
  }
}

bool Scope::has_relation(const std::string& alias) const {
  return std::find(relations_.begin(), relations_.end(), alias) != relations_.end();
}

bool Scope::has_column(const std::string& name) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const ScopeColumn& c) { return !c.merged && c.name == name; });
}

void Scope::undefined(const std::string& shown, const std::string& name, int position) const {
  std::vector<std::string> names;
  for (const ScopeColumn& column : columns_) names.push_back(column.name);
  const std::string nearest = nearest_name(name, names);
  const auto meant = std::find_if(columns_.begin(), columns_.end(), [&](const ScopeColumn& c) { return c.name == nearest; });
  std::string hint;
  if (!nearest.empty()) hint = fmt::format("Perhaps you meant the column {}.", qualified_name(meant->id, true));
  throw Error(sqlstate::kUndefinedColumn, fmt::format("column {} does not exist", shown), position, hint);
}

bool Scope::owns(ColumnId id) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const ScopeColumn& column) {
    const std::vector<ColumnId> columns = column.value ? columns_of(*column.value) : std::vector<ColumnId>{column.id};
    return std::find(columns.begin(), columns.end(), id) != columns.end();
  });
}

const Scope* Scope::with_column(const std::string& name) const {
  const Scope* scope = this;
  while (scope != nullptr && !scope->has_column(name)) scope = scope->outer_;
  return scope;
}

const Scope* Scope::with_relation(const std::string& alias) const {
  const Scope* scope = this;
  while (scope != nullptr && !scope->has_relation(alias)) scope = scope->outer_;
  return scope;
}

const ScopeColumn& Scope::find(const std::string& name, int position) const {
  const Scope* owner = with_column(name);
  return (owner == nullptr ? this : owner)->find_own(name, position);
}

const ScopeColumn& Scope::find_own(const std::string& name, int position) const {
  const ScopeColumn* found = nullptr;
  for (const ScopeColumn& column : columns_) {
    if (column.merged || column.name != name) continue;
    if (found != nullptr) {
      throw Error(sqlstate::kAmbiguousColumn, fmt::format("column reference \"{}\" is ambiguous", name), position,
                  fmt::format("Name its table: {} or {}.", qualified_name(found->id, true), qualified_name(column.id, true)));
    }
    found = &column;
  }
  if (found == nullptr) undefined('"' + name + '"', name, position);
  return *found;
}

const ScopeColumn& Scope::find(const std::string& relation, const std::string& name, int position) const {
  const Scope* owner = with_relation(relation);
  if (owner != nullptr && owner != this) return owner->find(relation, name, position);
  const int number = find_relation(relation, position);
  const ScopeColumn* found = nullptr;
  for (const ScopeColumn& column : columns_) {
    if (column.relation != number || column.name != name) continue;
    if (found != nullptr) {
      throw Error(sqlstate::kAmbiguousColumn, fmt::format("column reference \"{}.{}\" is ambiguous", relation, name), position);
    }
    found = &column;
  }
  if (found == nullptr) undefined(relation + '.' + name, name, position);
  return *found;
}

int Scope::find_relation(const std::string& alias, int position) const {
  const auto found = std::find(relations_.begin(), relations_.end(), alias);
  if (found == relations_.end()) {
    const std::string nearest = nearest_name(alias, relations_);
    throw Error(sqlstate::kUndefinedTable, fmt::format("missing FROM-clause entry for table \"{}\"", alias), position,
                nearest.empty() ? std::string() : fmt::format("Perhaps you meant the table \"{}\".", nearest));
  }
  return static_cast<int>(found - relations_.begin());
}

std::vector<ScopeColumn> Scope::star(const std::string& relation, int position) const {
  const Scope* owner = relation.empty() ? this : with_relation(relation);
  if (owner != nullptr && owner != this) return owner->star(relation, position);
  const int number = relation.empty() ? -1 : find_relation(relation, position);
  std::vector<ScopeColumn> result;
  for (const ScopeColumn& column : columns_) {
    if (number < 0 ? !column.merged : column.relation == number) result.push_back(column);
  }
  return result;
}

std::string Scope::qualified_name(ColumnId id, bool quoted) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const ScopeColumn& c) { return c.id == id && c.relation >= 0; });
  if (id < 0 || found == columns_.end()) return {};
  const std::string& relation = relations_[static_cast<std::size_t>(found->relation)];
  return quoted ? as_identifier(relation) + '.' + as_identifier(found->name) : relation + '.' + found->name;
}

}  // namespace saccade
