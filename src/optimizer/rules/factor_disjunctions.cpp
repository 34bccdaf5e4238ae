#include <algorithm>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

using Conjuncts = std::vector<Expression>;

bool contains(const Conjuncts& conjuncts, const Expression& wanted) {
  return std::find(conjuncts.begin(), conjuncts.end(), wanted) != conjuncts.end();
}

// The conjuncts that every branch has. Only such as cannot fail: in front they are evaluated for more rows than in a branch.
Conjuncts common_conjuncts(const std::vector<Conjuncts>& branches, const ColumnRanges& ranges) {
  Conjuncts common;
  for (const Expression& candidate : branches.front()) {
    const bool everywhere =
        std::all_of(branches.begin(), branches.end(), [&](const Conjuncts& branch) { return contains(branch, candidate); });
    if (everywhere && !contains(common, candidate) && !can_fail(candidate, ranges)) common.push_back(candidate);
  }
  return common;
}

// Appends what `conjunct` factors into.
void factor(Expression conjunct, const ColumnRanges& ranges, Conjuncts& result) {
  if (conjunct.operation != Operation::kOr) {
    result.push_back(std::move(conjunct));
    return;
  }
  std::vector<Conjuncts> branches;
  for (const Expression& argument : conjunct.arguments) split_conjunction(argument, branches.emplace_back());
  const Conjuncts common = common_conjuncts(branches, ranges);
  if (common.empty()) {
    result.push_back(std::move(conjunct));
    return;
  }
  Conjuncts rests;
  bool settled = false;  // a branch of common conjuncts alone is true wherever they are
  for (Conjuncts& branch : branches) {
    std::erase_if(branch, [&](const Expression& part) { return contains(common, part); });
    settled |= branch.empty();
    rests.push_back(conjunction_of(std::move(branch)));
  }
  result.insert(result.end(), common.begin(), common.end());
  if (!settled) result.push_back(call_expression(Operation::kOr, {TypeKind::kBoolean}, std::move(rests)));
}

}  // namespace

void factor_disjunctions(LogicalPlan& plan) {
  const Cardinality cardinality(plan);
  const ColumnRanges ranges = cardinality.ranges();
  for_each_node(plan, [&](LogicalNode& node) {
    Conjuncts factored;
    for (Expression& conjunct : node.conjuncts) factor(std::move(conjunct), ranges, factored);
    node.conjuncts = std::move(factored);
  });
}

}  // namespace saccade
