// What a bound statement needs of its tables: the one pass of the binder over finished plans.
#include <algorithm>
#include <vector>

#include "plan/walk.hpp"
#include "sql/binder/from_clause.hpp"

namespace saccade {

namespace {

// Who uses a column stands above the node that makes it, or to the right of it (a subquery that names columns of its
// surroundings), or after it (a reader of a shared part). So each node is met after all its users.
class NeededColumns {
 public:
  explicit NeededColumns(BindingContext& context) : context_(context), needed_(context.plan.types.size()) {}

  void need(ColumnId column) { needed_.at(static_cast<std::size_t>(column)) = true; }

  void visit(LogicalNode& node) {
    if (node.kind == LogicalKind::kScan || node.kind == LogicalKind::kShared) {
      finish_read(node);
      return;
    }
    if (node.kind == LogicalKind::kProject) finish_projection(node);
    for_each_expression(std::as_const(node), [&](const Expression& expression) { need_all(expression); });
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) visit(*child);
  }

 private:
  bool is_needed(ColumnId column) const { return needed_.at(static_cast<std::size_t>(column)); }

  void need_all(const Expression& expression) {
    if (expression.operation == Operation::kColumn) need(expression.column);
    for (const Expression& argument : expression.arguments) need_all(argument);
  }

  void finish_projection(LogicalNode& node) {
    std::vector<Expression> expressions;
    std::vector<ColumnId> outputs;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!is_needed(node.outputs[i])) continue;
      expressions.push_back(std::move(node.expressions[i]));
      outputs.push_back(node.outputs[i]);
    }
    node.expressions = std::move(expressions);
    node.outputs = std::move(outputs);
  }

  void finish_read(LogicalNode& node) {
    std::vector<int> columns;
    std::vector<ColumnId> outputs;
    for (std::size_t i = 0; i < node.columns.size(); ++i) {
      if (!is_needed(node.outputs[i])) continue;
      columns.push_back(node.columns[i]);
      outputs.push_back(node.outputs[i]);
    }
    node.columns = std::move(columns);
    node.outputs = std::move(outputs);
    if (node.kind == LogicalKind::kShared) {
      const SharedPlan& shared = context_.plan.shared.at(static_cast<std::size_t>(node.shared));
      for (const int column : node.columns) need(shared.columns.at(static_cast<std::size_t>(column)));
    } else {
      node.table->prepare(node.columns, context_.pool);
    }
  }

  BindingContext& context_;
  std::vector<bool> needed_;
};

// Shared parts that somebody reads; a common table that nobody reads is not computed.
void drop_unread(LogicalPlan& plan) {
  std::vector<bool> read(plan.shared.size());
  const auto mark = [&](const LogicalNode& node) {
    if (node.kind == LogicalKind::kShared) read[static_cast<std::size_t>(node.shared)] = true;
  };
  for_each_node(std::as_const(plan.root), mark);
  for (std::size_t i = plan.shared.size(); i-- > 0;) {
    if (read[i]) {
      for_each_node(std::as_const(plan.shared[i].root), mark);
    } else {
      plan.shared[i] = {};
    }
  }
}

}  // namespace

void finish_plan(BindingContext& context) {
  LogicalPlan& plan = context.plan;
  drop_unread(plan);
  NeededColumns needed(context);
  for (const ResultColumn& column : plan.result) needed.need(column.column);
  needed.visit(plan.root);
  for (auto shared = plan.shared.rbegin(); shared != plan.shared.rend(); ++shared) needed.visit(shared->root);
}

}  // namespace saccade
