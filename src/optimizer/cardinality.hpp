// Estimates of row counts, distinct values and selectivities from the statistics of tables, and proven bounds of columns.
//
// Made for one plan; it stays valid while rules move that plan's nodes, as columns keep their numbers. Estimates assume even
// distributions and independent columns; they are never 0, so that products stay comparable. Reads only: any thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "optimizer/value_range.hpp"
#include "plan/logical_plan.hpp"

namespace saccade {

class Cardinality {
 public:
  explicit Cardinality(const LogicalPlan& plan);

  // Rows a node hands to its parent, over all ranks; at least 1 (tables without rows: 0).
  double rows(const LogicalNode& node) const;
  // The share of rows for which a condition is true, 0 < share <= 1. Conditions on one column (a BETWEEN) are taken together.
  double selectivity(const Expression& condition) const;
  double selectivity(const std::vector<Expression>& conjuncts) const;
  // The same for a condition between `inputs`. Where both columns of an equality are restricted alike (one restriction was
  // inferred from the other), the values that are left match as all values would: the restriction counts once.
  double join_selectivity(const Expression& conjunct, const std::vector<const LogicalNode*>& inputs) const;
  // The column was there when the estimates were made.
  bool knows(ColumnId column) const { return static_cast<std::size_t>(column) < columns_.size(); }
  // Distinct values of a column in its table or where it is computed; 0 where nothing is known.
  double distinct(ColumnId column) const;
  // Proven bounds of a column's non-null values (codes for text); they hold wherever the column is seen.
  std::optional<Bounds> bounds(ColumnId column) const;
  // The same as a function for range_of() and can_fail(), for number-like types. It must not outlive this object.
  ColumnRanges ranges() const;

 private:
  struct ColumnEstimate {
    DataType type;
    std::optional<Bounds> bounds;
    double distinct = 0;
    bool may_be_null = true;
    std::shared_ptr<const Dictionary> dictionary;
  };

  void visit(const LogicalNode& node);
  void visit_scan(const LogicalNode& node);
  void visit_join(const LogicalNode& node);
  void visit_shared(const LogicalNode& node);
  void define(ColumnId column, const Expression& expression);
  void define_rows(const LogicalNode& node);
  void define_aggregate(const AggregateCall& call);
  const ColumnEstimate& column(ColumnId id) const { return columns_.at(static_cast<std::size_t>(id)); }
  ColumnEstimate& column(ColumnId id) { return columns_.at(static_cast<std::size_t>(id)); }
  double aggregate_rows(const LogicalNode& node) const;
  double join_rows(const LogicalNode& node) const;
  double repetitions(const LogicalNode& node) const;
  double matched_share(const LogicalNode& node, double right_rows) const;
  double distinct_of(const Expression& expression) const;
  // The value's place in the range of `expression`, 0 .. 1 where it lies inside; nothing where no range is known.
  std::optional<double> place_of(const Value& value, const Expression& expression) const;
  double comparison_selectivity(const Expression& condition) const;
  double equality_selectivity(const Expression& a, const Expression& b) const;
  double like_selectivity(const Expression& condition) const;
  double conjunction_selectivity(const std::vector<Expression>& conjuncts) const;

  struct SharedEstimate {
    double rows = 0;
    std::vector<ColumnId> columns;
  };

  std::vector<ColumnEstimate> columns_;  // by ColumnId
  std::vector<SharedEstimate> shared_;
};

}  // namespace saccade
