#include <algorithm>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

bool is_renaming(const LogicalNode& node) {
  return node.kind == LogicalKind::kProject &&
         std::all_of(node.expressions.begin(), node.expressions.end(),
                     [](const Expression& expression) { return expression.operation == Operation::kColumn; });
}

// `renamings` grows from the leaves up; its expressions name columns that still exist.
void remove_below(LogicalNode& node, Substitution& renamings) {
  for (LogicalNode& child : node.children) remove_below(child, renamings);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), renamings); });
  if (!is_renaming(node)) return;
  for (auto& [output, expression] : definitions_of(node)) {
    if (expression.column != output) renamings.emplace(output, expression);
  }
  LogicalNode child = std::move(node.children.at(0));
  node = std::move(child);
}

}  // namespace

void remove_renamings(LogicalPlan& plan) {
  Substitution renamings;
  for_each_root(plan, [&](LogicalNode& root) { remove_below(root, renamings); });
  rename_outputs(plan, renamings);
}

}  // namespace saccade
