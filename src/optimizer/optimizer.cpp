#include "optimizer/optimizer.hpp"

#include "optimizer/rules/rules.hpp"

namespace saccade {

LogicalPlan optimize(LogicalPlan plan) {
  // A part with one reader is optimized in its place.
  tidy_shared(plan);
  // Renamings first: a projection of plain columns between two joins would keep them in separate regions for every later rule.
  remove_renamings(plan);
  // Then everything that makes conditions simpler, so that later rules see `column op constant` where there is one: constants
  // are folded before casts are taken off columns (the new constant is computed from the folded one).
  fold_constants(plan);
  merge_unions(plan);
  unwrap_casts(plan);
  // NOT IN without NULLs is an anti join and needs no counts: their joins go before work is spent on them.
  simplify_subqueries(plan);
  remove_unused_joins(plan);
  // New conjuncts appear here: they must exist before conditions are moved to where they filter most.
  factor_disjunctions(plan);
  // More inner joins: larger regions for what follows.
  simplify_outer_joins(plan);
  infer_conditions(plan);
  // Every condition goes to the lowest place it may stand in. Before unnesting, so that a subquery is computed for the rows
  // that the query gets to; after it again, as its joins are then part of the join graph.
  push_down_conditions(plan);
  unnest_subqueries(plan);
  tidy_shared(plan);
  // Unnesting gives aggregates more keys; only then are their repeated rows taken apart.
  lower_aggregates(plan);
  remove_renamings(plan);
  fold_constants(plan);
  // What a condition compares with a subquery's value needs no row where there is none.
  simplify_outer_joins(plan);
  infer_conditions(plan);
  push_down_conditions(plan);
  find_semi_joins(plan);
  // Regions are complete now: what joins a group with few rows is known.
  reduce_groups(plan);
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
