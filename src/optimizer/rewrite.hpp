// Walking and rebuilding expressions and nodes: what the rules share.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "plan/logical_plan.hpp"
#include "plan/walk.hpp"

namespace saccade {

using Substitution = std::map<ColumnId, Expression>;

// `change` on the root of each part that is computed on its own: those that are shared in their order, then the plan's.
void for_each_root(LogicalPlan& plan, const std::function<void(LogicalNode&)>& change);

// `change` on every node of every part, a node after its children.
void for_each_node(LogicalPlan& plan, const std::function<void(LogicalNode&)>& change);

// Replaces columns by what they stand for, once.
Expression substitute(Expression expression, const Substitution& substitution);

// What the plan and its shared parts put out, where columns have given way to other columns.
void rename_outputs(LogicalPlan& plan, const Substitution& renamed);

// The same in all expressions of a tree.
void substitute_below(LogicalNode& node, const Substitution& substitution);

// Output column -> expression, of a projection or of an aggregate's keys.
Substitution definitions_of(const LogicalNode& node);

// The conjuncts of conjunctions, nested ones too, in order.
void split_conjunction(Expression expression, std::vector<Expression>& conjuncts);
// One expression that is true where all are (two or more: kAnd; one: itself; none: true).
Expression conjunction_of(std::vector<Expression> conjuncts);

// The child itself where there are no conjuncts.
LogicalNode make_filter(std::vector<Expression> conjuncts, LogicalNode child);

bool is_literal(const Expression& expression);
bool is_true(const Expression& expression);           // the literal
bool is_false_or_null(const Expression& expression);  // a literal that keeps no row
bool is_comparison(Operation operation);
// NULL wherever an argument is, and never null where none is.
bool is_strict(Operation operation);
// a op b -> b mirrored(op) a, for comparisons.
Operation mirrored(Operation operation);

// What an equality compares: a = b, or a IS NOT DISTINCT FROM b as the binder writes it (two NULLs are equal then).
struct EqualOperands {
  const Expression* a;
  const Expression* b;
  bool null_safe = false;
};
std::optional<EqualOperands> equal_operands(const Expression& condition);
// a IS NOT DISTINCT FROM b; operands of one type.
Expression not_distinct(const Expression& a, const Expression& b);

// Every column of `columns` is one of `available` (sorted).
bool covered(const std::vector<ColumnId>& columns, const std::vector<ColumnId>& available);
std::vector<ColumnId> sorted_columns(const LogicalNode& node);

}  // namespace saccade
