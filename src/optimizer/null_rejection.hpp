// Conditions that are not true where some columns are NULL: they undo the rows that an outer join adds.
#pragma once

#include <vector>

#include "plan/expression.hpp"

namespace saccade {

// The condition is false or NULL in every row in which all of `columns` (sorted) are NULL, whatever the others hold.
bool rejects_null(const Expression& condition, const std::vector<ColumnId>& columns);

}  // namespace saccade
