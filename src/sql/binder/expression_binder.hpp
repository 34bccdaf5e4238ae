// Binds the expressions of one clause: columns, constants, operators, functions and aggregates, each with its type.
//
// Made for one clause and used on one thread. Positions in the result are those of the user's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/binder/binding_context.hpp"
#include "sql/binder/scope.hpp"

namespace saccade {

class ExpressionBinder {
 public:
  // `clause` names it in messages ("WHERE"). Aggregates go to `aggregates`, where equal ones share an entry; null: the clause
  // allows none (42803).
  ExpressionBinder(BindingContext& context, const Scope& scope, std::string_view clause,
                   std::vector<AggregateCall>* aggregates = nullptr)
      : context_(context), scope_(scope), clause_(clause), aggregates_(aggregates) {}

  Expression bind(const nlohmann::json& json);
  // Errors: 42804 where the expression is not boolean. Untyped NULL is.
  Expression bind_boolean(const nlohmann::json& json, std::string_view what);
  // As a column of a result: untyped constants become text. Errors: 0A000 for an interval.
  Expression bind_value(const nlohmann::json& json);
  // left (= <> < <= > >=) right. Errors: 42883.
  Expression compare(Operation operation, Expression left, Expression right, int position);

 private:
  // expression_binder.cpp
  Expression bind_column(const nlohmann::json& fields);
  Expression bind_constant(const nlohmann::json& fields);
  Expression bind_logic(const nlohmann::json& fields);
  Expression bind_null_test(const nlohmann::json& fields);
  Expression bind_boolean_test(const nlohmann::json& fields);
  Expression to_boolean(Expression expression, std::string_view what);

  // expression_operators.cpp
  Expression bind_operator(const nlohmann::json& fields);
  Expression bind_symbol(const std::string& symbol, const nlohmann::json& fields, int position);
  Expression bind_negation(Expression operand, int position);
  Expression arithmetic(Operation operation, Expression left, Expression right, int position);
  Expression date_arithmetic(Operation operation, Expression left, Expression right, int position);
  Expression bind_between(const nlohmann::json& fields, bool negated, bool symmetric, int position);
  Expression range(const Expression& value, const Expression& low, const Expression& high, bool negated, int position);
  Expression bind_in(const nlohmann::json& fields, int position);
  Expression bind_like(const nlohmann::json& fields, int position);
  Expression bind_distinct(const nlohmann::json& fields, bool negated, int position);
  [[noreturn]] void no_operator(std::string_view symbol, const Expression& left, const Expression& right, int position) const;

  // expression_functions.cpp
  Expression bind_function(const nlohmann::json& fields);
  Expression bind_aggregate(AggregateKind kind, const std::string& name, const nlohmann::json& fields, int position);
  Expression bind_extract(const nlohmann::json& fields, int position);
  Expression bind_cast(const nlohmann::json& fields);
  DataType bind_type(const nlohmann::json& type_name, int position);
  Expression bind_interval(const nlohmann::json& argument, const nlohmann::json& type_name, int position);
  Expression bind_case(const nlohmann::json& fields);
  Expression bind_coalesce(const nlohmann::json& fields);
  Expression bind_nullif(const nlohmann::json& fields, int position);
  // Brings results of CASE or COALESCE to their common type. Errors: 42804.
  void unify(const std::vector<Expression*>& results, std::string_view what);

  BindingContext& context_;
  const Scope& scope_;
  std::string_view clause_;
  std::vector<AggregateCall>* aggregates_;
  bool in_aggregate_ = false;
};

// The conjuncts of a condition, in its order; AND within AND is flattened.
std::vector<Expression> split_conjuncts(Expression condition);

}  // namespace saccade
