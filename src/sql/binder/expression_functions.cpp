#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/scalar_functions.hpp"
#include "sql/binder/text_functions.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr std::array<std::pair<std::string_view, AggregateKind>, 9> kAggregateNames = {{
    {"bool_and", AggregateKind::kBoolAnd},
    {"every", AggregateKind::kBoolAnd},
    {"bool_or", AggregateKind::kBoolOr},
    {"any_value", AggregateKind::kAnyValue},
    {"count", AggregateKind::kCount},
    {"sum", AggregateKind::kSum},
    {"avg", AggregateKind::kAvg},
    {"min", AggregateKind::kMin},
    {"max", AggregateKind::kMax},
}};

// By PostgreSQL's own names and the few that its grammar leaves as written.
constexpr std::array<std::pair<std::string_view, TypeKind>, 19> kTypeNames = {{
    {"bool", TypeKind::kBoolean},
    {"boolean", TypeKind::kBoolean},
    {"int2", TypeKind::kSmallint},
    {"int4", TypeKind::kInteger},
    {"int8", TypeKind::kBigint},
    {"float4", TypeKind::kReal},
    {"float8", TypeKind::kDouble},
    {"numeric", TypeKind::kNumeric},
    {"decimal", TypeKind::kNumeric},
    {"date", TypeKind::kDate},
    {"time", TypeKind::kTime},
    {"timestamp", TypeKind::kTimestamp},
    {"timestamptz", TypeKind::kTimestamptz},
    {"interval", TypeKind::kInterval},
    {"uuid", TypeKind::kUuid},
    {"text", TypeKind::kText},
    {"varchar", TypeKind::kVarchar},
    {"bpchar", TypeKind::kChar},
    {"bytea", TypeKind::kBytea},
}};

// PostgreSQL's types that are not there.
constexpr std::array<std::string_view, 18> kOtherTypes = {"timetz", "json", "jsonb", "xml",   "money",    "bit",
                                                          "varbit", "inet", "cidr",  "point", "box",      "line",
                                                          "path",   "oid",  "name",  "char",  "tsvector", "macaddr"};

// PostgreSQL's aggregates that are not there yet.
constexpr std::array<std::string_view, 22> kOtherAggregates = {
    "stddev",          "stddev_pop",      "stddev_samp", "variance",       "var_pop", "var_samp",
    "string_agg",      "array_agg",       "bit_and",     "bit_or",         "bit_xor", "corr",
    "covar_pop",       "covar_samp",      "regr_slope",  "regr_intercept", "mode",    "json_agg",
    "percentile_cont", "percentile_disc", "jsonb_agg",   "regr_r2"};

template <std::size_t N, class T>
std::optional<T> find_name(const std::array<std::pair<std::string_view, T>, N>& names, std::string_view name) {
  for (const auto& [key, value] : names) {
    if (key == name) return value;
  }
  return std::nullopt;
}

// The bits by which PostgreSQL's grammar says which fields an interval has, the finest first: interval '90' day.
std::string_view interval_field(std::int64_t mask) {
  constexpr std::int64_t kAll = 0x7fff, kMinute = 1 << 11, kSecond = 1 << 12;
  constexpr std::array<std::pair<int, std::string_view>, 6> kFields = {
      {{12, "second"}, {11, "minute"}, {10, "hour"}, {3, "day"}, {1, "month"}, {2, "year"}}};
  if (mask == kAll) return {};
  if (mask == (kMinute | kSecond)) return "minute to second";
  for (const auto& [bit, name] : kFields) {
    if ((mask >> bit & 1) != 0) return name;
  }
  return {};
}

// To `digits` behind the point of the seconds, half away from zero.
void round_seconds(Interval& interval, std::int64_t digits) {
  std::int64_t unit = 1;
  for (; digits < 6; ++digits) unit *= 10;
  const std::int64_t rest = interval.microseconds % unit;
  interval.microseconds -= rest;
  if (2 * rest >= unit) interval.microseconds += unit;
  if (2 * rest <= -unit) interval.microseconds -= unit;
}

std::string argument_types(const std::vector<Expression>& arguments) {
  std::string result;
  for (const Expression& argument : arguments) {
    if (!result.empty()) result += ", ";
    result += is_unknown_literal(argument) ? "unknown" : to_string(argument.type);
  }
  return result;
}

