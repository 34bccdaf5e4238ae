#include "sql/binder/grouping.hpp"

#include <algorithm>

#include <optional>

#include <fmt/format.h>

#include "plan/walk.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};
constexpr DataType kIntegerType{TypeKind::kInteger};
constexpr DataType kBigintType{TypeKind::kBigint};

Expression number(const DataType& type, std::size_t value) {
  return literal_expression({type, static_cast<int128>(value)});
}

// Whether a group, or a copy of a row, is of a set.
Expression is_set(ColumnId column, std::size_t set) {
  return call_expression(Operation::kEqual, kBooleanType, {column_expression(column, kBigintType), number(kBigintType, set)});
}

}  // namespace

std::size_t Grouping::add_key(Expression key, const std::string& name) {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  if (known != keys_.end()) return static_cast<std::size_t>(known - keys_.begin());
  outputs_.push_back(context_.add_column(name, key.type));
  keys_.push_back(std::move(key));
  return keys_.size() - 1;
}

void Grouping::set_sets(std::vector<GroupingSet> sets) {
  sets_ = std::move(sets);
  if (sets_.size() > 1) set_column_ = context_.add_column("grouping_set", kBigintType);
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
  for (const BindingContext::GroupingCall& call : context_.grouping_calls) {
    if (expression.operation == Operation::kColumn && call.column == expression.column)
      return grouping_value(call, expression.position);
  }
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

// A bit for each argument, the first one highest: 1 where the group's set lacks the key.
Expression Grouping::grouping_value(const BindingContext::GroupingCall& call, int position) const {
  std::vector<std::size_t> numbers;
  for (const Expression& argument : call.arguments) {
    const auto key = std::find(keys_.begin(), keys_.end(), argument);
    if (key == keys_.end()) {
      throw Error(sqlstate::kGroupingError, "arguments to GROUPING must be grouping expressions of the associated query level",
                  argument.position != 0 ? argument.position : position);
    }
    numbers.push_back(static_cast<std::size_t>(key - keys_.begin()));
  }
  std::vector<Expression> parts;
  for (std::size_t s = 0; s < sets_.size() && sets_.size() > 1; ++s) {
    std::size_t bits = 0;
    for (const std::size_t key : numbers) bits = 2 * bits + (std::binary_search(sets_[s].begin(), sets_[s].end(), key) ? 0 : 1);
    parts.push_back(is_set(set_column_, s));
    parts.push_back(number(kIntegerType, bits));
  }
  parts.push_back(number(kIntegerType, 0));
  if (parts.size() == 1) return std::move(parts.front());
  return call_expression(Operation::kCase, kIntegerType, std::move(parts));
}

// Each row is repeated for every set, and the copies are grouped apart.
LogicalNode Grouping::group_by_sets(LogicalNode child) const {
  LogicalNode repeat;
  repeat.kind = LogicalKind::kRepeat;
  repeat.expressions = {number(kBigintType, sets_.size())};
  repeat.outputs = {context_.add_column("copy", kBigintType)};
  repeat.children.push_back(std::move(child));
  const ColumnId copy = repeat.outputs.front();
  LogicalNode node;
  node.kind = LogicalKind::kAggregate;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    std::vector<Expression> parts;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (!std::binary_search(sets_[s].begin(), sets_[s].end(), k)) continue;
      parts.push_back(is_set(copy, s));
      parts.push_back(keys_[k]);
    }
    const bool always = parts.size() == 2 * sets_.size();
    parts.push_back(literal_expression(Value::null(keys_[k].type)));
    node.expressions.push_back(always ? keys_[k] : call_expression(Operation::kCase, keys_[k].type, std::move(parts)));
  }
  node.outputs = outputs_;
  node.expressions.push_back(column_expression(copy, kBigintType));
  node.outputs.push_back(set_column_);
  node.aggregates = aggregates;
  node.children.push_back(std::move(repeat));
  const bool has_empty = std::any_of(sets_.begin(), sets_.end(), [](const GroupingSet& set) { return set.empty(); });
  return has_empty ? add_empty_groups(std::move(node), context_.add_column("grouping_set", kBigintType)) : std::move(node);
}

LogicalNode Grouping::add_empty_groups(LogicalNode groups, ColumnId set) const {
  LogicalNode empty, results, join;
  empty.kind = LogicalKind::kValues;
  empty.outputs = {context_.add_column("grouping_set", kBigintType)};
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    if (!sets_[s].empty()) continue;
    empty.expressions.push_back(number(kBigintType, s));
    ++empty.rows;
  }
  groups.outputs.back() = set;
  join.kind = LogicalKind::kJoin;
  join.join_kind = JoinKind::kFull;
  join.conjuncts = {call_expression(Operation::kEqual, kBooleanType,
                                    {column_expression(set, kBigintType), column_expression(empty.outputs[0], kBigintType)})};
  results.kind = LogicalKind::kProject;
  const auto pass = [&](ColumnId& column, const DataType& type, std::optional<Expression> otherwise) {
    results.outputs.push_back(column);
    column = context_.add_column(context_.plan.names[static_cast<std::size_t>(column)], type);
    Expression value = column_expression(column, type);
    if (otherwise) value = call_expression(Operation::kCoalesce, type, {std::move(value), std::move(*otherwise)});
    results.expressions.push_back(std::move(value));
  };
  for (std::size_t k = 0; k < keys_.size(); ++k) pass(groups.outputs[k], keys_[k].type, std::nullopt);
  for (AggregateCall& call : groups.aggregates) {
    const bool counts = call.kind == AggregateKind::kCount || call.kind == AggregateKind::kCountStar;
    pass(call.output, call.type, counts ? std::optional(number(call.type, 0)) : std::nullopt);
  }
  results.outputs.push_back(set_column_);
  results.expressions.push_back(
      call_expression(Operation::kCoalesce, kBigintType,
                      {column_expression(set, kBigintType), column_expression(empty.outputs[0], kBigintType)}));
  join.children.push_back(std::move(groups));
  join.children.push_back(std::move(empty));
  results.children.push_back(std::move(join));
  return results;
}

LogicalNode Grouping::aggregate_node(LogicalNode child) const {
  if (sets_.size() > 1) return group_by_sets(std::move(child));
  LogicalNode node;
  node.kind = LogicalKind::kAggregate;
  node.children.push_back(std::move(child));
  node.expressions = keys_;
  node.outputs = outputs_;
  node.aggregates = aggregates;
  return node;
}

}  // namespace saccade
