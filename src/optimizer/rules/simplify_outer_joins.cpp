#include <utility>

#include "optimizer/null_rejection.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"
#include "optimizer/unique_columns.hpp"

namespace saccade {
namespace {

using Conjuncts = std::vector<Expression>;

bool any_rejects(const Conjuncts& conjuncts, const LogicalNode& side) {
  const std::vector<ColumnId> columns = sorted_columns(side);
  for (const Expression& conjunct : conjuncts) {
    if (rejects_null(conjunct, columns)) return true;
  }
  return false;
}

// A full join whose added rows of one side are dropped above is a left join that keeps the other side.
void simplify_join(LogicalNode& node, const Conjuncts& above) {
  if (node.join_kind == JoinKind::kFull) {
    const bool left_rejected = any_rejects(above, node.children.at(0));
    const bool right_rejected = any_rejects(above, node.children.at(1));
    if (left_rejected || right_rejected) node.join_kind = JoinKind::kLeft;
    if (right_rejected && !left_rejected) std::swap(node.children[0], node.children[1]);
  }
  if (node.join_kind == JoinKind::kSemi && matches_at_most_once(node)) node.join_kind = JoinKind::kInner;
  if (node.join_kind == JoinKind::kLeft && any_rejects(above, node.children.at(1))) node.join_kind = JoinKind::kInner;
}

Conjuncts joined(const Conjuncts& a, const Conjuncts& b) {
  Conjuncts result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

// `above`: conditions that are true in every row of the node that the result depends on.
void simplify(LogicalNode& node, const Conjuncts& above);

void simplify_sides(LogicalNode& node, const Conjuncts& above) {
  const bool keeps_left = node.join_kind != JoinKind::kInner && node.join_kind != JoinKind::kSemi;
  const bool full = node.join_kind == JoinKind::kFull;
  const Conjuncts both = joined(above, node.conjuncts);
  simplify(node.children.at(0), full ? Conjuncts{} : keeps_left ? above : both);
  simplify(node.children.at(1), full ? Conjuncts{} : node.join_kind == JoinKind::kInner ? both : node.conjuncts);
}

void simplify(LogicalNode& node, const Conjuncts& above) {
  switch (node.kind) {
    case LogicalKind::kFilter:
      simplify(node.children.at(0), joined(above, node.conjuncts));
      return;
    case LogicalKind::kJoin:
      simplify_join(node, above);
      simplify_sides(node, above);
      return;
    case LogicalKind::kProject: {
      const Substitution definitions = definitions_of(node);
      Conjuncts below = above;
      for (Expression& conjunct : below) conjunct = substitute(std::move(conjunct), definitions);
      simplify(node.children.at(0), below);
      return;
    }
    case LogicalKind::kSort:
      simplify(node.children.at(0), above);
      return;
    default:
      for (LogicalNode& child : node.children) simplify(child, {});
  }
}

}  // namespace

void simplify_outer_joins(LogicalPlan& plan) {
  for_each_root(plan, [](LogicalNode& root) { simplify(root, {}); });
}

}  // namespace saccade