// What no function takes yet.
void check_call(BindingContext& context, const nlohmann::json& fields, int position) {
  constexpr std::array<std::pair<const char*, std::string_view>, 3> kModifiers = {{
      {"agg_order", "ORDER BY in an aggregate"},
      {"agg_within_group", "WITHIN GROUP"},
      {"func_variadic", "VARIADIC"},
  }};
  for (const auto& [field, what] : kModifiers) {
    if (fields.contains(field)) context.unsupported(what, position);
  }
}

// What only aggregates take.
void check_scalar_call(const nlohmann::json& fields, const std::string& name, int position) {
  constexpr std::array<std::pair<const char*, std::string_view>, 2> kModifiers = {
      {{"agg_filter", "FILTER"}, {"agg_distinct", "DISTINCT"}}};
  for (const auto& [field, what] : kModifiers) {
    if (!fields.contains(field)) continue;
    throw Error("42809", fmt::format("{} specified, but {} is not an aggregate function", what, name), position);
  }
  if (flag_field(fields, "agg_star"))
    throw Error("42809", fmt::format("{}(*) specified, but {} is not an aggregate function", name, name), position);
}

}  // namespace

Expression ExpressionBinder::bind_function(const nlohmann::json& fields) {
  const std::vector<std::string> names = string_list(fields, "funcname");
  const int position = context_.position(fields);
  const std::string& name = names.back();
  if (names.size() > 2 || (names.size() == 2 && names[0] != "pg_catalog")) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("function {} does not exist", fmt::join(names, ".")), position);
  }
  if (std::find(kOtherAggregates.begin(), kOtherAggregates.end(), name) != kOtherAggregates.end())
    context_.unsupported(fmt::format("the aggregate {}", name), position);
  check_call(context_, fields, position);
  const auto aggregate = find_name(kAggregateNames, name);
  if (fields.contains("over")) return bind_window(name, fields, aggregate, position);
  if (aggregate) return bind_aggregate(*aggregate, name, fields, position);
  if (is_window_function(name)) throw Error("42809", fmt::format("window function {} requires an OVER clause", name), position);
  check_scalar_call(fields, name, position);
  if (name == "extract" || name == "date_part") return bind_extract(fields, position);
  std::vector<Expression> arguments;
  if (fields.contains("args")) {
    arguments = name == "make_interval" ? bind_interval_parts(fields.at("args")) : bind_arguments(fields.at("args"));
  }
  if (auto call = text_function_call(name, arguments, position)) return std::move(*call);
  if (auto call = bind_scalar_function(context_, name, arguments, position)) return std::move(*call);
  throw Error(sqlstate::kUndefinedFunction, fmt::format("function {}({}) does not exist", name, argument_types(arguments)),
              position,
              is_text_function(name) ? "Cast the arguments to the types that the function takes: CAST(x AS type)."
                                     : "docs/sql.md lists the functions; casts of the arguments may be needed.");
}

void ExpressionBinder::no_function(std::string_view name, const std::vector<Expression>& arguments, int position) const {
  throw Error(sqlstate::kUndefinedFunction, fmt::format("function {}({}) does not exist", name, argument_types(arguments)),
              position, "Cast the arguments to the types that the function takes.");
}

AggregateCall ExpressionBinder::aggregate_call(AggregateKind kind, const std::string& name, const nlohmann::json& fields,
                                               int position) {
  AggregateCall aggregate;
  aggregate.kind = kind;
  aggregate.distinct = flag_field(fields, "agg_distinct");
  if (fields.contains("args")) {
    for (const nlohmann::json& argument : fields.at("args")) aggregate.arguments.push_back(bind(argument));
  }
  if (fields.contains("agg_filter")) aggregate.filter = bind_boolean(fields.at("agg_filter"), "FILTER");
  const bool star = flag_field(fields, "agg_star");
  if (star && kind == AggregateKind::kCount) aggregate.kind = AggregateKind::kCountStar;
  if (aggregate.kind != AggregateKind::kCountStar && !star && aggregate.arguments.size() == 1) {
    Expression& argument = aggregate.arguments.front();
    const bool any_type = kind == AggregateKind::kCount || kind == AggregateKind::kMin || kind == AggregateKind::kMax ||
                          kind == AggregateKind::kAnyValue;
    if (any_type && is_unknown_literal(argument)) argument = coerce(std::move(argument), {TypeKind::kText});
    const bool adds = kind == AggregateKind::kSum || kind == AggregateKind::kAvg;
    if (adds && argument.type.kind == TypeKind::kInterval) context_.unsupported("a sum of intervals", argument.position);
  }
  const bool shape = star ? kind == AggregateKind::kCount : aggregate.arguments.size() == 1;
  const auto type = shape ? aggregate_type(aggregate.kind, star ? DataType{} : aggregate.arguments.front().type) : std::nullopt;
  if (!type) {
    throw Error(sqlstate::kUndefinedFunction,
                fmt::format("function {}({}) does not exist", name, star ? "*" : argument_types(aggregate.arguments)), position,
                "Aggregates take one argument; sum and avg take a number.");
  }
  aggregate.type = *type;
  return aggregate;
}

