// Binds the expressions of one clause: columns, constants, operators, functions and aggregates, each with its type.
//
// Made for one clause and used on one thread. Positions in the result are those of the user's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/binder/binding_context.hpp"
#include "sql/binder/common_tables.hpp"
#include "sql/binder/scope.hpp"
#include "sql/binder/subqueries.hpp"
#include "sql/binder/window_clause.hpp"

namespace saccade {

class ExpressionBinder {
 public:
  // `clause` names it in messages ("WHERE"). Aggregates go to `aggregates`, where equal ones share an entry; null: the clause
  // allows none (42803). Subqueries go to `subqueries`, those within aggregates' arguments to `input_subqueries`; null: the
  // clause allows none (0A000). Window functions go to `windows`; null: the clause allows none (42P20).
  ExpressionBinder(BindingContext& context, const Scope& scope, std::string_view clause,
                   std::vector<AggregateCall>* aggregates = nullptr, SubqueryJoins* subqueries = nullptr,
                   SubqueryJoins* input_subqueries = nullptr, WindowClause* windows = nullptr)
      : context_(context),
        scope_(scope),
        clause_(clause),
        aggregates_(aggregates),
        subqueries_(subqueries),
        input_subqueries_(input_subqueries),
        windows_(windows) {}

  Expression bind(const nlohmann::json& json);
  // Errors: 42804 where the expression is not boolean. Untyped NULL is.
  Expression bind_boolean(const nlohmann::json& json, std::string_view what);
  // The same where only rows for which it is true count: false may stand for NULL.
  Expression bind_condition(const nlohmann::json& json, std::string_view what);
  // As a column of a result: untyped constants become text.
  Expression bind_value(const nlohmann::json& json);
  // Brings the results of CASE or COALESCE, or a column of VALUES, to their common type. Errors: 42804.
  void unify(const std::vector<Expression*>& results, std::string_view what);
  // left (= <> < <= > >=) right. Errors: 42883.
  Expression compare(Operation operation, Expression left, Expression right, int position);

  // A type's name in the tree. Errors: 0A000, 22023.
  DataType bind_type(const nlohmann::json& type_name, int position);

 private:
  // expression_binder.cpp
  Expression bind_column(const nlohmann::json& fields);
  Expression bind_grouping(const nlohmann::json& fields);
  Expression bind_constant(const nlohmann::json& fields);
  Expression bind_logic(const nlohmann::json& fields, bool only_true);
  Expression bind_null_test(const nlohmann::json& fields);
  Expression bind_boolean_test(const nlohmann::json& fields);
  Expression to_boolean(Expression expression, std::string_view what);

  // expression_operators.cpp
  Expression bind_operator(const nlohmann::json& fields);
  Expression bind_symbol(const std::string& symbol, const nlohmann::json& fields, int position);
  Expression bind_text_operator(const std::string& symbol, const nlohmann::json& fields, int position);
  Expression bind_negation(Expression operand, int position);
  Expression concatenate_bytes(const Expression& left, const Expression& right, int position) const;
  Expression arithmetic(Operation operation, Expression left, Expression right, int position);
  Expression bind_between(const nlohmann::json& fields, bool negated, bool symmetric, int position);
  Expression range(const Expression& value, const Expression& low, const Expression& high, bool negated, int position);
  Expression bind_in(const nlohmann::json& fields, int position);
  Expression bind_like(const nlohmann::json& fields, int position);
  Expression bind_distinct(const nlohmann::json& fields, bool negated, int position);
  [[noreturn]] void no_operator(std::string_view symbol, const Expression& left, const Expression& right, int position) const;

  // expression_functions.cpp
  Expression bind_function(const nlohmann::json& fields);
  Expression bind_aggregate(AggregateKind kind, const std::string& name, const nlohmann::json& fields, int position);
  // The call with its arguments, DISTINCT and FILTER; without an output.
  AggregateCall aggregate_call(AggregateKind kind, const std::string& name, const nlohmann::json& fields, int position);
  [[noreturn]] void no_function(std::string_view name, const std::vector<Expression>& arguments, int position) const;
  // The binder of the query to which an aggregate belongs: the innermost one whose columns the argument names. Errors: 42803.
  ExpressionBinder& owner_of(const AggregateCall& aggregate, int position);
  Expression bind_cast(const nlohmann::json& fields);
  Expression bind_interval(const nlohmann::json& argument, const nlohmann::json& type_name, int position);
  Expression bind_case(const nlohmann::json& fields);
  Expression bind_coalesce(const nlohmann::json& fields);
  Expression bind_nullif(const nlohmann::json& fields, int position);

