#include "plan/walk.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace saccade {

namespace {

void for_each_expression(AggregateCall& call, const std::function<void(Expression&)>& change) {
  for (Expression& argument : call.arguments) change(argument);
  if (call.filter) change(*call.filter);
}

}  // namespace

void for_each_expression(LogicalNode& node, const std::function<void(Expression&)>& change) {
  for (Expression& expression : node.expressions) change(expression);
  for (Expression& conjunct : node.conjuncts) change(conjunct);
  for (Expression& guard : node.guards) change(guard);
  for (AggregateCall& call : node.aggregates) for_each_expression(call, change);
  for (WindowCall& call : node.window_calls) {
    for (Expression& argument : call.arguments) change(argument);
    if (call.aggregate) for_each_expression(*call.aggregate, change);
  }
  for (SortKey& key : node.sort_keys) change(key.expression);
}

// One list of what a node holds serves both: the expressions are only shown here.
void for_each_expression(const LogicalNode& node, const std::function<void(const Expression&)>& see) {
  for_each_expression(const_cast<LogicalNode&>(node), [&](Expression& expression) { see(expression); });
}

void for_each_output(LogicalNode& node, const std::function<void(ColumnId&)>& change) {
  for (ColumnId& output : node.outputs) change(output);
  for (AggregateCall& call : node.aggregates) change(call.output);
  for (WindowCall& call : node.window_calls) change(call.output);
  if (node.mark >= 0) change(node.mark);
}

void for_each_node(LogicalNode& node, const std::function<void(LogicalNode&)>& change) {
  for (LogicalNode& child : node.children) for_each_node(child, change);
  change(node);
}

void for_each_node(const LogicalNode& node, const std::function<void(const LogicalNode&)>& see) {
  for (const LogicalNode& child : node.children) for_each_node(child, see);
  see(node);
}

void for_each_column(Expression& expression, const std::function<void(Expression&)>& change) {
  if (expression.operation == Operation::kColumn) {
    change(expression);
    return;
  }
  for (Expression& argument : expression.arguments) for_each_column(argument, change);
}

std::vector<ColumnId> free_columns(const LogicalNode& root) {
  std::vector<ColumnId> named, made;
  for_each_node(root, [&](const LogicalNode& node) {
    for_each_expression(node, [&](const Expression& expression) {
      const std::vector<ColumnId> columns = columns_of(expression);
      named.insert(named.end(), columns.begin(), columns.end());
    });
    for_each_output(const_cast<LogicalNode&>(node), [&](ColumnId& column) { made.push_back(column); });
  });
  for (std::vector<ColumnId>* columns : {&named, &made}) {
    std::sort(columns->begin(), columns->end());
    columns->erase(std::unique(columns->begin(), columns->end()), columns->end());
  }
  std::vector<ColumnId> result;
  std::set_difference(named.begin(), named.end(), made.begin(), made.end(), std::back_inserter(result));
  return result;
}

namespace {

struct RowCount {
  bool one = false, at_most_one = false;
};

// How many rows nodes give. A shared part is looked at once: a chain of parts, each read twice, is walked in a line.
class RowCounter {
 public:
  explicit RowCounter(const LogicalPlan& plan) : plan_(plan) {}

  RowCount count(const LogicalNode& node) {
    const auto child = [&](std::size_t i) { return count(node.children.at(i)); };
    switch (node.kind) {
      case LogicalKind::kOneRow:
        return {true, true};
      case LogicalKind::kProject:
      case LogicalKind::kSort:
      case LogicalKind::kWindow:
        return child(0);
      case LogicalKind::kFilter:
        return {false, child(0).at_most_one};
      case LogicalKind::kValues:
        return {node.rows == 1, node.rows <= 1};
      case LogicalKind::kUnion:
        return node.children.size() == 1 ? child(0) : RowCount{};
      case LogicalKind::kLimit:
        return limited(node, child(0));
      case LogicalKind::kAggregate:
        return node.expressions.empty() ? RowCount{true, true} : RowCount{false, child(0).at_most_one};
      case LogicalKind::kShared:
        return count_shared(node.shared);
      case LogicalKind::kJoin:
        return node.join_kind == JoinKind::kFull ? RowCount{} : joined(node, child(0), child(1));
      default:
        return {};
    }
  }

 private:
  static RowCount limited(const LogicalNode& node, RowCount rows) {
    const bool keeps_one = node.offset == 0 && (!node.limit || *node.limit >= 1);
    return {keeps_one && rows.one, (node.limit && *node.limit <= 1) || rows.at_most_one};
  }

  static RowCount joined(const LogicalNode& node, RowCount left, RowCount right) {
    bool one = left.one;
    if (node.join_kind == JoinKind::kInner) {
      one = one && node.conjuncts.empty() && right.one;
    } else if (node.join_kind == JoinKind::kLeft) {
      one = one && right.at_most_one;
    } else {
      one = one && node.join_kind == JoinKind::kMark;
    }
    return {one, left.at_most_one && (!shows_right(node.join_kind) || right.at_most_one)};
  }

  RowCount count_shared(int shared) {
    const auto found = shared_.find(shared);
    if (found != shared_.end()) return found->second;
    return shared_[shared] = count(plan_.shared.at(static_cast<std::size_t>(shared)).root);
  }

  const LogicalPlan& plan_;
  std::map<int, RowCount> shared_;
};

}  // namespace

bool gives_at_most_one_row(const LogicalNode& node, const LogicalPlan& plan) {
  return RowCounter(plan).count(node).at_most_one;
}

bool gives_one_row(const LogicalNode& node, const LogicalPlan& plan) {
  return RowCounter(plan).count(node).one;
}

}  // namespace saccade