Expression ExpressionBinder::bind_aggregate(AggregateKind kind, const std::string& name, const nlohmann::json& fields,
                                            int position) {
  if (in_aggregate_) throw Error(sqlstate::kGroupingError, "aggregate function calls cannot be nested", position);
  in_aggregate_ = true;
  const std::size_t first_guard = std::exchange(first_guard_, guards_.size());  // those around it are of another row
  AggregateCall aggregate = aggregate_call(kind, name, fields, position);
  in_aggregate_ = false;
  first_guard_ = first_guard;
  const DataType type = aggregate.type;
  std::vector<AggregateCall>& aggregates = *owner_of(aggregate, position).aggregates_;
  auto same = std::find_if(aggregates.begin(), aggregates.end(), [&](const AggregateCall& other) {
    return other.kind == aggregate.kind && other.arguments == aggregate.arguments && other.distinct == aggregate.distinct &&
           other.filter == aggregate.filter;
  });
  if (same == aggregates.end()) {
    aggregate.output = context_.add_column(to_string(aggregate, context_.plan.names), type);
    aggregates.push_back(std::move(aggregate));
    same = aggregates.end() - 1;
  }
  Expression result = column_expression(same->output, type);
  result.position = position;
  return result;
}

ExpressionBinder& ExpressionBinder::owner_of(const AggregateCall& aggregate, int position) {
  std::vector<ColumnId> columns;
  for (const Expression& argument : aggregate.arguments) {
    for (const ColumnId column : columns_of(argument)) columns.push_back(column);
  }
  if (aggregate.filter) {
    for (const ColumnId column : columns_of(*aggregate.filter)) columns.push_back(column);
  }
  const auto owns_one = [&](const ExpressionBinder& binder) {
    return std::any_of(columns.begin(), columns.end(), [&](ColumnId column) { return binder.scope_.owns(column); });
  };
  ExpressionBinder* owner = this;
  if (!columns.empty() && !owns_one(*this)) {
    const auto found = std::find_if(context_.enclosing.rbegin(), context_.enclosing.rend(),
                                    [&](const ExpressionBinder* binder) { return owns_one(*binder); });
    if (found != context_.enclosing.rend()) owner = *found;
  }
  if (owner->aggregates_ == nullptr) {
    throw Error(sqlstate::kGroupingError, fmt::format("aggregate functions are not allowed in {}", owner->clause_), position,
                owner->clause_ == "WHERE" ? "Put the condition on the aggregate into HAVING." : "");
  }
  if (owner != this && owner->in_aggregate_)
    throw Error(sqlstate::kGroupingError, "aggregate function calls cannot be nested", position);
  return *owner;
}

