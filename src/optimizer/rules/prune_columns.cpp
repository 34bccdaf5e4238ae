#include <set>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

using ColumnSet = std::set<ColumnId>;

void require(const Expression& expression, ColumnSet& required) {
  for (const ColumnId id : columns_of(expression)) required.insert(id);
}

void prune_scan(LogicalNode& node, const ColumnSet& required) {
  std::vector<int> columns;
  std::vector<ColumnId> outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!required.contains(node.outputs[i])) continue;
    columns.push_back(node.columns[i]);
    outputs.push_back(node.outputs[i]);
  }
  node.columns = std::move(columns);
  node.outputs = std::move(outputs);
}

void prune_project(LogicalNode& node, const ColumnSet& required) {
  std::vector<Expression> expressions;
  std::vector<ColumnId> outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!required.contains(node.outputs[i])) continue;
    expressions.push_back(std::move(node.expressions[i]));
    outputs.push_back(node.outputs[i]);
  }
  node.expressions = std::move(expressions);
  node.outputs = std::move(outputs);
}

// Keys decide which groups there are, so they stay; one aggregate stays where nothing else would.
void prune_aggregate(LogicalNode& node, const ColumnSet& required) {
  std::vector<AggregateCall> calls;
  for (const AggregateCall& call : node.aggregates) {
    if (required.contains(call.output)) calls.push_back(call);
  }
  if (calls.empty() && node.expressions.empty() && !node.aggregates.empty()) calls.push_back(node.aggregates.front());
  node.aggregates = std::move(calls);
}

void prune(LogicalNode& node, ColumnSet required) {
  switch (node.kind) {
    case LogicalKind::kScan:
      prune_scan(node, required);
      return;
    case LogicalKind::kProject:
      prune_project(node, required);
      required.clear();
      break;
    case LogicalKind::kAggregate:
      prune_aggregate(node, required);
      required.clear();
      break;
    default:
      break;
  }
  for_each_expression(node, [&](Expression& expression) { require(expression, required); });
  for (LogicalNode& child : node.children) prune(child, required);
}

}  // namespace

void prune_columns(LogicalPlan& plan) {
  ColumnSet required;
  for (const ResultColumn& result : plan.result) required.insert(result.column);
  prune(plan.root, std::move(required));
}

}  // namespace saccade
