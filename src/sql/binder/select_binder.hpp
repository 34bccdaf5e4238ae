// Binds a SELECT: FROM, WHERE, GROUP BY, HAVING, the select list, DISTINCT, ORDER BY, LIMIT, in the order in which they act.
#pragma once

#include "sql/binder/common_tables.hpp"

namespace saccade {

// Sets the context's plan from the fields of a SelectStmt.
void bind_select(BindingContext& context, const nlohmann::json& select);

// A query within a statement: the main one, a subquery, a common table, a view. `outer`: the names of enclosing queries, which
// its expressions may use; null where there are none. Errors: 54001 where queries nest too deep.
BoundQuery bind_query(BindingContext& context, const nlohmann::json& select, const Scope* outer);

// The same as an operand of a set operation: the type of an untyped constant in its select list stays unknown.
BoundQuery bind_branch(BindingContext& context, const nlohmann::json& select, const Scope* outer);

// The name that PostgreSQL gives to a select list's expression without an alias.
std::string result_name(const nlohmann::json& expression);

}  // namespace saccade
