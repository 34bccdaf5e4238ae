#include "sql/binder/grouping.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "plan/walk.hpp"

namespace saccade {

void Grouping::add_key(Expression key, const std::string& name) {
  if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return;
  outputs_.push_back(context_.add_column(name, key.type));
  keys_.push_back(std::move(key));
}

void Grouping::add_input(const LogicalNode& join) {
  if (join.join_kind == JoinKind::kMark) inputs_.push_back(join.mark);
  for (const ColumnId column : output_columns(join.children.back())) inputs_.push_back(column);
}

bool Grouping::is_input(ColumnId column) const {
  return scope_.owns(column) || std::find(inputs_.begin(), inputs_.end(), column) != inputs_.end();
}

bool Grouping::is_aggregate_output(ColumnId column) const {
  return std::any_of(aggregates.begin(), aggregates.end(), [&](const AggregateCall& call) { return call.output == column; });
}

void Grouping::check_no_aggregate(const Expression& expression, std::string_view clause, int position) const {
  for (const ColumnId column : columns_of(expression)) {
    if (is_aggregate_output(column)) {
      throw Error(sqlstate::kGroupingError, fmt::format("aggregate functions are not allowed in {}", clause), position);
    }
  }
}

Expression Grouping::rewrite(Expression expression) const {
  // A literal stays itself: it means the same over every group, and operators such as LIKE need to see it.
  if (expression.operation == Operation::kLiteral) return expression;
  const auto key = std::find(keys_.begin(), keys_.end(), expression);
  if (key != keys_.end()) {
    Expression column = column_expression(outputs_[static_cast<std::size_t>(key - keys_.begin())], expression.type);
    column.position = expression.position;
    return column;
  }
  if (expression.operation == Operation::kColumn && is_input(expression.column) && !is_aggregate_output(expression.column)) {
    throw Error(sqlstate::kGroupingError,
                fmt::format("column \"{}\" must appear in the GROUP BY clause or be used in an aggregate function",
                            scope_.qualified_name(expression.column)),
                expression.position);
  }
  for (Expression& argument : expression.arguments) argument = rewrite(std::move(argument));
  return expression;
}

void Grouping::rewrite_subquery(LogicalNode& join) const {
  for_each_expression(join, [&](Expression& expression) { expression = rewrite(std::move(expression)); });
  const auto rewrite_column = [&](Expression& column) {
    if (!is_input(column.column)) return;
    const auto key = std::find(keys_.begin(), keys_.end(), column);
    if (key == keys_.end()) {
      throw Error(sqlstate::kGroupingError,
                  fmt::format("subquery uses ungrouped column \"{}\" from outer query", scope_.qualified_name(column.column)),
                  column.position);
    }
    column.column = outputs_[static_cast<std::size_t>(key - keys_.begin())];
  };
  for_each_node(join.children.back(), [&](LogicalNode& node) {
    for_each_expression(node, [&](Expression& expression) { for_each_column(expression, rewrite_column); });
  });
}

LogicalNode Grouping::aggregate_node(LogicalNode child) const {
  LogicalNode node;
  node.kind = LogicalKind::kAggregate;
  node.children.push_back(std::move(child));
  node.expressions = keys_;
  node.outputs = outputs_;
  node.aggregates = aggregates;
  return node;
}

}  // namespace saccade
