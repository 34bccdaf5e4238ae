#include "optimizer/rewrite.hpp"

#include <algorithm>
#include <utility>

namespace saccade {

void for_each_root(LogicalPlan& plan, const std::function<void(LogicalNode&)>& change) {
  for (SharedPlan& shared : plan.shared) change(shared.root);
  change(plan.root);
}

void for_each_node(LogicalPlan& plan, const std::function<void(LogicalNode&)>& change) {
  for_each_root(plan, [&](LogicalNode& root) { for_each_node(root, change); });
}

Expression substitute(Expression expression, const Substitution& substitution) {
  if (expression.operation == Operation::kColumn) {
    const auto found = substitution.find(expression.column);
    return found == substitution.end() ? expression : found->second;
  }
  for (Expression& argument : expression.arguments) argument = substitute(std::move(argument), substitution);
  return expression;
}

void substitute_below(LogicalNode& root, const Substitution& substitution) {
  for_each_node(root, [&](LogicalNode& node) {
    for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), substitution); });
  });
}

void rename_outputs(LogicalPlan& plan, const Substitution& renamed) {
  const auto rename = [&](ColumnId& column) {
    const auto found = renamed.find(column);
    if (found != renamed.end()) column = found->second.column;
  };
  for (SharedPlan& shared : plan.shared) std::for_each(shared.columns.begin(), shared.columns.end(), rename);
  for (ResultColumn& result : plan.result) rename(result.column);
}

Substitution definitions_of(const LogicalNode& node) {
  Substitution definitions;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) definitions.emplace(node.outputs[i], node.expressions[i]);
  return definitions;
}

void split_conjunction(Expression expression, std::vector<Expression>& conjuncts) {
  if (expression.operation != Operation::kAnd) {
    conjuncts.push_back(std::move(expression));
    return;
  }
  for (Expression& argument : expression.arguments) split_conjunction(std::move(argument), conjuncts);
}

Expression conjunction_of(std::vector<Expression> conjuncts) {
  const DataType boolean{TypeKind::kBoolean};
  if (conjuncts.empty()) return literal_expression({boolean, true});
  if (conjuncts.size() == 1) return std::move(conjuncts.front());
  return call_expression(Operation::kAnd, boolean, std::move(conjuncts));
}

LogicalNode make_filter(std::vector<Expression> conjuncts, LogicalNode child) {
  if (conjuncts.empty()) return child;
  LogicalNode filter;
  filter.kind = LogicalKind::kFilter;
  filter.conjuncts = std::move(conjuncts);
  filter.children.push_back(std::move(child));
  return filter;
}

bool is_literal(const Expression& expression) {
  return expression.operation == Operation::kLiteral;
}

bool is_true(const Expression& expression) {
  const auto* truth = std::get_if<bool>(&expression.literal.data);
  return is_literal(expression) && truth != nullptr && *truth;
}

bool is_false_or_null(const Expression& expression) {
  const auto* truth = std::get_if<bool>(&expression.literal.data);
  return is_literal(expression) && (expression.literal.is_null() || (truth != nullptr && !*truth));
}

bool is_comparison(Operation operation) {
  return operation >= Operation::kEqual && operation <= Operation::kGreaterEqual;
}

bool is_strict(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kModulo:
    case Operation::kNegate:
    case Operation::kNot:
    case Operation::kLike:
    case Operation::kCast:
    case Operation::kExtract:
      return true;
    default:
      return is_comparison(operation);
  }
}

Operation mirrored(Operation operation) {
  switch (operation) {
    case Operation::kLess:
      return Operation::kGreater;
    case Operation::kLessEqual:
      return Operation::kGreaterEqual;
    case Operation::kGreater:
      return Operation::kLess;
    case Operation::kGreaterEqual:
      return Operation::kLessEqual;
    default:
      return operation;
  }
}

Expression not_distinct(const Expression& a, const Expression& b) {
  const DataType boolean{TypeKind::kBoolean};
  Expression different =
      call_expression(Operation::kCase, boolean,
                      {call_expression(Operation::kIsNull, boolean, {a}), call_expression(Operation::kIsNotNull, boolean, {b}),
                       call_expression(Operation::kIsNull, boolean, {b}), literal_expression({boolean, true}),
                       call_expression(Operation::kNotEqual, boolean, {a, b})});
  return call_expression(Operation::kNot, boolean, {std::move(different)});
}

std::optional<EqualOperands> equal_operands(const Expression& condition) {
  const auto& arguments = condition.arguments;
  if (condition.operation == Operation::kEqual) return EqualOperands{&arguments.at(0), &arguments.at(1)};
  if (condition.operation != Operation::kNot || arguments.at(0).operation != Operation::kCase) return std::nullopt;
  const auto& parts = arguments[0].arguments;
  if (parts.size() != 5 || parts.back().operation != Operation::kNotEqual) return std::nullopt;
  const Expression &a = parts.back().arguments.at(0), &b = parts.back().arguments.at(1);
  if (!(not_distinct(a, b) == condition)) return std::nullopt;
  return EqualOperands{&a, &b, true};
}

bool covered(const std::vector<ColumnId>& columns, const std::vector<ColumnId>& available) {
  return std::includes(available.begin(), available.end(), columns.begin(), columns.end());
}

std::vector<ColumnId> sorted_columns(const LogicalNode& node) {
  std::vector<ColumnId> columns = output_columns(node);
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace saccade
