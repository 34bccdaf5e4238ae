// The optimizer's rules, one a file of this folder. Each keeps the plan's result and the error rule: an expression that can
// fail is evaluated only for rows that the conditions before it in the query's order have let through.
#pragma once

#include "plan/logical_plan.hpp"

namespace saccade {

// Shared parts in an order in which each stands before its readers; one that nobody reads goes, one with a single reader takes
// the reader's place.
void tidy_shared(LogicalPlan& plan);

// Tests for NULL of what is never null, and what a condition may lose because it keeps only rows for which it is true.
void simplify_subqueries(LogicalPlan& plan);

// Joins that change neither the number of rows nor any column that is read.
void remove_unused_joins(LogicalPlan& plan);

// No join's right child names a column of its left child any more (unnest.hpp).
void unnest_subqueries(LogicalPlan& plan);

// Filters by the mark of a join become semi and anti joins; a semi join with rows that are unique by its key an inner one.
void find_semi_joins(LogicalPlan& plan);

// Rows below an aggregate whose groups are joined with few rows are semi-joined with those first.
void reduce_groups(LogicalPlan& plan);

// Takes FILTER and DISTINCT out of aggregates: what is filtered becomes NULL, what is distinct is grouped first. No later rule
// and no backend knows of them.
void lower_aggregates(LogicalPlan& plan);

// Unions of unions become one; branches that are constant rows become one list of values. Needs folded constants.
void merge_unions(LogicalPlan& plan);

// Takes out projections that only rename columns; everything above names the original columns.
void remove_renamings(LogicalPlan& plan);

// Computes constant expressions with the functions that rows are computed with, simplifies connectives, puts constants on the
// right of comparisons and splits conjunctions. What would raise an error is left for run time, where it may never be reached.
void fold_constants(LogicalPlan& plan);

// cast(column) op constant -> column op constant', for casts that only widen (date to timestamp, integers, scales of numerics).
void unwrap_casts(LogicalPlan& plan);

// (a and b) or (a and c) -> a and (b or c).
void factor_disjunctions(LogicalPlan& plan);

// Outer joins whose added rows a condition above drops become left or inner joins; semi joins that find at most one match
// become inner joins, which are free to be ordered.
void simplify_outer_joins(LogicalPlan& plan);

// a = b and a op constant: adds b op constant, on the sides of outer and semi joins as well where it only drops rows that can't
// matter. A disjunction over several tables: adds what it says of each.
void infer_conditions(LogicalPlan& plan);

// Moves conjuncts down: through projections and sorts, to the sides of joins, below aggregates on their keys. Conjuncts over
// both sides of a cross product become join conditions. What can fail is never moved below a join or an aggregate.
void push_down_conditions(LogicalPlan& plan);

// Semi and anti joins that keep few rows of one side of an inner join below them go down to that side.
void place_semi_joins(LogicalPlan& plan);

// Reorders each region of inner joins by estimated cost; children[1] of each join is the build side.
void order_joins(LogicalPlan& plan);

// Within a filter: conjuncts that cannot fail first, the most selective for their cost ahead; the others after them, in order.
void order_conjuncts(LogicalPlan& plan);

// Repeated group and sort keys do nothing.
void remove_duplicate_keys(LogicalPlan& plan);

// Scans read only what is used; unused expressions and aggregates go.
void prune_columns(LogicalPlan& plan);

}  // namespace saccade
