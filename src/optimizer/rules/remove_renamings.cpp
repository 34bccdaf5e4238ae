#include <algorithm>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// A column from outside (a subquery names one of its surroundings) is a value that this projection makes: above an outer join
// it is NULL where the subquery gives no row.
bool is_renaming(const LogicalNode& node) {
  if (node.kind != LogicalKind::kProject) return false;
  const std::vector<ColumnId> made = sorted_columns(node.children.at(0));
  return std::all_of(node.expressions.begin(), node.expressions.end(), [&](const Expression& expression) {
    return expression.operation == Operation::kColumn && std::binary_search(made.begin(), made.end(), expression.column);
  });
}

// `renamings` grows from the leaves up; its expressions name columns that still exist.
void remove_below(LogicalNode& node, Substitution& renamings) {
  for (LogicalNode& child : node.children) remove_below(child, renamings);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), renamings); });
  if (!is_renaming(node)) {
    // What it passes through under a name that is gone has the new one above it too.
    for (std::size_t i = 0; node.kind == LogicalKind::kProject && i < node.outputs.size(); ++i) {
      const auto renamed = renamings.find(node.outputs[i]);
      if (renamed != renamings.end() && node.expressions[i] == renamed->second) node.outputs[i] = renamed->second.column;
    }
    return;
  }
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