DataType ExpressionBinder::bind_type(const nlohmann::json& type_name, int position) {
  const std::string name = string_list(type_name, "names").back();
  const auto kind = find_name(kTypeNames, name);
  if (!kind && std::find(kOtherTypes.begin(), kOtherTypes.end(), name) == kOtherTypes.end()) {
    throw Error(sqlstate::kUndefinedObject, fmt::format("type \"{}\" does not exist", name), position,
                "docs/sql.md lists the types.");
  }
  if (!kind || type_name.contains("arrayBounds") || flag_field(type_name, "setof")) {
    context_.unsupported(fmt::format("the type {}", type_name.contains("arrayBounds") ? name + "[]" : name), position);
  }
  DataType type{*kind};
  if (!type_name.contains("typmods")) return type;
  std::vector<std::int64_t> modifiers;
  for (const nlohmann::json& modifier : type_name.at("typmods")) {
    const auto [node, fields] = syntax_node(modifier);
    if (node != "A_Const" || !fields.contains("ival")) context_.unsupported("a type's modifier of this form", position);
    modifiers.push_back(context_.tree.integer(fields));
  }
  if (type.kind == TypeKind::kVarchar || type.kind == TypeKind::kChar) {
    constexpr std::int64_t kLongest = 10485760;
    if (modifiers.size() != 1 || modifiers[0] < 1 || modifiers[0] > kLongest) {
      throw Error(sqlstate::kInvalidParameterValue, fmt::format("the length of type {} is out of range", name), position,
                  "It is a number of characters from 1 to 10485760.");
    }
    type.length = static_cast<std::int32_t>(modifiers[0]);
    return type;
  }
  const bool moment = *kind == TypeKind::kTime || *kind == TypeKind::kTimestamp || *kind == TypeKind::kTimestamptz;
  if (moment && modifiers.size() == 1 && modifiers[0] == 6) return type;  // all there are
  if (*kind != TypeKind::kNumeric) context_.unsupported(fmt::format("a length or precision of the type {}", name), position);
  const std::int64_t precision = modifiers.at(0);
  const std::int64_t scale = modifiers.size() > 1 ? modifiers[1] : 0;
  if (modifiers.size() > 2 || precision < 1 || precision > kMaxPrecision || scale < 0 || scale > precision) {
    throw Error(sqlstate::kInvalidParameterValue, fmt::format("numeric({}) is out of range", fmt::join(modifiers, ", ")),
                position, "A numeric has a precision of 1 to 38 digits and a scale of 0 up to its precision.");
  }
  return DataType::numeric(static_cast<int>(precision), static_cast<int>(scale));
}

Expression ExpressionBinder::bind_cast(const nlohmann::json& fields) {
  const nlohmann::json& type_name = fields.at("typeName");
  int position = context_.tree.position(fields.value("location", -1));
  if (position == 0) position = context_.position(type_name);
  if (string_list(type_name, "names").back() == "interval") return bind_interval(fields.at("arg"), type_name, position);
  const DataType type = bind_type(type_name, position);
  const auto [node, constant] = syntax_node(fields.at("arg"));
  if (type.is_float() && node == "A_Const" && constant.contains("fval")) {
    // As it is written: on the way through numeric it would have to fit into 38 digits.
    Expression result = literal_expression(parse_literal(text_field(constant.at("fval"), "fval"), type, position));
    result.position = position;
    return result;
  }
  return cast_explicitly(bind(fields.at("arg")), type, position);
}

Expression ExpressionBinder::bind_interval(const nlohmann::json& argument, const nlohmann::json& type_name, int position) {
  constexpr DataType kIntervalType{TypeKind::kInterval};
  const Expression text = bind(argument);
  std::string_view field;
  std::int64_t digits = 6;
  if (type_name.contains("typmods")) {
    std::vector<std::int64_t> modifiers;
    for (const nlohmann::json& modifier : type_name.at("typmods")) {
      modifiers.push_back(context_.tree.integer(syntax_node(modifier).fields));
    }
    field = interval_field(modifiers.at(0));
    if (modifiers.size() > 1) digits = modifiers[1];
    if (digits < 0 || digits > 6) {
      throw Error(sqlstate::kInvalidParameterValue, fmt::format("INTERVAL({}) precision must be between 0 and 6", digits),
                  position);
    }
  }
  if (!is_unknown_literal(text)) {
    if (!field.empty() || digits < 6)
      context_.unsupported("an interval's fields or precision in the cast of a value", position);
    return cast_explicitly(text, kIntervalType, position);
  }
  Value value = Value::null(kIntervalType);
  if (!text.literal.is_null()) {
    const std::string& written = std::get<std::string>(text.literal.data);
    try {
      Interval interval = parse_interval(written, field);
      round_seconds(interval, digits);
      value.data = interval;
    } catch (const Error& error) {
      throw Error(error.sqlstate(), error.what(), text.position, error.hint());
    }
  }
  Expression result = literal_expression(std::move(value));
  result.position = position;
  return result;
}

