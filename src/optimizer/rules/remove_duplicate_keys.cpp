#include <algorithm>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// The first key of equal ones stays; the others' outputs stand for it from here up.
void deduplicate_groups(LogicalNode& node, Substitution& replaced) {
  std::vector<Expression> keys;
  std::vector<ColumnId> outputs;
  for (std::size_t i = 0; i < node.expressions.size(); ++i) {
    const auto found = std::find(keys.begin(), keys.end(), node.expressions[i]);
    if (found == keys.end()) {
      keys.push_back(std::move(node.expressions[i]));
      outputs.push_back(node.outputs[i]);
    } else {
      const ColumnId kept = outputs[static_cast<std::size_t>(found - keys.begin())];
      replaced.emplace(node.outputs[i], column_expression(kept, found->type));
    }
  }
  node.expressions = std::move(keys);
  node.outputs = std::move(outputs);
}

// Rows equal in a key are not ordered by a later key over the same expression, whatever its direction.
void deduplicate_sort(LogicalNode& node) {
  std::vector<SortKey> keys;
  for (SortKey& key : node.sort_keys) {
    const bool repeated =
        std::any_of(keys.begin(), keys.end(), [&](const SortKey& earlier) { return earlier.expression == key.expression; });
    if (!repeated && !is_literal(key.expression)) keys.push_back(std::move(key));
  }
  node.sort_keys = std::move(keys);
  if (!node.sort_keys.empty()) return;
  LogicalNode child = std::move(node.children.at(0));
  node = std::move(child);
}

}  // namespace

void remove_duplicate_keys(LogicalPlan& plan) {
  Substitution replaced;
  for_each_node(plan, [&](LogicalNode& node) {
    for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), replaced); });
    if (node.kind == LogicalKind::kAggregate) deduplicate_groups(node, replaced);
    if (node.kind == LogicalKind::kSort) deduplicate_sort(node);
  });
  rename_outputs(plan, replaced);
}

}  // namespace saccade
