// The names that a FROM clause makes visible, and their columns; behind them those of the enclosing queries.
//
// A value built while the FROM clause is bound and only read afterwards. It points to the scope of the enclosing query, which
// outlives it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/binder/binding_context.hpp"

namespace saccade {

struct ScopeColumn {
  std::string name;
  ColumnId id = -1;
  DataType type;
  int relation = 0;     // -1: found without a table's name only
  bool merged = false;  // one side of JOIN USING: found by its qualified name only
  // What stands for the column where that is no column: both sides of a USING merged. It has no id then.
  std::optional<Expression> value = std::nullopt;

  Expression reference(int position) const;
};

// A column of JOIN USING, which stands first in *: the one of the left or of the right side, or an expression over both.
struct MergedColumn {
  std::string name;
  enum class From { kLeft, kRight, kValue } from = From::kLeft;
  std::optional<Expression> value;
};

class Scope {
 public:
  Scope() = default;
  explicit Scope(const Scope* outer) : outer_(outer) {}

  // What find() looks through after this scope's own names; null where no query encloses this one.
  const Scope* outer() const { return outer_; }
  // The same names with others behind them.
  Scope inside(const Scope* outer) const {
    Scope result = *this;
    result.outer_ = outer;
    return result;
  }
  // Errors: 42712 where the alias is taken.
  int add_relation(const std::string& alias, int position);
  void add_column(ScopeColumn column) { columns_.push_back(std::move(column)); }
  // Another scope beside this one (a join). Errors: 42712.
  void append(Scope other, int position);
  // JOIN USING: these columns of the relations from `first_relation` on (the right side) and of those before it are one.
  // `first_column`: the first column of the right side.
  void merge_columns(const std::vector<MergedColumn>& columns, std::size_t first_column);
  // An alias of a join: what * shows of it becomes a relation of that name, and the tables' own names are gone. `names`, if
  // any, name its first columns. Errors: 42P10 where there are too many.
  void rename(const std::string& alias, const std::vector<std::string>& names, int position);
  // JOIN USING (...) AS alias: a further relation that holds the merged columns, the first `count` of *.
  void add_alias_of_merged(const std::string& alias, std::size_t count, int position);

  const std::vector<ScopeColumn>& columns() const { return columns_; }
  int relation_count() const { return static_cast<int>(relations_.size()); }
  bool has_relation(const std::string& alias) const;
  bool has_column(const std::string& name) const;

  bool owns(ColumnId id) const;

  // In this scope, else in the nearest enclosing one that has it. Errors: 42703 and 42P01 with a hint, 42702.
  const ScopeColumn& find(const std::string& name, int position) const;
  // In this scope alone.
  const ScopeColumn& find_own(const std::string& name, int position) const;
  const ScopeColumn& find(const std::string& relation, const std::string& name, int position) const;
  // The columns of t.*; of * where `relation` is empty. Errors: 42P01.
  std::vector<ScopeColumn> star(const std::string& relation, int position) const;
  // "t.c" for messages; "" where the column is of another scope. `quoted`: as SQL text, t."C" where it needs quotes.
  std::string qualified_name(ColumnId id, bool quoted = false) const;

 private:
  const Scope* with_column(const std::string& name) const;
  const Scope* with_relation(const std::string& alias) const;
  int find_relation(const std::string& alias, int position) const;
  [[noreturn]] void undefined(const std::string& shown, const std::string& name, int position) const;

  const Scope* outer_ = nullptr;
  std::vector<std::string> relations_;
  std::vector<ScopeColumn> columns_;
};

}  // namespace saccade
