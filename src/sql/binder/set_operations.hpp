// Binds what puts rows of several queries together: UNION, INTERSECT, EXCEPT and VALUES.
#pragma once

#include "sql/binder/common_tables.hpp"

namespace saccade {

// A SelectStmt with an "op". Its ORDER BY, LIMIT and WITH are bound as well. Errors: 42601 where the queries have not the same
// number of columns, 42804 where types do not match, 54001 where unlike operations nest too deep.
BoundQuery bind_set_operation(BindingContext& context, const nlohmann::json& select, const Scope* outer);

// A SelectStmt with "valuesLists". Errors: 42601 for lists of different lengths, 42804.
BoundQuery bind_values(BindingContext& context, const nlohmann::json& select, const Scope* outer);

// ORDER BY, which may name only the query's columns, and LIMIT over a bound query.
BoundQuery order_and_limit(BindingContext& context, const nlohmann::json& select, BoundQuery query, std::string_view what);

}  // namespace saccade
