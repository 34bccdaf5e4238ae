#include <algorithm>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// One child's rows, with what the union's columns are over them.
struct Branch {
  LogicalNode node;
  std::vector<Expression> expressions;
};

std::vector<Expression> expressions_of(const LogicalNode& node, std::size_t row) {
  const auto width = static_cast<std::ptrdiff_t>(node.outputs.size());
  const auto begin = node.expressions.begin() + static_cast<std::ptrdiff_t>(row) * width;
  return {begin, begin + width};
}

std::vector<Expression> substitute_all(std::vector<Expression> expressions, const Substitution& definitions) {
  for (Expression& expression : expressions) expression = substitute(std::move(expression), definitions);
  return expressions;
}

// Branches of a union within a union stand side by side.
void flatten(LogicalNode child, std::vector<Expression> expressions, std::vector<Branch>& branches) {
  if (child.kind != LogicalKind::kUnion) {
    branches.push_back({std::move(child), std::move(expressions)});
    return;
  }
  for (std::size_t c = 0; c < child.children.size(); ++c) {
    Substitution definitions;
    const std::vector<Expression> own = expressions_of(child, c);
    for (std::size_t i = 0; i < child.outputs.size(); ++i) definitions.emplace(child.outputs[i], own[i]);
    branches.push_back({std::move(child.children[c]), substitute_all(expressions, definitions)});
  }
}

// The branch's rows as constants, row after row; false where they are none.
bool constant_rows(const Branch& branch, std::vector<Expression>& rows, std::int64_t& count) {
  const LogicalNode* node = &branch.node;
  std::vector<Expression> result;
  std::int64_t found = 0;
  const auto add = [&](const Substitution& definitions) {
    for (Expression& value : substitute_all(branch.expressions, definitions)) result.push_back(std::move(value));
    ++found;
  };
  if (node->kind == LogicalKind::kOneRow) add({});
  if (node->kind == LogicalKind::kProject && node->children.at(0).kind == LogicalKind::kOneRow) add(definitions_of(*node));
  for (std::int64_t row = 0; node->kind == LogicalKind::kValues && row < node->rows; ++row) {
    Substitution definitions;
    const std::vector<Expression> values = expressions_of(*node, static_cast<std::size_t>(row));
    for (std::size_t i = 0; i < values.size(); ++i) definitions.emplace(node->outputs[i], values[i]);
    add(definitions);
  }
  if (found == 0 || !std::all_of(result.begin(), result.end(), is_literal)) return false;
  std::move(result.begin(), result.end(), std::back_inserter(rows));
  count += found;
  return true;
}

void merge(LogicalNode& node) {
  std::vector<Branch> branches, others;
  for (std::size_t c = 0; c < node.children.size(); ++c)
    flatten(std::move(node.children[c]), expressions_of(node, c), branches);
  LogicalNode values;
  values.kind = LogicalKind::kValues;
  values.outputs = node.outputs;
  for (Branch& branch : branches) {
    if (!constant_rows(branch, values.expressions, values.rows)) others.push_back(std::move(branch));
  }
  if (others.empty()) {
    node = std::move(values);
    return;
  }
  node.children.clear();
  node.expressions.clear();
  if (values.rows > 0) {
    for (std::size_t i = 0; i < values.outputs.size(); ++i)
      node.expressions.push_back(column_expression(values.outputs[i], values.expressions[i].type));
    node.children.push_back(std::move(values));
  }
  for (Branch& branch : others) {
    std::move(branch.expressions.begin(), branch.expressions.end(), std::back_inserter(node.expressions));
    node.children.push_back(std::move(branch.node));
  }
}

}  // namespace

void merge_unions(LogicalPlan& plan) {
  for_each_node(plan, [&](LogicalNode& node) {
    if (node.kind != LogicalKind::kUnion) return;
    const std::vector<ColumnId> outputs = node.outputs;
    merge(node);
    // Constant rows below a union have columns of their own: those of the union are made above them.
    if (node.kind == LogicalKind::kValues) return;
    for (LogicalNode& child : node.children) {
      if (child.kind != LogicalKind::kValues || child.outputs != outputs) continue;
      Substitution renamed;
      for (ColumnId& output : child.outputs) {
        const ColumnId fresh =
            plan.add_column(plan.names[static_cast<std::size_t>(output)], plan.types[static_cast<std::size_t>(output)]);
        renamed.emplace(output, column_expression(fresh, plan.types[static_cast<std::size_t>(output)]));
        output = fresh;
      }
      for (std::size_t i = 0; i < outputs.size(); ++i)
        node.expressions[i] = substitute(std::move(node.expressions[i]), renamed);
    }
  });
}

}  // namespace saccade
