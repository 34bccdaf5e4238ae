// The clauses that end a query of any kind: ORDER BY's directions, LIMIT and OFFSET.
#pragma once

#include "sql/binder/binding_context.hpp"

namespace saccade {

// ASC or DESC, NULLS FIRST or LAST of a SortBy's fields. Errors: 0A000 for USING.
void set_direction(const BindingContext& context, const nlohmann::json& fields, SortKey& key);

// LIMIT, OFFSET and WITH TIES over `node`, where there are any. Errors: 2201W, 2201X, 0A000.
LogicalNode limit_rows(BindingContext& context, const nlohmann::json& select, LogicalNode node);

// Adds row_number() or rank() to a kWindow; its column.
ColumnId add_row_number(BindingContext& context, LogicalNode& window, WindowKind kind);
// column op number, for such columns.
Expression compare_count(Operation operation, ColumnId column, std::int64_t number);

}  // namespace saccade
