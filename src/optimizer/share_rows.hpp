// Makes a part of a plan one that is read several times (LogicalPlan::shared).
#pragma once

#include "optimizer/rewrite.hpp"

namespace saccade {

// The rows of a node that has become a shared part.
class SharedRows {
 public:
  // `node` gives way to a reader with the same columns.
  SharedRows(LogicalPlan& plan, LogicalNode& node);

  // One more reader, of these of the node's columns; `renamed`: what it calls them.
  LogicalNode read(LogicalPlan& plan, const std::vector<ColumnId>& columns, Substitution& renamed) const;

 private:
  int number_ = -1;
  std::vector<ColumnId> columns_;  // of the node, in the order of the part's columns
};

// A new column of the same name and type.
ColumnId copy_column(LogicalPlan& plan, ColumnId column);

}  // namespace saccade
