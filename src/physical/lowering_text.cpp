// Comparisons and text: what depends on strings becomes a bound on codes or a lookup by code.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/rewrite.hpp"
#include "physical/lowering.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

namespace {

struct ComparisonFunctions {
  FunctionId i64, i128, f64;
};

ComparisonFunctions comparison_functions(Operation operation) {
  using F = FunctionId;
  switch (operation) {
    case Operation::kEqual:
      return {F::equal_i64, F::equal_i128, F::equal_f64};
    case Operation::kNotEqual:
      return {F::not_equal_i64, F::not_equal_i128, F::not_equal_f64};
    case Operation::kLess:
      return {F::less_i64, F::less_i128, F::less_f64};
    case Operation::kLessEqual:
      return {F::less_equal_i64, F::less_equal_i128, F::less_equal_f64};
    case Operation::kGreater:
      return {F::greater_i64, F::greater_i128, F::greater_f64};
    default:
      return {F::greater_equal_i64, F::greater_equal_i128, F::greater_equal_f64};
  }
}

TextFunctionId text_comparison(Operation operation) {
  switch (operation) {
    case Operation::kEqual:
      return TextFunctionId::text_equal;
    case Operation::kNotEqual:
      return TextFunctionId::text_not_equal;
    case Operation::kLess:
      return TextFunctionId::text_less;
    case Operation::kLessEqual:
      return TextFunctionId::text_less_equal;
    case Operation::kGreater:
      return TextFunctionId::text_greater;
    default:
      return TextFunctionId::text_greater_equal;
  }
}

bool is_text_literal(const Expression& expression) {
  return expression.operation == Operation::kLiteral && std::holds_alternative<std::string>(expression.literal.data);
}

// "x op text" as "code op' result.second".
std::pair<Operation, std::int64_t> code_bound(const Dictionary& dictionary, Operation operation, const std::string& text) {
  const std::int64_t first_not_less = dictionary.lower_bound(text);
  const std::int64_t code = dictionary.find(text);
  const std::int64_t first_greater = code >= 0 ? code + 1 : first_not_less;
  switch (operation) {
    case Operation::kEqual:
    case Operation::kNotEqual:
      return {operation, code};  // -1, which no row has, where the dictionary lacks it
    case Operation::kLess:
    case Operation::kGreaterEqual:
      return {operation, first_not_less};
    case Operation::kLessEqual:
      return {Operation::kLess, first_greater};
    default:
      return {Operation::kGreaterEqual, first_greater};
  }
}

}  // namespace

Node Lowering::remap(const Lowered& value, const std::shared_ptr<const Dictionary>& target) {
  SACCADE_CHECK(value.dictionary != nullptr);
  if (value.dictionary->identity() == target->identity()) return value.node;
  if (value.node.kind == NodeKind::kLiteral) {
    Literal& literal = open_.pipeline.literals[static_cast<std::size_t>(value.node.index)];
    if (!literal.is_null) literal.integer = target->find(value.dictionary->at(static_cast<std::int64_t>(literal.integer)));
    return value.node;
  }
  Lookup lookup;
  lookup.values = code_map(*value.dictionary, *target);
  return lookup_node(open_.pipeline, std::move(lookup), value.node);
}

std::pair<Lowered, Lowered> Lowering::lower_pair(const Expression& a, const Expression& b) {
  std::vector<Lowered> values;
  values.push_back(lower(a));
  values.push_back(lower(b));
  for (Lowered& value : values) {
    if (value.node.lane != Lane::kBoolean) continue;
    value.node = call_node(FunctionId::int64_of_boolean, {std::move(value.node)});
    value.bounds = Bounds{0, 1};
  }
  unify(values);
  SACCADE_CHECK(values[0].node.lane == values[1].node.lane);
  return {std::move(values[0]), std::move(values[1])};
}

Lowered Lowering::lower_comparison(const Expression& expression) {
  const Expression& a = expression.arguments.at(0);
  const Expression& b = expression.arguments.at(1);
  const bool text = a.type.is_text() || a.type.kind == TypeKind::kBytea;
  if (text && (is_text_literal(a) != is_text_literal(b))) return lower_text_comparison(expression);
  auto [left, right] = lower_pair(a, b);
  if (left.node.lane == Lane::kText) return compare_texts(expression.operation, std::move(left), std::move(right));
  if (a.type.kind == TypeKind::kInterval) {
    left.node = call_node(FunctionId::interval_order_i128, {std::move(left.node)});
    right.node = call_node(FunctionId::interval_order_i128, {std::move(right.node)});
  }
  const ComparisonFunctions functions = comparison_functions(expression.operation);
  const FunctionId function = left.node.lane == Lane::kInt64    ? functions.i64
                              : left.node.lane == Lane::kInt128 ? functions.i128
                                                                : functions.f64;
  return {call_node(function, {std::move(left.node), std::move(right.node)}), Bounds{0, 1}, nullptr};
}

Lowered Lowering::compare_texts(Operation operation, Lowered left, Lowered right) {
  std::vector<Node> arguments;
  arguments.push_back(to_text(std::move(left)).node);
  arguments.push_back(to_text(std::move(right)).node);
  return {text_call_node(text_comparison(operation), std::move(arguments), false), Bounds{0, 1}, nullptr};
}

Lowered Lowering::lower_text_comparison(const Expression& expression) {
  const bool literal_left = is_text_literal(expression.arguments.at(0));
  const Expression& literal = expression.arguments[literal_left ? 0 : 1];
  const Operation operation = literal_left ? mirrored(expression.operation) : expression.operation;
  Lowered value = lower(expression.arguments[literal_left ? 1 : 0]);
  if (value.node.lane == Lane::kText) return compare_texts(operation, std::move(value), lower(literal));
  const auto [code_operation, code] = code_bound(*value.dictionary, operation, std::get<std::string>(literal.literal.data));
  return {call_node(comparison_functions(code_operation).i64, {value.node, constant(Lane::kInt64, code).node}), Bounds{0, 1},
          nullptr};
}

Lowered Lowering::lower_like(const Expression& expression) {
  Lowered text = lower(expression.arguments.at(0));
  Lowered pattern = lower(expression.arguments.at(1));
  const bool ignore_case = expression.name == "ilike";
  return text_call(ignore_case ? TextFunctionId::text_ilike : TextFunctionId::text_like, {std::move(text), std::move(pattern)});
}

}  // namespace saccade::physical
