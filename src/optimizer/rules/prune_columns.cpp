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

// Of every child or row the same columns go.
void prune_rows(LogicalNode& node, const ColumnSet& required) {
  const std::size_t width = node.outputs.size();
  std::vector<Expression> expressions;
  for (std::size_t e = 0; e < node.expressions.size(); ++e) {
    if (required.contains(node.outputs[e % width])) expressions.push_back(std::move(node.expressions[e]));
  }
  std::erase_if(node.outputs, [&](ColumnId output) { return !required.contains(output); });
  node.expressions = std::move(expressions);
}

// A window without calls does nothing: true where its child has taken its place.
bool prune_window(LogicalNode& node, const ColumnSet& required) {
  std::erase_if(node.window_calls, [&](const WindowCall& call) { return !required.contains(call.output); });
  if (!node.window_calls.empty()) return false;
  LogicalNode child = std::move(node.children.at(0));
  node = std::move(child);
  return true;
}

void prune(LogicalNode& node, ColumnSet required) {
  while (node.kind == LogicalKind::kWindow && prune_window(node, required)) {
  }
  switch (node.kind) {
    case LogicalKind::kScan:
    case LogicalKind::kShared:
      prune_scan(node, required);
      return;
    case LogicalKind::kUnion:
    case LogicalKind::kValues:
      prune_rows(node, required);
      required.clear();
      break;
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

// The columns of a shared part that its readers ask for; they come after it and have been pruned already.
ColumnSet required_of(LogicalPlan& plan, std::size_t shared) {
  std::set<int> numbers;
  const auto collect = [&](LogicalNode& node) {
    if (node.kind != LogicalKind::kShared || node.shared != static_cast<int>(shared)) return;
    numbers.insert(node.columns.begin(), node.columns.end());
  };
  for_each_node(plan, collect);
  ColumnSet required;
  for (const int number : numbers) required.insert(plan.shared[shared].columns[static_cast<std::size_t>(number)]);
  return required;
}

// Takes the columns that nobody reads out of a shared part, and renumbers those of its readers.
void drop_shared_columns(LogicalPlan& plan, std::size_t shared, const ColumnSet& required) {
  std::vector<ColumnId>& columns = plan.shared[shared].columns;
  std::vector<int> number(columns.size(), -1);
  std::vector<ColumnId> kept;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!required.contains(columns[i])) continue;
    number[i] = static_cast<int>(kept.size());
    kept.push_back(columns[i]);
  }
  columns = std::move(kept);
  for_each_node(plan, [&](LogicalNode& node) {
    if (node.kind != LogicalKind::kShared || node.shared != static_cast<int>(shared)) return;
    for (int& column : node.columns) column = number[static_cast<std::size_t>(column)];
  });
}

}  // namespace

void prune_columns(LogicalPlan& plan) {
  ColumnSet result;
  for (const ResultColumn& column : plan.result) result.insert(column.column);
  prune(plan.root, std::move(result));
  for (std::size_t i = plan.shared.size(); i-- > 0;) {
    const ColumnSet required = required_of(plan, i);
    drop_shared_columns(plan, i, required);
    prune(plan.shared[i].root, required);
  }
}

}  // namespace saccade
