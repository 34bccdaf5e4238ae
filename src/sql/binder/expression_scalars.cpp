// Expressions that are scalar functions or operators in a form of their own: EXTRACT, GREATEST, CURRENT_DATE, named arguments.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/scalar_functions.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};

}  // namespace

std::vector<Expression> ExpressionBinder::bind_arguments(const nlohmann::json& arguments) {
  std::vector<Expression> result;
  for (const nlohmann::json& argument : arguments) result.push_back(bind(argument));
  return result;
}

std::vector<Expression> ExpressionBinder::bind_interval_parts(const nlohmann::json& arguments) {
  constexpr std::array<std::string_view, 7> kNames = {"years", "months", "weeks", "days", "hours", "mins", "secs"};
  std::vector<Expression> result;
  std::vector<bool> given(kNames.size(), false);
  for (const nlohmann::json& argument : arguments) {
    const auto [kind, fields] = syntax_node(argument);
    std::size_t at = result.size();
    if (kind == "NamedArgExpr") {
      const std::string name = text_field(fields, "name");
      for (at = 0; at < kNames.size() && kNames[at] != name;) ++at;
    }
    if (at >= kNames.size() || given[at]) {
      throw Error(sqlstate::kUndefinedFunction, "function make_interval does not have such arguments",
                  context_.position(fields), fmt::format("Its arguments are {}.", fmt::join(kNames, ", ")));
    }
    while (result.size() <= at) result.push_back(literal_expression({{TypeKind::kInteger}, int128{0}}));
    given[at] = true;
    result[at] = bind(kind == "NamedArgExpr" ? fields.at("arg") : argument);
  }
  return result;
}

Expression ExpressionBinder::bind_extract(const nlohmann::json& fields, int position) {
  const std::string function = string_list(fields, "funcname").back();
  const bool date_part = function == "date_part";
  if (!fields.contains("args") || fields.at("args").size() != 2) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("{} takes a field and a date, time or interval", function), position);
  }
  const Expression field = bind(fields.at("args").at(0));
  const Expression source = bind(fields.at("args").at(1));
  if (field.operation != Operation::kLiteral || !std::holds_alternative<std::string>(field.literal.data)) {
    context_.unsupported(fmt::format("{} of a computed field", function), position);
  }
  const std::string& name = std::get<std::string>(field.literal.data);
  auto result = bind_extract_field(name, source, position);
  if (!result) {
    const std::string type = is_unknown_literal(source) ? "unknown" : to_string(source.type);
    throw Error(sqlstate::kUndefinedFunction, fmt::format("function {}({}, {}) does not exist", function, name, type), position,
                "Extract from a date, a time or an interval: extract(year from date '2024-01-31').");
  }
  return date_part ? coerce(std::move(*result), {TypeKind::kDouble}) : std::move(*result);
}

// The first argument that is not null and that no other one, where it is not null, exceeds; nulls count only where all are.
Expression ExpressionBinder::bind_extreme(const nlohmann::json& fields) {
  const int position = context_.position(fields);
  const bool least = text_field(fields, "op") == "IS_LEAST";
  std::vector<Expression> arguments = bind_arguments(fields.at("args"));
  std::vector<Expression*> pointers;
  for (Expression& argument : arguments) pointers.push_back(&argument);
  unify(pointers, least ? "LEAST" : "GREATEST");
  if (arguments.size() == 1) return std::move(arguments.front());
  const DataType type = arguments.front().type;
  std::vector<Expression> parts;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    std::vector<Expression> conditions;
    conditions.push_back(call_expression(Operation::kIsNotNull, kBooleanType, {context_.duplicate(arguments[i])}));
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      Expression is_null = call_expression(Operation::kIsNull, kBooleanType, {context_.duplicate(arguments[j])});
      Expression better = compare(least ? Operation::kLessEqual : Operation::kGreaterEqual, context_.duplicate(arguments[i]),
                                  context_.duplicate(arguments[j]), position);
      conditions.push_back(call_expression(Operation::kOr, kBooleanType, {std::move(is_null), std::move(better)}));
    }
    parts.push_back(call_expression(Operation::kAnd, kBooleanType, std::move(conditions)));
    parts.push_back(context_.duplicate(arguments[i]));
  }
  parts.push_back(std::move(arguments.back()));
  Expression result = call_expression(Operation::kCase, type, std::move(parts));
  result.position = position;
  return result;
}

Expression ExpressionBinder::bind_current(const nlohmann::json& fields) {
  const int position = context_.position(fields);
  const std::string name = text_field(fields, "op");
  if (auto result = bind_current_time(context_, name, fields.value("typmod", -1), position)) return std::move(*result);
  context_.unsupported("a function of the current user or schema", position);
}

Expression ExpressionBinder::bind_other_operator(const std::string& symbol, const nlohmann::json& fields, int position) {
  std::optional<Expression> left;
  if (fields.contains("lexpr")) left = bind(fields.at("lexpr"));
  Expression right = bind(fields.at("rexpr"));
  if (auto result = bind_number_operator(symbol, left, right, position)) return std::move(*result);
  const bool known = symbol == "&" || symbol == "|" || symbol == "#" || symbol == "<<" || symbol == ">>" || symbol == "@";
  if (known && left) no_operator(symbol, *left, right, position);
  if (known) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("operator does not exist: {} {}", symbol, to_string(right.type)),
                position, "Cast the operand to a number: CAST(x AS type).");
  }
  context_.unsupported(fmt::format("the operator {}", symbol), position);
}

}  // namespace saccade
