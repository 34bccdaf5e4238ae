#include <algorithm>
#include <utility>

#include "function/text/registry.hpp"
#include "optimizer/evaluate.hpp"
#include "optimizer/optimizer.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

const DataType kBooleanType{TypeKind::kBoolean};

Expression fold(Expression expression);

Expression with_position(Expression expression, int position) {
  expression.position = position;
  return expression;
}

// The literal that settles an AND is false, an OR true; the other one is without effect. A settled connective drops arguments
// that could fail: the rows may as well have been tried in an order that never reached them.
Expression fold_connective(Expression expression) {
  const bool is_and = expression.operation == Operation::kAnd;
  std::vector<Expression> kept;
  for (Expression& argument : expression.arguments) {
    const auto* truth = is_literal(argument) ? std::get_if<bool>(&argument.literal.data) : nullptr;
    if (truth != nullptr && *truth != is_and) return std::move(argument);
    if (truth != nullptr) continue;
    if (argument.operation == expression.operation) {
      std::move(argument.arguments.begin(), argument.arguments.end(), std::back_inserter(kept));
    } else {
      kept.push_back(std::move(argument));
    }
  }
  if (kept.empty()) return literal_expression({kBooleanType, is_and});
  if (kept.size() == 1) return std::move(kept.front());
  expression.arguments = std::move(kept);
  return expression;
}

Operation negated(Operation operation) {
  switch (operation) {
    case Operation::kEqual:
      return Operation::kNotEqual;
    case Operation::kNotEqual:
      return Operation::kEqual;
    case Operation::kLess:
      return Operation::kGreaterEqual;
    case Operation::kLessEqual:
      return Operation::kGreater;
    case Operation::kGreater:
      return Operation::kLessEqual;
    case Operation::kGreaterEqual:
      return Operation::kLess;
    case Operation::kIsNull:
      return Operation::kIsNotNull;
    case Operation::kIsNotNull:
      return Operation::kIsNull;
    case Operation::kAnd:
      return Operation::kOr;
    default:
      return Operation::kAnd;
  }
}

// Values are totally ordered (NaN too), so the negation of a comparison is a comparison, and De Morgan holds with nulls.
Expression fold_not(Expression expression) {
  Expression& argument = expression.arguments.at(0);
  if (is_literal(argument)) {
    const auto* truth = std::get_if<bool>(&argument.literal.data);
    return literal_expression(truth == nullptr ? Value::null(kBooleanType) : Value{kBooleanType, !*truth});
  }
  if (argument.operation == Operation::kNot) return std::move(argument.arguments.at(0));
  const bool connective = argument.operation == Operation::kAnd || argument.operation == Operation::kOr;
  const bool test = argument.operation == Operation::kIsNull || argument.operation == Operation::kIsNotNull;
  if (!connective && !test && !is_comparison(argument.operation)) return expression;
  Expression inner = std::move(argument);
  inner.operation = negated(inner.operation);
  if (!connective) return inner;
  for (Expression& part : inner.arguments) {
    part = fold_not(call_expression(Operation::kNot, kBooleanType, {std::move(part)}));
  }
  return fold_connective(std::move(inner));
}

// A NULL takes the type of what it now stands for.
Expression retyped(Expression expression, const DataType& type) {
  const bool null = is_literal(expression) && expression.literal.is_null();
  return null ? literal_expression(Value::null(type)) : expression;
}

Expression fold_case(Expression expression) {
  std::vector<Expression> kept;
  std::size_t i = 0;
  for (; i + 1 < expression.arguments.size(); i += 2) {
    Expression& condition = expression.arguments[i];
    if (is_false_or_null(condition)) continue;
    if (is_true(condition)) break;
    kept.push_back(std::move(condition));
    kept.push_back(std::move(expression.arguments[i + 1]));
  }
  // The value of a condition that is always true, else the ELSE.
  const bool settled = i + 1 < expression.arguments.size();
  if (settled) {
    kept.push_back(std::move(expression.arguments[i + 1]));
  } else if (i < expression.arguments.size()) {
    kept.push_back(std::move(expression.arguments[i]));
  } else {
    kept.push_back(literal_expression(Value::null(expression.type)));
  }
  if (kept.size() == 1) return retyped(std::move(kept.front()), expression.type);
  expression.arguments = std::move(kept);
  return expression;
}

