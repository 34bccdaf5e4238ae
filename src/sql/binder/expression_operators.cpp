#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/text_casts.hpp"
#include "sql/binder/text_functions.hpp"
#include "sql/binder/time_arithmetic.hpp"
#include "sql/binder/time_casts.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};

struct Symbol {
  std::string_view text;
  Operation operation;
};

constexpr std::array<Symbol, 5> kArithmetic = {{{"+", Operation::kAdd},
                                                {"-", Operation::kSubtract},
                                                {"*", Operation::kMultiply},
                                                {"/", Operation::kDivide},
                                                {"%", Operation::kModulo}}};

constexpr std::array<Symbol, 6> kComparisons = {{{"=", Operation::kEqual},
                                                 {"<>", Operation::kNotEqual},
                                                 {"<", Operation::kLess},
                                                 {"<=", Operation::kLessEqual},
                                                 {">", Operation::kGreater},
                                                 {">=", Operation::kGreaterEqual}}};

template <std::size_t N>
std::optional<Operation> find_operation(const std::array<Symbol, N>& symbols, std::string_view text) {
  for (const Symbol& symbol : symbols) {
    if (symbol.text == text) return symbol.operation;
  }
  return std::nullopt;
}

template <std::size_t N>
std::string_view symbol_of(const std::array<Symbol, N>& symbols, Operation operation) {
  for (const Symbol& symbol : symbols) {
    if (symbol.operation == operation) return symbol.text;
  }
  return "?";
}

Expression call(Operation operation, DataType type, std::vector<Expression> arguments, int position) {
  Expression result = call_expression(operation, type, std::move(arguments));
  result.position = position;
  return result;
}

}  // namespace

void ExpressionBinder::no_operator(std::string_view symbol, const Expression& left, const Expression& right,
                                   int position) const {
  const auto name = [](const Expression& side) { return is_unknown_literal(side) ? "unknown" : to_string(side.type); };
  const bool date = left.type.kind == TypeKind::kDate || right.type.kind == TypeKind::kDate;
  const bool unknown = is_unknown_literal(left) || is_unknown_literal(right);
  if (unknown && (date || left.type == right.type)) {
    throw Error("42725", fmt::format("operator is not unique: {} {} {}", name(left), symbol, name(right)), position,
                "Say what the constants are, as in date '2024-01-31' or '1'::integer.");
  }
  throw Error(sqlstate::kUndefinedFunction,
              fmt::format("operator does not exist: {} {} {}", to_string(left.type), symbol, to_string(right.type)), position,
              "Cast one side to the other's type: CAST(x AS type).");
}

Expression ExpressionBinder::bind_operator(const nlohmann::json& fields) {
  const std::string kind = text_field(fields, "kind");
  const int position = context_.position(fields);
  if (kind == "AEXPR_OP" && fields.contains("lexpr") && syntax_node(fields.at("lexpr")).kind == "RowExpr" &&
      syntax_node(fields.at("rexpr")).kind == "SubLink") {
    return bind_row_comparison(fields, position);
  }
  const bool rows = fields.contains("lexpr") && syntax_node(fields.at("lexpr")).kind == "RowExpr";
  if (rows && (kind == "AEXPR_OP" || kind == "AEXPR_DISTINCT" || kind == "AEXPR_NOT_DISTINCT"))
    return compare_rows(fields, position);
  if (kind == "AEXPR_OP") return bind_symbol(string_list(fields, "name").back(), fields, position);
  if (kind == "AEXPR_IN") return bind_in(fields, position);
  if (kind == "AEXPR_BETWEEN") return bind_between(fields, false, false, position);
  if (kind == "AEXPR_NOT_BETWEEN") return bind_between(fields, true, false, position);
  if (kind == "AEXPR_BETWEEN_SYM") return bind_between(fields, false, true, position);
  if (kind == "AEXPR_NOT_BETWEEN_SYM") return bind_between(fields, true, true, position);
  if (kind == "AEXPR_LIKE" || kind == "AEXPR_ILIKE") return bind_like(fields, position);
  if (kind == "AEXPR_DISTINCT") return bind_distinct(fields, false, position);
  if (kind == "AEXPR_NOT_DISTINCT") return bind_distinct(fields, true, position);
  if (kind == "AEXPR_NULLIF") return bind_nullif(fields, position);
  if (kind == "AEXPR_SIMILAR") context_.unsupported("SIMILAR TO", position);
  context_.unsupported("ANY, SOME or ALL", position);
}

