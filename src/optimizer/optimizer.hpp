// Rewrites a bound plan into one that gives the same rows (or the same error) for less work.
//
// An ordered list of rules, each a function over the whole plan; optimizer.cpp states the order and its reasons. Deterministic:
// the same plan and statistics give the same result on every machine.
#pragma once

#include "plan/logical_plan.hpp"

namespace saccade {

LogicalPlan optimize(LogicalPlan plan);

// A constant expression's value; what can fail, or is computed only when it runs, is left as it is.
Expression fold_constants(Expression expression);

}  // namespace saccade