Expression fold_coalesce(Expression expression) {
  std::vector<Expression> kept;
  for (Expression& argument : expression.arguments) {
    if (is_literal(argument) && argument.literal.is_null()) continue;
    kept.push_back(std::move(argument));
    if (is_literal(kept.back())) break;
  }
  if (kept.empty()) return literal_expression(Value::null(expression.type));
  if (kept.size() == 1) return std::move(kept.front());
  expression.arguments = std::move(kept);
  return expression;
}

Expression fold_null_test(Expression expression) {
  const Expression& argument = expression.arguments.at(0);
  if (!is_literal(argument)) return expression;
  return literal_expression({kBooleanType, argument.literal.is_null() == (expression.operation == Operation::kIsNull)});
}

// A strict operation: null where an argument is null, computed where all are literals.
Expression fold_strict(Expression expression) {
  auto& arguments = expression.arguments;
  const bool null = std::any_of(arguments.begin(), arguments.end(),
                                [](const Expression& argument) { return is_literal(argument) && argument.literal.is_null(); });
  if (null) return literal_expression(Value::null(expression.type));
  if (std::all_of(arguments.begin(), arguments.end(), is_literal)) {
    const auto value = evaluate(expression);
    return value ? literal_expression(*value) : expression;
  }
  if (is_comparison(expression.operation) && is_literal(arguments[0])) {
    std::swap(arguments[0], arguments[1]);
    expression.operation = mirrored(expression.operation);
  }
  return expression;
}

// Some functions over text take nulls: they are computed where all arguments are literals.
Expression fold_text_function(Expression expression) {
  if (is_volatile(find_text_function(expression.name))) return expression;
  const TextNulls nulls = text_function(find_text_function(expression.name)).nulls;
  if (nulls == TextNulls::kStrict || nulls == TextNulls::kStrictOrNull) return fold_strict(std::move(expression));
  if (!std::all_of(expression.arguments.begin(), expression.arguments.end(), is_literal)) return expression;
  const auto value = evaluate_text_function(expression);
  return value ? literal_expression(*value) : expression;
}

Expression fold_operation(Expression expression) {
  switch (expression.operation) {
    case Operation::kColumn:
    case Operation::kLiteral:
      return expression;
    case Operation::kAnd:
    case Operation::kOr:
      return fold_connective(std::move(expression));
    case Operation::kNot:
      return fold_not(std::move(expression));
    case Operation::kCase:
      return fold_case(std::move(expression));
    case Operation::kCoalesce:
      return fold_coalesce(std::move(expression));
    case Operation::kIsNull:
    case Operation::kIsNotNull:
      return fold_null_test(std::move(expression));
    case Operation::kTextFunction:
      return fold_text_function(std::move(expression));
    default:
      return fold_strict(std::move(expression));
  }
}

Expression fold(Expression expression) {
  for (Expression& argument : expression.arguments) argument = fold(std::move(argument));
  const int position = expression.position;
  return with_position(fold_operation(std::move(expression)), position);
}

void split_conjuncts(LogicalNode& node) {
  std::vector<Expression> split;
  for (Expression& conjunct : node.conjuncts) split_conjunction(std::move(conjunct), split);
  std::erase_if(split, is_true);
  node.conjuncts = std::move(split);
  if (node.kind != LogicalKind::kFilter || !node.conjuncts.empty()) return;
  LogicalNode child = std::move(node.children.at(0));
  node = std::move(child);
}

}  // namespace

void fold_constants(LogicalPlan& plan) {
  for_each_node(plan, [](LogicalNode& node) {
    for_each_expression(node, [](Expression& expression) { expression = fold(std::move(expression)); });
    split_conjuncts(node);
  });
}

Expression fold_constants(Expression expression) {
  return fold(std::move(expression));
}

}  // namespace saccade
