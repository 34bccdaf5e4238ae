// Subqueries in expressions. Each becomes a join (subqueries.hpp), and its value an expression over the join's columns:
//
//   scalar    joined as it is where it gives one row at most, else as its count of rows and any value; the count is checked
//   where
//             the value is used
//   EXISTS    a mark join
//   IN, = ANY a mark join; it is NULL without a match where the value is null or the subquery gives a null: both are counted
//   < ANY     a comparison with the greatest value, and so on; ALL is NOT (... ANY) of the opposite comparison
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "plan/walk.hpp"
#include "sql/binder/expression_binder.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};
constexpr DataType kCountType{TypeKind::kBigint};

struct Comparison {
  std::string_view symbol;
  Operation operation, opposite;
};

constexpr std::array<Comparison, 6> kComparisons = {{{"=", Operation::kEqual, Operation::kNotEqual},
                                                     {"<>", Operation::kNotEqual, Operation::kEqual},
                                                     {"<", Operation::kLess, Operation::kGreaterEqual},
                                                     {"<=", Operation::kLessEqual, Operation::kGreater},
                                                     {">", Operation::kGreater, Operation::kLessEqual},
                                                     {">=", Operation::kGreaterEqual, Operation::kLess}}};

// The comparison of a SubLink; none: =.
const Comparison* find_comparison(const nlohmann::json& fields) {
  const std::vector<std::string> names = string_list(fields, "operName");
  const std::string symbol = names.empty() ? "=" : names.back();
  const auto* found =
      std::find_if(kComparisons.begin(), kComparisons.end(), [&](const Comparison& c) { return c.symbol == symbol; });
  return found == kComparisons.end() ? nullptr : found;
}

Expression call(Operation operation, std::vector<Expression> arguments) {
  return call_expression(operation, kBooleanType, std::move(arguments));
}

Expression boolean_literal(bool value) {
  return literal_expression(Value{kBooleanType, value});
}

Expression all_of(std::vector<Expression> conjuncts) {
  if (conjuncts.empty()) return boolean_literal(true);
  if (conjuncts.size() == 1) return std::move(conjuncts.front());
  return call(Operation::kAnd, std::move(conjuncts));
}

Expression column_of(const ResultColumn& column, int position) {
  Expression result = column_expression(column.column, column.type);
  result.position = position;
  return result;
}

// The text of a syntax tree without the places where it stands.
nlohmann::json without_locations(nlohmann::json json) {
  if (json.is_object()) json.erase("location");
  if (json.is_structured()) {
    for (nlohmann::json& child : json) child = without_locations(std::move(child));
  }
  return json;
}

// A filter on top of exactly one row; nothing where the node is something else.
const LogicalNode* filtered_row(const LogicalNode& node, const LogicalPlan& plan) {
  if (node.kind == LogicalKind::kFilter && gives_one_row(node.children.at(0), plan)) return &node;
  return nullptr;
}

// What does not change whether a query gives a row.
LogicalNode strip_for_exists(LogicalNode node) {
  while (true) {
    const bool groups = node.kind == LogicalKind::kAggregate && !node.expressions.empty();
    const bool limits = node.kind == LogicalKind::kLimit && node.offset == 0 && (!node.limit || *node.limit > 0);
    if (node.kind != LogicalKind::kProject && node.kind != LogicalKind::kSort && !groups && !limits) return node;
    LogicalNode child = std::move(node.children.at(0));
    node = std::move(child);
  }
}

}  // namespace

struct ExpressionBinder::Quantified {
  Operation operation;
  std::vector<Expression> values;  // one, or those of a row
  const nlohmann::json* fields;    // of the SubLink
  BoundQuery first;                // the query as it was bound first
  bool first_is_used = false;
  int shared = -1;  // the shared part that it has become; -1: bound again for each use
  int position = 0;
};

Expression ExpressionBinder::bind_subquery(const nlohmann::json& fields, bool only_true) {
  const int position = context_.position(fields);
  SubqueryJoins* joins = in_aggregate_ ? input_subqueries_ : subqueries_;
  if (joins == nullptr) context_.unsupported(fmt::format("a subquery in {}", clause_), position);
  const bool guarded = guards_.size() > first_guard_;
  const std::string text = guarded ? std::string() : fmt::format("{} {}", only_true, without_locations(fields).dump());
  if (!guarded) {
    if (const Expression* known = joins->find(text)) return context_.duplicate(*known);
  }
  Expression result = bind_subquery_kind(fields, only_true, position);
  result.position = position;
  if (!guarded) joins->remember(text, result);
  return result;
}

