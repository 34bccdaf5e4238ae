#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

using Conjuncts = std::vector<Expression>;

bool is_column(const Expression& expression) {
  return expression.operation == Operation::kColumn;
}

// Filters and inner joins on top of each other: a row of the topmost satisfies the conjuncts of all.
bool in_region(const LogicalNode& node) {
  return node.kind == LogicalKind::kFilter || is_inner_join(node);
}

void collect(const LogicalNode& node, Conjuncts& conjuncts) {
  if (!in_region(node)) return;
  for (const LogicalNode& child : node.children) collect(child, conjuncts);
  conjuncts.insert(conjuncts.end(), node.conjuncts.begin(), node.conjuncts.end());
}

// Columns that are equal in every row, by a representative of their class.
class EqualColumns {
 public:
  void add(const Expression& a, const Expression& b) {
    types_.emplace(a.column, a.type);
    types_.emplace(b.column, b.type);
    const ColumnId from = representative(a.column), to = representative(b.column);
    for (auto& [column, root] : roots_) {
      if (root == from) root = to;
    }
  }

  std::vector<Expression> equal_to(const Expression& column) {
    std::vector<Expression> others;
    const ColumnId root = representative(column.column);
    for (const auto& [other, other_root] : roots_) {
      if (other_root == root && other != column.column) others.push_back(column_expression(other, types_.at(other)));
    }
    return others;
  }

 private:
  ColumnId representative(ColumnId column) { return roots_.emplace(column, column).first->second; }

  std::map<ColumnId, ColumnId> roots_;
  std::map<ColumnId, DataType> types_;
};

Conjuncts inferred(const Conjuncts& conjuncts) {
  EqualColumns equal;
  for (const Expression& conjunct : conjuncts) {
    const auto& arguments = conjunct.arguments;
    if (conjunct.operation != Operation::kEqual || !is_column(arguments[0]) || !is_column(arguments[1])) continue;
    const DataType &a = arguments[0].type, &b = arguments[1].type;
    if (a.kind == b.kind && a.scale == b.scale) equal.add(arguments[0], arguments[1]);
  }
  Conjuncts added;
  for (const Expression& conjunct : conjuncts) {
    if (!is_comparison(conjunct.operation) || !is_column(conjunct.arguments[0]) || !is_literal(conjunct.arguments[1])) continue;
    for (Expression& other : equal.equal_to(conjunct.arguments[0])) {
      Expression copy = conjunct;
      copy.arguments[0] = std::move(other);
      const auto known = [&](const Conjuncts& list) { return std::find(list.begin(), list.end(), copy) != list.end(); };
      if (!known(conjuncts) && !known(added)) added.push_back(std::move(copy));
    }
  }
  return added;
}

// The columns of each part of a region.
void collect_parts(const LogicalNode& node, std::vector<std::vector<ColumnId>>& parts) {
  if (!in_region(node)) {
    parts.push_back(sorted_columns(node));
    return;
  }
  for (const LogicalNode& child : node.children) collect_parts(child, parts);
}

// What a disjunction says of `columns` alone: (a = 1 and b = 2) or (a = 3 and b = 4) implies a = 1 or a = 3. Nothing where a
// branch says nothing of them.
std::optional<Expression> implied(const Expression& disjunction, const std::vector<ColumnId>& columns,
                                  const ColumnRanges& ranges) {
  std::vector<Expression> branches;
  for (const Expression& branch : disjunction.arguments) {
    Conjuncts parts;
    split_conjunction(branch, parts);
    std::erase_if(parts, [&](const Expression& part) {
      const std::vector<ColumnId> used = columns_of(part);
      return used.empty() || !covered(used, columns) || can_fail(part, ranges);
    });
    if (parts.empty()) return std::nullopt;
    branches.push_back(conjunction_of(std::move(parts)));
  }
  return call_expression(Operation::kOr, {TypeKind::kBoolean}, std::move(branches));
}

void add_implied(const LogicalNode& region, const Conjuncts& conjuncts, const ColumnRanges& ranges, Conjuncts& added) {
  std::vector<std::vector<ColumnId>> parts;
  for (const Expression& conjunct : conjuncts) {
    if (conjunct.operation != Operation::kOr) continue;
    if (parts.empty()) collect_parts(region, parts);
    for (const std::vector<ColumnId>& columns : parts) {
      if (covered(columns_of(conjunct), columns)) continue;
      if (auto condition = implied(conjunct, columns, ranges)) added.push_back(std::move(*condition));
    }
  }
}

// What is inferred from `known`, on columns of the child alone.
void restrict_child(LogicalNode& child, const Conjuncts& known) {
  const std::vector<ColumnId> columns = sorted_columns(child);
  Conjuncts added = inferred(known);
  std::erase_if(added, [&](const Expression& conjunct) { return !covered(columns_of(conjunct), columns); });
  child = make_filter(std::move(added), std::move(child));
}

// Rows of the right only matter where a row of the left, which satisfies `known`, may match them; in a semi join the other way
// round as well.
void restrict_sides(LogicalNode& node, Conjuncts known) {
  Conjuncts of_right = node.conjuncts;
  collect(node.children[1], of_right);
  known.insert(known.end(), node.conjuncts.begin(), node.conjuncts.end());
  collect(node.children[0], known);
  restrict_child(node.children[1], known);
  if (node.join_kind == JoinKind::kSemi) restrict_child(node.children[0], of_right);
}

// `known`: conditions that every row of the node which its parents keep satisfies.
void infer(LogicalNode& node, const Conjuncts& known, bool inside_region, const ColumnRanges& ranges) {
  const bool region = in_region(node);
  if (region && !inside_region) {
    Conjuncts conjuncts;
    collect(node, conjuncts);
    Conjuncts added = inferred(conjuncts);
    add_implied(node, conjuncts, ranges, added);
    for (LogicalNode& child : node.children) infer(child, conjuncts, true, ranges);
    node = make_filter(std::move(added), std::move(node));
    return;
  }
  if (region) {
    for (LogicalNode& child : node.children) infer(child, known, true, ranges);
    return;
  }
  const bool one_sided = node.kind == LogicalKind::kJoin && node.join_kind != JoinKind::kFull;
  if (one_sided) restrict_sides(node, known);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    infer(node.children[i], one_sided && i == 0 ? known : Conjuncts{}, false, ranges);
  }
}

}  // namespace

void infer_conditions(LogicalPlan& plan) {
  const Cardinality cardinality(plan);
  const ColumnRanges ranges = cardinality.ranges();
  for_each_root(plan, [&](LogicalNode& root) { infer(root, {}, false, ranges); });
}

}  // namespace saccade
