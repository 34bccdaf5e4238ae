#include <algorithm>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// A semi or anti join is a filter of its left side: below an inner join it pays where it drops most of a side's rows.
class PlaceSemiJoins {
 public:
  explicit PlaceSemiJoins(const LogicalPlan& plan) : cardinality_(plan), ranges_(cardinality_.ranges()) {}

  LogicalNode place(LogicalNode node) const {
    for (LogicalNode& child : node.children) child = place(std::move(child));
    if (!is_filter(node)) return node;
    const int side = is_inner_join(node.children[0]) ? side_of(node) : -1;
    if (side < 0 || !pays(node, node.children[0].children[static_cast<std::size_t>(side)])) return node;
    return sink(std::move(node), static_cast<std::size_t>(side));
  }

 private:
  static bool is_filter(const LogicalNode& node) {
    return node.kind == LogicalKind::kJoin && (node.join_kind == JoinKind::kSemi || node.join_kind == JoinKind::kAnti);
  }

  // The side of the inner join below whose columns the conditions read; -1 where they read both or can fail.
  int side_of(const LogicalNode& node) const {
    const std::vector<ColumnId> right = sorted_columns(node.children[1]);
    std::vector<ColumnId> used;
    for (const Expression& conjunct : node.conjuncts) {
      if (can_fail(conjunct, ranges_)) return -1;
      for (const ColumnId column : columns_of(conjunct)) {
        if (!std::binary_search(right.begin(), right.end(), column)) used.push_back(column);
      }
    }
    std::sort(used.begin(), used.end());
    if (used.empty()) return -1;
    for (const int side : {0, 1}) {
      if (covered(used, sorted_columns(node.children[0].children[static_cast<std::size_t>(side)]))) return side;
    }
    return -1;
  }

  bool pays(const LogicalNode& node, const LogicalNode& side) const {
    constexpr double kMostKept = 0.5;
    LogicalNode moved = node;
    moved.children[0] = side;
    return cardinality_.rows(moved) <= kMostKept * cardinality_.rows(side);
  }

  LogicalNode sink(LogicalNode node, std::size_t side) const {
    LogicalNode join = std::move(node.children[0]);
    node.children[0] = std::move(join.children[side]);
    join.children[side] = place(std::move(node));
    return join;
  }

  Cardinality cardinality_;
  ColumnRanges ranges_;
};

}  // namespace

void place_semi_joins(LogicalPlan& plan) {
  const PlaceSemiJoins rule(plan);
  for_each_root(plan, [&](LogicalNode& root) { root = rule.place(std::move(root)); });
}

}  // namespace saccade