Expression ExpressionBinder::bind_subquery_kind(const nlohmann::json& fields, bool only_true, int position) {
  const std::string kind = text_field(fields, "subLinkType");
  if (kind == "EXPR_SUBLINK") return bind_scalar(fields, position);
  if (kind == "EXISTS_SUBLINK") return bind_exists(fields);
  if (kind == "ANY_SUBLINK" || kind == "ALL_SUBLINK") return bind_quantified(fields, only_true, position);
  context_.unsupported("ARRAY over a subquery", position);
}

BoundQuery ExpressionBinder::bind_inner(const nlohmann::json& fields) {
  context_.enclosing.push_back(this);
  BoundQuery query = bind_query(context_, syntax_node(fields.at("subselect")).fields, &scope_);
  context_.enclosing.pop_back();
  return query;
}

void ExpressionBinder::join(JoinKind kind, LogicalNode right, std::vector<Expression> conjuncts, ColumnId mark) {
  LogicalNode node;
  node.kind = LogicalKind::kJoin;
  node.join_kind = kind;
  node.conjuncts = std::move(conjuncts);
  node.mark = mark;
  node.guards = guard_conditions();
  node.children.push_back(std::move(right));
  (in_aggregate_ ? input_subqueries_ : subqueries_)->add(std::move(node));
}

std::vector<Expression> ExpressionBinder::guard_conditions() const {
  std::vector<Expression> conditions;
  for (std::size_t i = first_guard_; i < guards_.size(); ++i) {
    const auto& [condition, kind] = guards_[i];
    Expression copy = context_.duplicate(*condition);
    const bool negated = kind == Guard::Kind::kNotTrue;
    if (kind == Guard::Kind::kNull) copy = call(Operation::kIsNull, {std::move(copy)});
    if (negated || kind == Guard::Kind::kNotFalse)
      copy = call(Operation::kCoalesce, {std::move(copy), boolean_literal(!negated)});
    if (negated) copy = call(Operation::kNot, {std::move(copy)});
    conditions.push_back(std::move(copy));
  }
  return conditions;
}

Expression ExpressionBinder::join_marked(LogicalNode right, std::vector<Expression> conjuncts) {
  const ColumnId mark = context_.add_column("exists", kBooleanType);
  join(JoinKind::kMark, std::move(right), std::move(conjuncts), mark);
  return column_expression(mark, kBooleanType);
}

Expression ExpressionBinder::add_call(LogicalNode& aggregate, AggregateKind kind, const Expression* argument) {
  AggregateCall call;
  call.kind = kind;
  call.type = kind == AggregateKind::kCount || kind == AggregateKind::kCountStar ? kCountType : argument->type;
  if (argument != nullptr) call.arguments.push_back(*argument);
  call.output = context_.add_column(to_string(call, context_.plan.names), call.type);
  Expression result = column_expression(call.output, call.type);
  aggregate.aggregates.push_back(std::move(call));
  return result;
}

Expression ExpressionBinder::bind_scalar(const nlohmann::json& fields, int position) {
  BoundQuery query = bind_inner(fields);
  if (query.columns.size() != 1) throw Error(sqlstate::kSyntaxError, "subquery must return only one column", position);
  return std::move(values_of(std::move(query)).front());
}

// The columns of a query that gives at most one row, NULL where it gives none.
std::vector<Expression> ExpressionBinder::values_of(BoundQuery query) {
  LogicalNode& node = query.node;
  const LogicalPlan& plan = context_.plan;
  const bool projected = node.kind == LogicalKind::kProject;
  const LogicalNode* filter = projected ? filtered_row(node.children.at(0), plan) : nullptr;
  if (projected && (filter != nullptr || gives_one_row(node, plan))) {
    // What is computed from the one row is computed where it is used.
    std::vector<Expression> values;
    const std::optional<Expression> condition = filter == nullptr ? std::nullopt : std::optional(all_of(filter->conjuncts));
    for (const ResultColumn& column : query.columns) {
      const auto output = std::find(node.outputs.begin(), node.outputs.end(), column.column);
      Expression value = node.expressions.at(static_cast<std::size_t>(output - node.outputs.begin()));
      const DataType type = value.type;
      if (condition) {
        value = call_expression(Operation::kCase, type,
                                {context_.duplicate(*condition), std::move(value), literal_expression(Value::null(type))});
      }
      values.push_back(std::move(value));
    }
    LogicalNode row = std::move(filter == nullptr ? node.children.at(0) : node.children.at(0).children.at(0));
    if (row.kind != LogicalKind::kOneRow) join(JoinKind::kInner, std::move(row));
    return values;
  }
  if (!gives_at_most_one_row(node, plan)) return checked_values(std::move(query));
  const bool always = gives_one_row(node, plan);
  join(always ? JoinKind::kInner : JoinKind::kLeft, std::move(node));
  std::vector<Expression> values;
  for (const ResultColumn& column : query.columns) values.push_back(column_of(column, 0));
  return values;
}

