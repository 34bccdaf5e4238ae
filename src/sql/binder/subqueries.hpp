// Subqueries of expressions, on their way into the plan: each becomes a join of the rows that ask with the subquery's own rows.
//
// While a clause is bound, a SubqueryJoins collects the joins of its subqueries; then the clause puts them over its input with
// attach(), and the expressions that were bound name the joins' columns. The right child of a join may name columns of the left
// one (a dependent join); the optimizer unnests all of them. Values of one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/binder/binding_context.hpp"

namespace saccade {

class ExpressionBinder;

class SubqueryJoins {
 public:
  // A join without its left child: children holds the right one alone.
  void add(LogicalNode join) { joins_.push_back(std::move(join)); }
  bool empty() const { return joins_.empty(); }
  std::vector<LogicalNode>& joins() { return joins_; }
  // `input` with all of them joined to it, in their order.
  LogicalNode attach(LogicalNode input);
  // Those that make one of `columns`, and those on which they rely, move to `other`.
  void move_to(SubqueryJoins& other, std::vector<ColumnId> columns);

  // A subquery that is repeated word for word in the same place is bound once.
  const Expression* find(const std::string& text) const;
  void remember(std::string text, Expression value) { known_.push_back({std::move(text), std::move(value)}); }

 private:
  struct Known {
    std::string text;
    Expression value;
  };
  std::vector<LogicalNode> joins_;
  std::vector<Known> known_;
};

// One conjunct of a condition, with the subqueries that it asks for. The conjuncts before it have let its rows through.
struct ConditionPart {
  SubqueryJoins subqueries;
  Expression conjunct;
};

// The conjuncts of a condition in their order. `binder` must collect its subqueries in `subqueries`.
std::vector<ConditionPart> bind_condition(ExpressionBinder& binder, SubqueryJoins& subqueries, const nlohmann::json& condition,
                                          std::string_view what);

// The rows of `input` for which the condition is true.
LogicalNode filter_by(LogicalNode input, std::vector<ConditionPart> parts);

// The same as conjuncts alone; nothing where a subquery stands in one.
std::optional<std::vector<Expression>> plain_conjuncts(std::vector<ConditionPart>& parts);

}  // namespace saccade
