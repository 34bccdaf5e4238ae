// GROUP BY: the keys of a grouped query, and its expressions put in terms of them.
//
// Filled while the clauses are bound, then read by rewrite(); one thread.
#pragma once

#include <string>
#include <vector>

#include "sql/binder/grouping_sets.hpp"
#include "sql/binder/scope.hpp"

namespace saccade {

class Grouping {
 public:
  Grouping(BindingContext& context, const Scope& scope) : context_(context), scope_(scope) {}

  std::vector<AggregateCall> aggregates;  // of all clauses; equal ones once

  // A repeated key is kept once. `name` is the key's column in EXPLAIN. Its number.
  std::size_t add_key(Expression key, const std::string& name);
  // Where there are several: rows are grouped by each of them, and the keys that a set lacks are NULL in its groups.
  void set_sets(std::vector<GroupingSet> sets);
  // What this join makes stands below the groups: only keys and aggregates may use it.
  void add_input(const LogicalNode& join);
  // Errors: 42803 where the expression holds an aggregate.
  void check_no_aggregate(const Expression& expression, std::string_view clause, int position) const;

  // An expression over the input and the aggregates' outputs, over keys and aggregates only. Errors: 42803 with the column.
  Expression rewrite(Expression expression) const;

  // The same for the join of a subquery that stands above the groups. Errors: 42803 where the subquery names a column that is
  // no key.
  void rewrite_subquery(LogicalNode& join) const;

  LogicalNode aggregate_node(LogicalNode child) const;

 private:
  Expression grouping_value(const BindingContext::GroupingCall& call, int position) const;
  LogicalNode group_by_sets(LogicalNode child) const;
  // A set without keys has a group even where there are no rows.
  LogicalNode add_empty_groups(LogicalNode groups, ColumnId set) const;
  bool is_aggregate_output(ColumnId column) const;
  bool is_input(ColumnId column) const;

  BindingContext& context_;
  const Scope& scope_;
  std::vector<Expression> keys_;
  std::vector<ColumnId> outputs_;
  std::vector<ColumnId> inputs_;  // beside those of the scope
  std::vector<GroupingSet> sets_;
  ColumnId set_column_ = -1;  // which set a group is of; where there are several
};

}  // namespace saccade