  // expression_windows.cpp
  Expression bind_window(const std::string& name, const nlohmann::json& fields, std::optional<AggregateKind> aggregate,
                         int position);
  Expression window_aggregate(AggregateKind kind, const std::string& name, const nlohmann::json& fields, int position);
  Expression window_call(WindowKind kind, const std::string& name, const nlohmann::json& fields, int position);
  Expression over(WindowCall call, const nlohmann::json& fields);
  WindowFrame bind_frame(const nlohmann::json& fields, const std::vector<SortKey>& order, int position);
  Value bind_offset(const nlohmann::json& json, WindowFrame::Mode mode, const std::vector<SortKey>& order,
                    std::string_view end);

  // expression_scalars.cpp
  Expression bind_extract(const nlohmann::json& fields, int position);
  Expression bind_extreme(const nlohmann::json& fields);
  Expression bind_current(const nlohmann::json& fields);
  Expression bind_other_operator(const std::string& symbol, const nlohmann::json& fields, int position);
  std::vector<Expression> bind_arguments(const nlohmann::json& arguments);
  // The arguments of make_interval, named or not, in its order.
  std::vector<Expression> bind_interval_parts(const nlohmann::json& arguments);

  // expression_subqueries.cpp
  struct Quantified;  // x op ANY (subquery), x IN (subquery)
  Expression bind_subquery(const nlohmann::json& fields, bool only_true);
  Expression bind_subquery_kind(const nlohmann::json& fields, bool only_true, int position);
  BoundQuery bind_inner(const nlohmann::json& fields);
  Expression bind_scalar(const nlohmann::json& fields, int position);
  Expression bind_exists(const nlohmann::json& fields);
  Expression bind_row_comparison(const nlohmann::json& fields, int position);
  Expression compare_rows(const nlohmann::json& fields, int position);
  // Two rows of the same width by an operator's symbol. Errors: 42883 an operator that is no comparison.
  Expression compare_values(std::vector<Expression> left, std::vector<Expression> right, const std::string& symbol,
                            int position);
  Expression are_distinct(Expression one, Expression other, int position);
  Expression bind_quantified(const nlohmann::json& fields, bool only_true, int position);
  Expression bind_any(Quantified quantified, bool only_true);
  Expression bind_member(Quantified& quantified, bool only_true);
  Expression bind_ordered(Quantified& quantified, bool only_true);
  std::vector<Expression> bind_row(const nlohmann::json& json);
  BoundQuery query_of(Quantified& quantified);
  Expression match(const Quantified& quantified, const std::vector<ResultColumn>& columns);
  std::vector<Expression> values_of(BoundQuery query);
  std::vector<Expression> checked_values(BoundQuery query);
  // A join of the rows that ask with `right`, under the guards of this place.
  void join(JoinKind kind, LogicalNode right, std::vector<Expression> conjuncts = {}, ColumnId mark = -1);
  Expression join_marked(LogicalNode right, std::vector<Expression> conjuncts);
  Expression add_call(LogicalNode& aggregate, AggregateKind kind, const Expression* argument);

  // What must hold where the expression that is being bound is evaluated: branches of CASE, connectives and COALESCE around it.
  struct Guard {
    enum class Kind { kTrue, kNotTrue, kNotFalse, kNull };
    const Expression* condition;
    Kind kind;
  };
  std::vector<Expression> guard_conditions() const;

  BindingContext& context_;
  const Scope& scope_;
  std::string_view clause_;
  std::vector<AggregateCall>* aggregates_;
  SubqueryJoins* subqueries_;
  SubqueryJoins* input_subqueries_;
  WindowClause* windows_;
  std::vector<Guard> guards_;
  std::size_t first_guard_ = 0;  // those before it stand around an aggregate
  bool only_true_ = false;       // of the expression that is bound next
  bool in_aggregate_ = false;
  bool in_window_ = false;
};

// The conjuncts of a condition, in its order; AND within AND is flattened.
std::vector<Expression> split_conjuncts(Expression condition);

}  // namespace saccade
