// Which columns of a node hold no combination of values twice, as its operators and statistics prove.
#pragma once

#include <vector>

#include "plan/logical_plan.hpp"

namespace saccade {

// No two rows of the node agree in all of `columns` (sorted), where NULL agrees with NULL unless a single column of a table
// proves it: there several rows may be NULL.
bool unique_by(const LogicalNode& node, const std::vector<ColumnId>& columns);

// Each row of the left child matches at most one of the right: the right is unique by the columns that equalities compare.
bool matches_at_most_once(const LogicalNode& join);

}  // namespace saccade
