#include "sql/binder/expression_binder.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/literals.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};

// What nodes that are not supported are called.
std::string_view construct_name(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {{
      {"RowExpr", "a row value"},
      {"A_ArrayExpr", "an array"},
      {"A_Indirection", "a subscript or field selection"},
      {"CollateClause", "COLLATE"},
      {"SQLValueFunction", "a function of the current time or user"},
      {"XmlExpr", "XML"},
      {"SetToDefault", "DEFAULT"},
  }};
  for (const auto& [key, name] : kNames) {
    if (key == kind) return name;
  }
  return kind;
}

void collect_conjuncts(Expression condition, std::vector<Expression>& result) {
  if (condition.operation != Operation::kAnd) {
    result.push_back(std::move(condition));
    return;
  }
  for (Expression& argument : condition.arguments) collect_conjuncts(std::move(argument), result);
}

}  // namespace

std::vector<Expression> split_conjuncts(Expression condition) {
  std::vector<Expression> result;
  collect_conjuncts(std::move(condition), result);
  return result;
}

Expression ExpressionBinder::bind(const nlohmann::json& json) {
  const bool only_true = std::exchange(only_true_, false);
  const auto [kind, fields] = syntax_node(json);
  if (kind == "ColumnRef") return bind_column(fields);
  if (kind == "A_Const") return bind_constant(fields);
  if (kind == "A_Expr") return bind_operator(fields);
  if (kind == "BoolExpr") return bind_logic(fields, only_true);
  if (kind == "SubLink") return bind_subquery(fields, only_true);
  if (kind == "FuncCall") return bind_function(fields);
  if (kind == "TypeCast") return bind_cast(fields);
  if (kind == "CaseExpr") return bind_case(fields);
  if (kind == "CoalesceExpr") return bind_coalesce(fields);
  if (kind == "GroupingFunc") return bind_grouping(fields);
  if (kind == "MinMaxExpr") return bind_extreme(fields);
  if (kind == "SQLValueFunction") return bind_current(fields);
  if (kind == "NullTest") return bind_null_test(fields);
  if (kind == "BooleanTest") return bind_boolean_test(fields);
  if (kind == "ParamRef") return context_.parameter(fields.value("number", 0), context_.position(fields));
  context_.unsupported(construct_name(kind), context_.position(fields));
}

Expression ExpressionBinder::bind_boolean(const nlohmann::json& json, std::string_view what) {
  return to_boolean(bind(json), what);
}

Expression ExpressionBinder::bind_condition(const nlohmann::json& json, std::string_view what) {
  only_true_ = true;
  return bind_boolean(json, what);
}

Expression ExpressionBinder::to_boolean(Expression expression, std::string_view what) {
  if (is_unknown_literal(expression)) return coerce(std::move(expression), kBooleanType);
  if (expression.type.kind == TypeKind::kBoolean) return expression;
  throw Error(sqlstate::kDatatypeMismatch,
              fmt::format("argument of {} must be type boolean, not type {}", what, to_string(expression.type)),
              expression.position);
}

Expression ExpressionBinder::bind_value(const nlohmann::json& json) {
  Expression value = bind(json);
  if (is_unknown_literal(value)) return coerce(std::move(value), {TypeKind::kText});
  return value;
}

// A column until the groups are known: Grouping::rewrite puts its value there.
Expression ExpressionBinder::bind_grouping(const nlohmann::json& fields) {
  const int position = context_.tree.position(fields.value("location", -1));
  if (aggregates_ == nullptr || in_aggregate_) {
    throw Error(sqlstate::kGroupingError,
                fmt::format("grouping operations are not allowed in {}", in_aggregate_ ? "aggregate functions" : clause_),
                position);
  }
  BindingContext::GroupingCall call{context_.add_column("grouping", {TypeKind::kInteger}), {}};
  for (const nlohmann::json& argument : fields.at("args")) call.arguments.push_back(bind(argument));
  if (call.arguments.size() > 31) throw Error("54023", "GROUPING must have fewer than 32 arguments", position);
  Expression result = column_expression(call.column, {TypeKind::kInteger});
  result.position = position;
  context_.grouping_calls.push_back(std::move(call));
  return result;
}

