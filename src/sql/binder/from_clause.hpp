// Binds FROM: tables, files, subqueries and joins to a tree of scans and joins, and the scope of their names.
#pragma once

#include "sql/binder/common_tables.hpp"
#include "sql/binder/scope.hpp"

namespace saccade {

struct FromClause {
  LogicalNode node;  // scans of all columns; finish_plan() leaves those that the statement needs
  Scope scope;
};

// `items`: the list "fromClause"; `outer`: what the query sees of enclosing ones. Errors: 42P01, 42712, 42P10, 0A000, those of
// FileOpener::open, of queries and of expressions.
FromClause bind_from(BindingContext& context, const nlohmann::json& items, const Scope* outer);

// A query in the place of a table, under the names of an alias ({"aliasname": ..., "colnames": ...}; an empty object: `name`).
FromClause as_table(BoundQuery query, const std::string& name, const nlohmann::json& alias, const Scope* outer, int position);

// When the context's plan is complete: cuts scans, shared parts and projections down to what is needed, drops shared parts that
// nobody reads, and has the tables prepare the columns that are left.
void finish_plan(BindingContext& context);

}  // namespace saccade
