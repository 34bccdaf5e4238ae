#include "optimizer/share_rows.hpp"

#include <algorithm>
#include <utility>

namespace saccade {
namespace {

// A tree whose columns are all new: within the plan, a column is made in one place.
LogicalNode fresh_copy(LogicalPlan& plan, LogicalNode node, Substitution& renamed) {
  for (LogicalNode& child : node.children) child = fresh_copy(plan, std::move(child), renamed);
  for_each_expression(node, [&](Expression& expression) { expression = substitute(std::move(expression), renamed); });
  for_each_output(node, [&](ColumnId& id) {
    const ColumnId copy = copy_column(plan, id);
    renamed.insert_or_assign(id, column_expression(copy, plan.types.at(static_cast<std::size_t>(copy))));
    id = copy;
  });
  return node;
}

}  // namespace

ColumnId copy_column(LogicalPlan& plan, ColumnId column) {
  const auto index = static_cast<std::size_t>(column);
  return plan.add_column(std::string(plan.names.at(index)), plan.types.at(index));
}

SharedRows::SharedRows(LogicalPlan& plan, LogicalNode& node) : columns_(output_columns(node)) {
  Substitution renamed;
  SharedPlan part;
  part.root = fresh_copy(plan, std::move(node), renamed);
  for (const ColumnId id : columns_) part.columns.push_back(renamed.at(id).column);
  number_ = static_cast<int>(plan.shared.size());
  plan.shared.push_back(std::move(part));
  node = {};
  node.kind = LogicalKind::kShared;
  node.shared = number_;
  node.outputs = columns_;
  for (std::size_t i = 0; i < columns_.size(); ++i) node.columns.push_back(static_cast<int>(i));
}

LogicalNode SharedRows::read(LogicalPlan& plan, const std::vector<ColumnId>& columns, Substitution& renamed) const {
  LogicalNode node;
  node.kind = LogicalKind::kShared;
  node.shared = number_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (std::find(columns.begin(), columns.end(), columns_[i]) == columns.end()) continue;
    const ColumnId copy = copy_column(plan, columns_[i]);
    renamed.insert_or_assign(columns_[i], column_expression(copy, plan.types.at(static_cast<std::size_t>(copy))));
    node.columns.push_back(static_cast<int>(i));
    node.outputs.push_back(copy);
  }
  return node;
}

}  // namespace saccade
