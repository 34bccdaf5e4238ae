#include "optimizer/optimizer.hpp"

#include "optimizer/rules/rules.hpp"

namespace saccade {

LogicalPlan optimize(LogicalPlan plan) {
  // Renamings first: a projection of plain columns between two joins would keep them in separate regions for every later rule.
  remove_renamings(plan);
  // Then everything that makes conditions simpler, so that later rules see `column op constant` where there is one: constants
  // are folded before casts are taken off columns (the new constant is computed from the folded one).
  fold_constants(plan);
  unwrap_casts(plan);
  // New conjuncts appear here: they must exist before conditions are moved to where they filter most.
  factor_disjunctions(plan);
  // More inner joins: larger regions for what follows.
  simplify_outer_joins(plan);
  infer_conditions(plan);
  // Every condition goes to the lowest place it may stand in; what is left at joins are the conditions of the join graph.
  push_down_conditions(plan);
  // Needs the filtered sizes of the relations, hence after the push-down.
  place_semi_joins(plan);
  order_joins(plan);
  // Within one place the order is free for conditions that cannot fail.
  order_conjuncts(plan);
  // Keys before columns: a key that is dropped may free a column.
  remove_duplicate_keys(plan);
  prune_columns(plan);
  return plan;
}

}  // namespace saccade
