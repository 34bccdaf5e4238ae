// Which columns hold no NULL, by statistics and by what a plan does: an outer join brings NULLs into columns that have none.
//
// Reads one plan, which must not change meanwhile; one thread. A column that is not named here may be null.
#pragma once

#include <map>
#include <set>

#include "plan/logical_plan.hpp"

namespace saccade {

using ColumnSet = std::set<ColumnId>;

// True where no row within which `columns` are not null makes the expression NULL.
bool is_never_null(const Expression& expression, const ColumnSet& columns);

class NullAnalysis {
 public:
  explicit NullAnalysis(const LogicalPlan& plan) : plan_(plan) {}

  // Columns of the node's output that are never null; `outer`: those that are not null around it, for what a subquery names.
  ColumnSet columns(const LogicalNode& node, const ColumnSet& outer = {}) const;

 private:
  ColumnSet scanned(const LogicalNode& node) const;
  ColumnSet read(const LogicalNode& node) const;
  ColumnSet joined(const LogicalNode& node, const ColumnSet& outer) const;
  ColumnSet grouped(const LogicalNode& node, const ColumnSet& below) const;

  const LogicalPlan& plan_;
  mutable std::map<int, ColumnSet> shared_;  // of the shared parts that were asked for
};

}  // namespace saccade
