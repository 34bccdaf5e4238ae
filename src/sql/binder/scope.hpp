// The names that a FROM clause makes visible, and their columns.
//
// A value built while the FROM clause is bound and only read afterwards.
#pragma once

#include <string>
#include <vector>

#include "sql/binder/binding_context.hpp"

namespace saccade {

struct ScopeColumn {
  std::string name;
  ColumnId id = -1;
  DataType type;
  int relation = 0;
  bool merged = false;  // the right side of JOIN USING: found by its qualified name only
};

class Scope {
 public:
  // Errors: 42712 where the alias is taken.
  int add_relation(const std::string& alias, int position);
  void add_column(ScopeColumn column) { columns_.push_back(std::move(column)); }
  // Another scope beside this one (a join). Errors: 42712.
  void append(Scope other, int position);
  // JOIN USING: these columns of the relations from `first_relation` on are the same as those of the relations before it,
  // which come first in *.
  void merge_columns(const std::vector<std::string>& names, int first_relation);

  const std::vector<ScopeColumn>& columns() const { return columns_; }
  int relation_count() const { return static_cast<int>(relations_.size()); }
  bool has_relation(const std::string& alias) const;
  bool has_column(const std::string& name) const;

  // Errors: 42703 and 42P01 with a hint, 42702.
  const ScopeColumn& find(const std::string& name, int position) const;
  const ScopeColumn& find(const std::string& relation, const std::string& name, int position) const;
  // The columns of t.*; of * where `relation` is empty. Errors: 42P01.
  std::vector<ScopeColumn> star(const std::string& relation, int position) const;
  // "t.c" for messages; "" where the column is of another scope. `quoted`: as SQL text, t."C" where it needs quotes.
  std::string qualified_name(ColumnId id, bool quoted = false) const;

 private:
  int find_relation(const std::string& alias, int position) const;
  [[noreturn]] void undefined(const std::string& shown, const std::string& name, int position) const;

  std::vector<std::string> relations_;
  std::vector<ScopeColumn> columns_;
};

}  // namespace saccade