void ExpressionBinder::unify(const std::vector<Expression*>& results, std::string_view what) {
  Expression merged = literal_expression(Value::null());
  for (const Expression* result : results) {
    if (!is_unknown_literal(*result)) {
      const auto type = is_unknown_literal(merged) ? std::optional(result->type) : common_type(merged, *result);
      if (!type) {
        throw Error(sqlstate::kDatatypeMismatch,
                    fmt::format("{} types {} and {} cannot be matched", what, to_string(merged.type), to_string(result->type)),
                    result->position, "Cast one of them to the other's type: CAST(x AS type).");
      }
      merged.type = *type;
    }
  }
  if (is_unknown_literal(merged)) merged.type.kind = TypeKind::kText;
  const DataType known = merged.type;
  for (Expression* result : results) {
    *result = resolve_literal(std::move(*result), known);
    merged.type = common_type(merged, *result).value_or(known);
  }
  for (Expression* result : results) *result = coerce(std::move(*result), merged.type);
}

Expression ExpressionBinder::bind_case(const nlohmann::json& fields) {
  std::optional<Expression> operand;
  if (fields.contains("arg")) operand = bind(fields.at("arg"));
  std::vector<Expression> parts;
  parts.reserve(2 * fields.at("args").size() + 1);  // guards point to them
  const std::size_t guards = guards_.size();
  for (const nlohmann::json& item : fields.at("args")) {
    const nlohmann::json& when = syntax_node(item).fields;
    if (operand) {
      parts.push_back(
          compare(Operation::kEqual, context_.duplicate(*operand), bind(when.at("expr")), context_.position(when.at("expr"))));
    } else {
      parts.push_back(bind_condition(when.at("expr"), "CASE/WHEN"));
    }
    const Expression* condition = &parts.back();
    guards_.push_back({condition, Guard::Kind::kTrue});
    parts.push_back(bind(when.at("result")));
    guards_.back() = {condition, Guard::Kind::kNotTrue};
  }
  parts.push_back(fields.contains("defresult") ? bind(fields.at("defresult")) : literal_expression(Value::null()));
  guards_.resize(guards);
  std::vector<Expression*> results;
  for (std::size_t i = 1; i < parts.size(); i += 2) results.push_back(&parts[i]);
  results.push_back(&parts.back());
  unify(results, "CASE");
  const DataType type = parts.back().type;
  Expression result = call_expression(Operation::kCase, type, std::move(parts));
  result.position = context_.position(fields);
  return result;
}

Expression ExpressionBinder::bind_coalesce(const nlohmann::json& fields) {
  std::vector<Expression> arguments;
  arguments.reserve(fields.at("args").size());  // guards point to them
  const std::size_t guards = guards_.size();
  for (const nlohmann::json& argument : fields.at("args")) {
    arguments.push_back(bind(argument));
    guards_.push_back({&arguments.back(), Guard::Kind::kNull});
  }
  guards_.resize(guards);
  std::vector<Expression*> results;
  for (Expression& argument : arguments) results.push_back(&argument);
  unify(results, "COALESCE");
  const DataType type = arguments.front().type;
  Expression result = call_expression(Operation::kCoalesce, type, std::move(arguments));
  result.position = context_.position(fields);
  return result;
}

// CASE WHEN a = b THEN NULL ELSE a END.
Expression ExpressionBinder::bind_nullif(const nlohmann::json& fields, int position) {
  Expression value = bind(fields.at("lexpr"));
  Expression other = bind(fields.at("rexpr"));
  if (is_unknown_literal(value)) {
    value =
        is_unknown_literal(other) ? coerce(std::move(value), {TypeKind::kText}) : resolve_literal(std::move(value), other.type);
  }
  Expression equal = compare(Operation::kEqual, context_.duplicate(value), std::move(other), position);
  // PostgreSQL has operators between integers and between reals, but none of an integer and a number of another kind.
  const DataType compared = equal.arguments.at(0).type;
  const bool promoted = (value.type.is_integer() && !compared.is_integer()) ||
                        (value.type.kind == TypeKind::kNumeric && compared.kind == TypeKind::kDouble);
  const DataType type = promoted ? compared : value.type;
  value = coerce(std::move(value), type);
  Expression result =
      call_expression(Operation::kCase, type, {std::move(equal), literal_expression(Value::null(type)), std::move(value)});
  result.position = position;
  return result;
}

}  // namespace saccade
