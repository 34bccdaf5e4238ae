// Walking plans: the expressions of a node, the nodes of a tree, and which columns a tree makes and takes from outside.
#pragma once

#include <functional>
#include <vector>

#include "plan/logical_plan.hpp"

namespace saccade {

// `change` on every expression that the node itself holds (not its children).
void for_each_expression(LogicalNode& node, const std::function<void(Expression&)>& change);
void for_each_expression(const LogicalNode& node, const std::function<void(const Expression&)>& see);

// `change` on every column that the node itself makes.
void for_each_output(LogicalNode& node, const std::function<void(ColumnId&)>& change);

// `change` on a node after its children.
void for_each_node(LogicalNode& node, const std::function<void(LogicalNode&)>& change);
void for_each_node(const LogicalNode& node, const std::function<void(const LogicalNode&)>& see);

// `change` on every column within an expression.
void for_each_column(Expression& expression, const std::function<void(Expression&)>& change);

// Columns that the tree names but does not make itself: a right child of a dependent join takes them from the left one.
// In ascending order without repeats.
std::vector<ColumnId> free_columns(const LogicalNode& node);

// No more rows than this come from a node, and no fewer, whatever the tables hold.
bool gives_at_most_one_row(const LogicalNode& node, const LogicalPlan& plan);
bool gives_one_row(const LogicalNode& node, const LogicalPlan& plan);

}  // namespace saccade