Expression ExpressionBinder::bind_column(const nlohmann::json& fields) {
  const std::vector<std::string> names = string_list(fields, "fields");
  const int position = context_.position(fields);
  if (names.back() == "*") throw Error(sqlstate::kSyntaxError, "* is not allowed here", position);
  if (names.size() > 2) context_.unsupported("a column's name with a schema", position);
  if (names.size() == 1 && !scope_.has_column(names[0]) && scope_.has_relation(names[0])) {
    context_.unsupported("a whole row as a value", position);
  }
  const ScopeColumn& column = names.size() == 1 ? scope_.find(names[0], position) : scope_.find(names[0], names[1], position);
  if (column.type.kind == TypeKind::kUnknown)
    context_.unsupported(fmt::format("the type of column \"{}\"", names.back()), position);
  Expression result = column.reference(position);
  return result;
}

Expression ExpressionBinder::bind_constant(const nlohmann::json& fields) {
  const int position = context_.position(fields);
  Value value = Value::null();
  if (fields.contains("ival")) {
    value = {{TypeKind::kInteger}, static_cast<int128>(context_.tree.integer(fields))};
  } else if (fields.contains("fval")) {
    value = number_literal(text_field(fields.at("fval"), "fval"), position);
  } else if (fields.contains("sval")) {
    value = {DataType{}, text_field(fields.at("sval"), "sval")};
  } else if (fields.contains("boolval")) {
    value = {kBooleanType, flag_field(fields.at("boolval"), "boolval")};
  } else if (!flag_field(fields, "isnull")) {
    context_.unsupported("a bit string", position);
  }
  Expression result = literal_expression(std::move(value));
  result.position = position;
  return result;
}

Expression ExpressionBinder::bind_logic(const nlohmann::json& fields, bool only_true) {
  const std::string operation = text_field(fields, "boolop");
  const bool negation = operation == "NOT_EXPR";
  const bool conjunction = operation == "AND_EXPR";
  std::vector<Expression> arguments;
  arguments.reserve(fields.at("args").size());  // guards point to them
  const std::size_t guards = guards_.size();
  for (const nlohmann::json& argument : fields.at("args")) {
    only_true_ = only_true && !negation;
    arguments.push_back(bind_boolean(argument, negation ? "NOT" : conjunction ? "AND" : "OR"));
    if (!negation) guards_.push_back({&arguments.back(), conjunction ? Guard::Kind::kNotFalse : Guard::Kind::kNotTrue});
  }
  guards_.resize(guards);
  Expression result = call_expression(negation      ? Operation::kNot
                                      : conjunction ? Operation::kAnd
                                                    : Operation::kOr,
                                      kBooleanType, std::move(arguments));
  result.position = context_.tree.position(fields.value("location", -1));
  return result;
}

Expression ExpressionBinder::bind_null_test(const nlohmann::json& fields) {
  Expression argument = bind(fields.at("arg"));
  if (is_unknown_literal(argument)) argument = coerce(std::move(argument), {TypeKind::kText});
  const bool is_null = text_field(fields, "nulltesttype") == "IS_NULL";
  Expression result =
      call_expression(is_null ? Operation::kIsNull : Operation::kIsNotNull, kBooleanType, {std::move(argument)});
  result.position = context_.tree.position(fields.value("location", -1));
  return result;
}

// x IS TRUE is coalesce(x, false); x IS FALSE is coalesce(NOT x, false).
Expression ExpressionBinder::bind_boolean_test(const nlohmann::json& fields) {
  const std::string test = text_field(fields, "booltesttype");
  Expression argument = bind_boolean(fields.at("arg"), "IS");
  const int position = argument.position;
  if (test == "IS_UNKNOWN" || test == "IS_NOT_UNKNOWN") {
    return call_expression(test == "IS_UNKNOWN" ? Operation::kIsNull : Operation::kIsNotNull, kBooleanType,
                           {std::move(argument)});
  }
  if (test == "IS_FALSE" || test == "IS_NOT_FALSE") {
    argument = call_expression(Operation::kNot, kBooleanType, {std::move(argument)});
  }
  Expression result = call_expression(Operation::kCoalesce, kBooleanType,
                                      {std::move(argument), literal_expression(Value{kBooleanType, false})});
  if (test == "IS_NOT_TRUE" || test == "IS_NOT_FALSE") {
    result = call_expression(Operation::kNot, kBooleanType, {std::move(result)});
  }
  result.position = position;
  return result;
}

}  // namespace saccade