Expression ExpressionBinder::bind_symbol(const std::string& symbol, const nlohmann::json& fields, int position) {
  const auto arithmetic_operation = find_operation(kArithmetic, symbol);
  const auto comparison = find_operation(kComparisons, symbol);
  const bool unary = !fields.contains("lexpr");
  if (!unary && (symbol == "||" || symbol.find('~') != std::string::npos)) return bind_text_operator(symbol, fields, position);
  if ((!arithmetic_operation && !comparison) || (unary && symbol != "-" && symbol != "+")) {
    return bind_other_operator(symbol, fields, position);
  }
  Expression right = bind(fields.at("rexpr"));
  if (unary && symbol == "-") return bind_negation(std::move(right), position);
  if (unary) {
    right = resolve_literal(std::move(right), {TypeKind::kDouble});
    if (!right.type.is_number()) no_operator("+", right, right, position);
    return right;
  }
  Expression left = bind(fields.at("lexpr"));
  if (comparison) return compare(*comparison, std::move(left), std::move(right), position);
  return arithmetic(*arithmetic_operation, std::move(left), std::move(right), position);
}

Expression ExpressionBinder::bind_text_operator(const std::string& symbol, const nlohmann::json& fields, int position) {
  if (symbol.find("~~") != std::string::npos) return bind_like(fields, position);
  const Expression left = bind(fields.at("lexpr"));
  const Expression right = bind(fields.at("rexpr"));
  if (symbol == "||" && (left.type.kind == TypeKind::kBytea || right.type.kind == TypeKind::kBytea)) {
    return concatenate_bytes(left, right, position);
  }
  auto result = symbol == "||" ? text_concatenation(left, right, position) : text_match(symbol, left, right, position);
  if (!result) no_operator(symbol, left, right, position);
  return std::move(*result);
}

Expression ExpressionBinder::concatenate_bytes(const Expression& left, const Expression& right, int position) const {
  constexpr DataType kByteaType{TypeKind::kBytea};
  Expression a = resolve_literal(left, kByteaType), b = resolve_literal(right, kByteaType);
  if (a.type != kByteaType || b.type != kByteaType) no_operator("||", left, right, position);
  return text_function("text_append", kByteaType, {std::move(a), std::move(b)}, position);
}

Expression ExpressionBinder::bind_negation(Expression operand, int position) {
  operand = resolve_literal(std::move(operand), {TypeKind::kDouble});
  if (operand.type.kind == TypeKind::kInterval) {
    const DataType type = operand.type;
    return function_call("negate_interval_i128", type, {std::move(operand)}, position);
  }
  if (!operand.type.is_number()) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("operator does not exist: - {}", to_string(operand.type)), position,
                "Cast the operand to a number: CAST(x AS type).");
  }
  const DataType type = operand.type;
  return call(Operation::kNegate, type, {std::move(operand)}, position);
}

Expression ExpressionBinder::arithmetic(Operation operation, Expression left, Expression right, int position) {
  const std::string_view symbol = symbol_of(kArithmetic, operation);
  if (is_unknown_literal(left) && is_unknown_literal(right)) no_operator(symbol, left, right, position);
  if (is_date_or_time(left.type) || is_date_or_time(right.type)) {
    if (auto result = time_arithmetic(operation, left, right, position)) return std::move(*result);
    no_operator(symbol, left, right, position);
  }
  left = resolve_literal(std::move(left), right.type);
  right = resolve_literal(std::move(right), left.type);
  if (!left.type.is_number() || !right.type.is_number()) no_operator(symbol, left, right, position);
  const DataType type = arithmetic_type(operation, left, right, position);
  for (Expression* side : {&left, &right}) {
    const DataType operand = type.kind == TypeKind::kNumeric ? numeric_type_of(*side) : type;
    *side = coerce(std::move(*side), operand);
  }
  return call(operation, type, {std::move(left), std::move(right)}, position);
}

Expression ExpressionBinder::compare(Operation operation, Expression left, Expression right, int position) {
  left = resolve_literal(std::move(left), right.type);
  right = resolve_literal(std::move(right), left.type);
  left = narrow_literal(std::move(left), right.type);
  right = narrow_literal(std::move(right), left.type);
  std::optional<DataType> type = common_type(left, right);
  // Beside a char, a varchar's trailing blanks do not count, whichever comes first.
  const bool of_blanks = left.type.kind == TypeKind::kChar || right.type.kind == TypeKind::kChar;
  if (type && type->kind == TypeKind::kVarchar && of_blanks) type = DataType{TypeKind::kChar};
  // A real beside another number is compared as a double: 0.1::real = 0.1 is false.
  if (type && type->kind == TypeKind::kReal && left.type != right.type) type->kind = TypeKind::kDouble;
  if (!type) no_operator(symbol_of(kComparisons, operation), left, right, position);
  left = coerce(std::move(left), *type);
  right = coerce(std::move(right), *type);
  return call(operation, kBooleanType, {std::move(left), std::move(right)}, position);
}