// CASE WHEN single_row(count) THEN any value END: an error for more than one row, where the value is asked for.
std::vector<Expression> ExpressionBinder::checked_values(BoundQuery query) {
  LogicalNode counted;
  counted.kind = LogicalKind::kAggregate;
  Expression rows = add_call(counted, AggregateKind::kCountStar, nullptr);
  std::vector<Expression> values;
  for (const ResultColumn& column : query.columns) {
    const Expression argument = column_of(column, 0);
    Expression value = add_call(counted, AggregateKind::kAnyValue, &argument);
    values.push_back(
        call_expression(Operation::kCase, column.type,
                        {call(Operation::kSingleRow, {rows}), std::move(value), literal_expression(Value::null(column.type))}));
  }
  counted.children.push_back(std::move(query.node));
  join(JoinKind::kInner, std::move(counted));
  return values;
}

Expression ExpressionBinder::bind_exists(const nlohmann::json& fields) {
  LogicalNode node = strip_for_exists(bind_inner(fields).node);
  if (gives_one_row(node, context_.plan)) return boolean_literal(true);
  if (filtered_row(node, context_.plan) == nullptr) return join_marked(std::move(node), {});
  std::vector<Expression> conjuncts = std::move(node.conjuncts);
  LogicalNode row = std::move(node.children.at(0));
  if (row.kind != LogicalKind::kOneRow) join(JoinKind::kInner, std::move(row));
  return call(Operation::kCoalesce, {all_of(std::move(conjuncts)), boolean_literal(false)});
}

std::vector<Expression> ExpressionBinder::bind_row(const nlohmann::json& json) {
  const auto [kind, fields] = syntax_node(json);
  std::vector<Expression> values;
  if (kind != "RowExpr") {
    values.push_back(bind(json));
    return values;
  }
  for (const nlohmann::json& argument : fields.at("args")) values.push_back(bind(argument));
  return values;
}

namespace {

void check_width(std::size_t values, std::size_t columns, int position) {
  if (columns == values) return;
  throw Error(sqlstate::kSyntaxError, fmt::format("subquery has too {} columns", columns > values ? "many" : "few"), position);
}

}  // namespace

// (a, b) < (SELECT c, d ...), an operator whose right side is a scalar subquery of several columns.
Expression ExpressionBinder::bind_row_comparison(const nlohmann::json& fields, int position) {
  if ((in_aggregate_ ? input_subqueries_ : subqueries_) == nullptr)
    context_.unsupported(fmt::format("a subquery in {}", clause_), position);
  std::vector<Expression> left = bind_row(fields.at("lexpr"));
  BoundQuery query = bind_inner(syntax_node(fields.at("rexpr")).fields);
  check_width(left.size(), query.columns.size(), position);
  return compare_values(std::move(left), values_of(std::move(query)), string_list(fields, "name").back(), position);
}

Expression ExpressionBinder::bind_quantified(const nlohmann::json& fields, bool only_true, int position) {
  const Comparison* comparison = find_comparison(fields);
  if (comparison == nullptr) {
    context_.unsupported(fmt::format("ANY or ALL with the operator {}", string_list(fields, "operName").back()), position);
  }
  const bool all = text_field(fields, "subLinkType") == "ALL_SUBLINK";
  Quantified quantified;
  quantified.operation = all ? comparison->opposite : comparison->operation;
  quantified.values = bind_row(fields.at("testexpr"));
  quantified.fields = &fields;
  quantified.position = position;
  quantified.first = bind_inner(fields);
  check_width(quantified.values.size(), quantified.first.columns.size(), position);
  // A join evaluates its conditions for all rows: what is compared is guarded itself.
  const std::vector<Expression> guards = guard_conditions();
  for (Expression& value : quantified.values) {
    if (guards.empty() || value.operation == Operation::kColumn || value.operation == Operation::kLiteral) continue;
    const DataType type = value.type;
    value = call_expression(Operation::kCase, type, {all_of(guards), std::move(value), literal_expression(Value::null(type))});
  }
  const bool rows = quantified.values.size() > 1;
  const bool equality = comparison->operation == Operation::kEqual || comparison->operation == Operation::kNotEqual;
  if (rows && !equality) context_.unsupported("a comparison of rows other than = and <>", position);
  quantified.shared = share(context_, quantified.first, "");
  Expression any = bind_any(std::move(quantified), only_true && !all);
  return all ? call(Operation::kNot, {std::move(any)}) : any;
}

Expression ExpressionBinder::bind_any(Quantified quantified, bool only_true) {
  // Operands are brought to one type first: a literal takes that of the subquery's column.
  for (std::size_t i = 0; i < quantified.values.size(); ++i) {
    quantified.values[i] = resolve_literal(std::move(quantified.values[i]), quantified.first.columns[i].type);
  }
  const bool member = quantified.operation == Operation::kEqual || quantified.values.size() > 1;
  return member ? bind_member(quantified, only_true) : bind_ordered(quantified, only_true);
}

