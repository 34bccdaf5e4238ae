// Binds a SELECT: FROM, WHERE, GROUP BY, HAVING, the select list, DISTINCT, ORDER BY, LIMIT, in the order in which they act.
#pragma once

#include "sql/binder/binding_context.hpp"

namespace saccade {

// Sets the context's plan from the fields of a SelectStmt.
void bind_select(BindingContext& context, const nlohmann::json& select);

// The name that PostgreSQL gives to a select list's expression without an alias.
std::string result_name(const nlohmann::json& expression);

}  // namespace saccade