Expression ExpressionBinder::range(const Expression& value, const Expression& low, const Expression& high, bool negated,
                                   int position) {
  const Operation below = negated ? Operation::kLess : Operation::kGreaterEqual;
  const Operation above = negated ? Operation::kGreater : Operation::kLessEqual;
  Expression first = compare(below, context_.duplicate(value), context_.duplicate(low), position);
  Expression second = compare(above, context_.duplicate(value), context_.duplicate(high), position);
  return call(negated ? Operation::kOr : Operation::kAnd, kBooleanType, {std::move(first), std::move(second)}, position);
}

Expression ExpressionBinder::bind_between(const nlohmann::json& fields, bool negated, bool symmetric, int position) {
  const Expression value = bind(fields.at("lexpr"));
  const nlohmann::json& bounds = syntax_node(fields.at("rexpr")).fields.at("items");
  const Expression low = bind(bounds.at(0));
  const Expression high = bind(bounds.at(1));
  Expression result = range(value, low, high, negated, position);
  if (!symmetric) return result;
  return call(negated ? Operation::kAnd : Operation::kOr, kBooleanType,
              {std::move(result), range(value, high, low, negated, position)}, position);
}

Expression ExpressionBinder::bind_in(const nlohmann::json& fields, int position) {
  const auto [kind, list] = syntax_node(fields.at("rexpr"));
  if (kind != "List") context_.unsupported("a subquery in IN", position);
  const bool negated = string_list(fields, "name").back() == "<>";
  const Expression value = bind(fields.at("lexpr"));
  std::vector<Expression> comparisons;
  for (const nlohmann::json& item : list.at("items")) {
    comparisons.push_back(
        compare(negated ? Operation::kNotEqual : Operation::kEqual, context_.duplicate(value), bind(item), position));
  }
  if (comparisons.size() == 1) return std::move(comparisons.front());
  return call(negated ? Operation::kAnd : Operation::kOr, kBooleanType, std::move(comparisons), position);
}

Expression ExpressionBinder::bind_like(const nlohmann::json& fields, int position) {
  constexpr DataType kTextType{TypeKind::kText};
  const std::string symbol = string_list(fields, "name").back();
  Expression text = resolve_literal(bind(fields.at("lexpr")), kTextType);
  Expression pattern = resolve_literal(bind(fields.at("rexpr")), kTextType);
  if (!text.type.is_text() || !pattern.type.is_text()) no_operator(symbol, text, pattern, position);
  text = coerce(std::move(text), kTextType);
  pattern = coerce(std::move(pattern), kTextType);
  Expression result = call(Operation::kLike, kBooleanType, {std::move(text), std::move(pattern)}, position);
  result.name = symbol.ends_with('*') ? "ilike" : "like";
  return symbol.starts_with('!') ? call(Operation::kNot, kBooleanType, {std::move(result)}, position) : result;
}

Expression ExpressionBinder::bind_distinct(const nlohmann::json& fields, bool negated, int position) {
  Expression result = are_distinct(bind(fields.at("lexpr")), bind(fields.at("rexpr")), position);
  return negated ? call(Operation::kNot, kBooleanType, {std::move(result)}, position) : result;
}

// a IS DISTINCT FROM b: CASE WHEN a IS NULL THEN b IS NOT NULL WHEN b IS NULL THEN true ELSE a <> b END.
Expression ExpressionBinder::are_distinct(Expression one, Expression other, int position) {
  Expression different = compare(Operation::kNotEqual, std::move(one), std::move(other), position);
  const Expression left = different.arguments[0];
  const Expression right = different.arguments[1];
  std::vector<Expression> parts;
  parts.push_back(call(Operation::kIsNull, kBooleanType, {context_.duplicate(left)}, position));
  parts.push_back(call(Operation::kIsNotNull, kBooleanType, {context_.duplicate(right)}, position));
  parts.push_back(call(Operation::kIsNull, kBooleanType, {context_.duplicate(right)}, position));
  parts.push_back(literal_expression(Value{kBooleanType, true}));
  parts.push_back(std::move(different));
  return call(Operation::kCase, kBooleanType, std::move(parts), position);
}

}  // namespace saccade
