// Takes dependent joins out of a plan: joins whose right child names columns of the left one, as the binder makes them of
// subqueries. Afterwards every node names only columns that its own children make, so nothing is run again for each row.
//
// After Neumann and Kemper, "Unnesting Arbitrary Queries" (2015), and Neumann, "Improving Unnesting of Complex Queries" (2025):
// a join is unnested from the outermost on. Its correlated conditions become conditions of the join where only filters,
// projections and inner joins stand above them. Otherwise its right child is computed for all values of the correlated columns
// at once: the domain, their distinct values among the left rows, is pushed down through the right child until that no longer
// names them, and the result is joined with the left rows on them. Where the right child equates all of them with columns of
// its own, those columns take the domain's place, and the domain itself is not needed.
//
// The error rule: a right child that can raise an error is computed for the domain alone, restricted by the join's guards. Only
// one that can't may be computed for values that no left row has.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/share_rows.hpp"

namespace saccade {

class Unnesting {
 public:
  explicit Unnesting(LogicalPlan& plan) : plan_(plan), cardinality_(plan) {}

  // `node` names no columns from outside. Left rows that are needed twice become shared parts of the plan.
  LogicalNode unnest(LogicalNode node);

 private:
  // The correlated columns of one dependent join.
  struct Domain {
    std::vector<ColumnId> columns;
    LogicalNode* left = nullptr;
    std::vector<Expression> guards;
    bool replaceable = false;        // by columns of the right child that are equal to them
    std::optional<SharedRows> rows;  // the left rows, once they are asked for again
  };
  using Places = std::map<ColumnId, ColumnId>;
  // A tree computed for a whole domain: its rows for each value, beside that value in the columns `places`.
  struct Attached {
    LogicalNode node;
    Places places;
    bool exact = false;  // the domain's own values stand there, NULLs too; else columns that only equal them
  };
  // Filters and inner joins on top of each other, taken apart.
  struct Region {
    std::vector<LogicalNode> children;
    std::vector<Expression> conjuncts;
  };
  // A dependent join whose right child names no column of the left one any more.
  struct PulledUp {
    LogicalNode right;
    std::vector<Expression> conjuncts;  // of the join
    // What is computed above the join: output columns of the right child and their definitions (inner joins).
    std::vector<std::pair<ColumnId, Expression>> above;
    std::vector<LogicalNode> projections;  // put back over the right child, the topmost first (left joins)
  };

  // unnest.cpp
  LogicalNode unnest_join(LogicalNode join);
  LogicalNode join_for_domain(LogicalNode join, std::vector<ColumnId> columns);
  LogicalNode join_single_group(LogicalNode join, Domain& domain);
  void equate(LogicalNode& join, const Domain& domain, const Attached& attached);
  bool may_fail(const LogicalNode& node) const;
  bool may_fail(const std::vector<Expression>& expressions) const;
  ColumnRanges ranges() const;
  // unnest_pull_up.cpp
  std::optional<PulledUp> pull_up(const LogicalNode& join, const std::vector<ColumnId>& left) const;
  static void substitute_all(PulledUp& pulled, const LogicalNode& definitions);
  static bool pull_one(PulledUp& pulled, JoinKind kind, const std::vector<ColumnId>& left);
  static void pull_conditions(PulledUp& pulled, const std::vector<ColumnId>& left);
  static void put_back(PulledUp& pulled, const LogicalPlan& plan);
  LogicalNode apply(PulledUp pulled, LogicalNode join);
  static void flatten(LogicalNode node, Region& region);
  static LogicalNode build(Region region);
  // unnest_attach.cpp
  Attached attach(LogicalNode node, Domain& domain);
  Attached domain_rows(Domain& domain);
  Attached with_domain(LogicalNode node, Domain& domain);
  Attached attach_project(LogicalNode node, Domain& domain);
  Attached attach_region(LogicalNode node, Domain& domain);
  std::optional<Attached> replace_domain(Region& region, const Domain& domain);
  Attached attach_aggregate(LogicalNode node, Domain& domain);
  Attached attach_limit(LogicalNode node, Domain& domain);
  Attached attach_window(LogicalNode node, Domain& domain);
  Attached attach_union(LogicalNode node, Domain& domain);
  Attached attach_repeat(LogicalNode node, Domain& domain);
  Attached attach_join(LogicalNode node, Domain& domain);
  Attached attach_full_join(LogicalNode node, Domain& domain);
  Substitution meaning_of(const Places& places) const;
  Places add_keys(LogicalNode& aggregate, const Places& places);
  std::vector<Expression> same_values(const Places& a, bool a_exact, const Places& b, bool b_exact);
  ColumnId copy_column(ColumnId column);
  Expression count_or_value(const AggregateCall& call) const;
  Expression column(ColumnId id) const { return column_expression(id, plan_.types.at(static_cast<std::size_t>(id))); }

  LogicalPlan& plan_;
  Cardinality cardinality_;
  std::map<ColumnId, ColumnId> origins_;  // of columns that were made here: the column whose values they hold
};

}  // namespace saccade