// The query's rows for one more use.
BoundQuery ExpressionBinder::query_of(Quantified& quantified) {
  if (quantified.shared >= 0) return read_shared(context_, quantified.shared, quantified.first.columns);
  if (std::exchange(quantified.first_is_used, true)) return bind_inner(*quantified.fields);
  return std::move(quantified.first);
}

// The comparison of the values with a row of the subquery.
Expression ExpressionBinder::match(const Quantified& quantified, const std::vector<ResultColumn>& columns) {
  std::vector<Expression> comparisons;
  for (std::size_t i = 0; i < quantified.values.size(); ++i) {
    comparisons.push_back(compare(quantified.operation, context_.duplicate(quantified.values[i]),
                                  column_of(columns[i], quantified.position), quantified.position));
  }
  if (comparisons.size() == 1) return std::move(comparisons.front());
  return call(quantified.operation == Operation::kEqual ? Operation::kAnd : Operation::kOr, std::move(comparisons));
}

namespace {

// `truth`, or NULL where it is false and `unknown` holds.
Expression or_unknown(Expression truth, Expression unknown) {
  Expression null = call(Operation::kAnd, {literal_expression(Value::null(kBooleanType)), std::move(unknown)});
  return call(Operation::kOr, {std::move(truth), std::move(null)});
}

// Without a match: a row to compare with, and a null on either side.
Expression no_answer(const Expression& value, const Expression& rows, const Expression& values) {
  Expression some = call(Operation::kNotEqual, {rows, literal_expression(Value{kCountType, int128{0}})});
  Expression null = call(Operation::kOr, {call(Operation::kIsNull, {value}), call(Operation::kNotEqual, {rows, values})});
  return call(Operation::kAnd, {std::move(some), std::move(null)});
}

}  // namespace

Expression ExpressionBinder::bind_member(Quantified& quantified, bool only_true) {
  BoundQuery query = query_of(quantified);
  Expression condition = match(quantified, query.columns);
  Expression found = join_marked(std::move(query.node), split_conjuncts(std::move(condition)));
  if (only_true) return found;
  query = query_of(quantified);
  if (quantified.values.size() > 1) {
    // A row that is not known to differ.
    Expression possible = call(Operation::kCoalesce, {match(quantified, query.columns), boolean_literal(true)});
    return or_unknown(std::move(found), join_marked(std::move(query.node), {std::move(possible)}));
  }
  LogicalNode counted;
  counted.kind = LogicalKind::kAggregate;
  const Expression column = column_of(query.columns.front(), quantified.position);
  const Expression rows = add_call(counted, AggregateKind::kCountStar, nullptr);
  const Expression values = add_call(counted, AggregateKind::kCount, &column);
  counted.children.push_back(std::move(query.node));
  join(JoinKind::kInner, std::move(counted));
  return or_unknown(std::move(found), no_answer(quantified.values.front(), rows, values));
}

// < ANY asks for the greatest value, > ANY for the least, <> ANY for both.
Expression ExpressionBinder::bind_ordered(Quantified& quantified, bool only_true) {
  BoundQuery query = query_of(quantified);
  Expression value = context_.duplicate(quantified.values.front());
  Expression column = column_of(query.columns.front(), quantified.position);
  if (value.type.kind == TypeKind::kBoolean && column.type.kind == TypeKind::kBoolean) {
    value = coerce(std::move(value), {TypeKind::kInteger});
    column = coerce(std::move(column), {TypeKind::kInteger});
  }
  LogicalNode extremes;
  extremes.kind = LogicalKind::kAggregate;
  const bool less = quantified.operation == Operation::kLess || quantified.operation == Operation::kLessEqual;
  const bool both = quantified.operation == Operation::kNotEqual;
  std::vector<Expression> comparisons;
  for (const AggregateKind kind : {AggregateKind::kMax, AggregateKind::kMin}) {
    if (!both && (kind == AggregateKind::kMax) != less) continue;
    Expression extreme = add_call(extremes, kind, &column);
    comparisons.push_back(compare(quantified.operation, context_.duplicate(value), std::move(extreme), quantified.position));
  }
  Expression found = comparisons.size() == 1 ? std::move(comparisons.front()) : call(Operation::kOr, std::move(comparisons));
  found = call(Operation::kCoalesce, {std::move(found), boolean_literal(false)});
  const Expression rows = add_call(extremes, AggregateKind::kCountStar, nullptr);
  const Expression values = add_call(extremes, AggregateKind::kCount, &column);
  extremes.children.push_back(std::move(query.node));
  join(JoinKind::kInner, std::move(extremes));
  return only_true ? found : or_unknown(std::move(found), no_answer(quantified.values.front(), rows, values));
}

}  // namespace saccade
