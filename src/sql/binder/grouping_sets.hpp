// GROUPING SETS, ROLLUP and CUBE: which sets of keys a GROUP BY clause asks for.
#pragma once

#include <functional>
#include <vector>

#include "sql/binder/binding_context.hpp"

namespace saccade {

using GroupingSet = std::vector<std::size_t>;  // keys by number; ascending, without repeats

// The sets of a "groupClause": each item gives some, and every combination of one of each item is a set. One set where only
// keys are listed. `bind_key` gives an expression's number. Errors: 54001 for more than 4096 sets, 54011 for a CUBE of more
// than 12.
std::vector<GroupingSet> grouping_sets(const BindingContext& context, const nlohmann::json& items,
                                       const std::function<std::size_t(const nlohmann::json&)>& bind_key);

}  // namespace saccade
