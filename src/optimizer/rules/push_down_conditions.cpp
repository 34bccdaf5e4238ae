#include <algorithm>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

using Conjuncts = std::vector<Expression>;

class PushDown {
 public:
  explicit PushDown(const LogicalPlan& plan) : cardinality_(plan), ranges_(cardinality_.ranges()) {}

  // The node with `conjuncts` (in the query's order, all after the node's own) applied as low as they may be.
  LogicalNode push(LogicalNode node, Conjuncts conjuncts) const {
    switch (node.kind) {
      case LogicalKind::kFilter: {
        Conjuncts all = std::move(node.conjuncts);
        std::move(conjuncts.begin(), conjuncts.end(), std::back_inserter(all));
        return push(std::move(node.children.at(0)), std::move(all));
      }
      case LogicalKind::kProject: {
        const Substitution definitions = definitions_of(node);
        for (Expression& conjunct : conjuncts) conjunct = substitute(std::move(conjunct), definitions);
        return with_child(std::move(node), std::move(conjuncts));
      }
      case LogicalKind::kSort:
        return with_child(std::move(node), std::move(conjuncts));
      case LogicalKind::kLimit:
        return make_filter(std::move(conjuncts), with_child(std::move(node), {}));
      case LogicalKind::kAggregate:
        return push_aggregate(std::move(node), std::move(conjuncts));
      case LogicalKind::kWindow:
        return push_window(std::move(node), std::move(conjuncts));
      case LogicalKind::kRepeat:
        return push_repeat(std::move(node), std::move(conjuncts));
      case LogicalKind::kUnion:
        return push_union(std::move(node), conjuncts);
      case LogicalKind::kJoin:
        return push_join(std::move(node), std::move(conjuncts));
      case LogicalKind::kScan:
      case LogicalKind::kShared:
      case LogicalKind::kValues:
      case LogicalKind::kOneRow:
        return make_filter(std::move(conjuncts), std::move(node));
    }
    return node;
  }

 private:
  LogicalNode with_child(LogicalNode node, Conjuncts conjuncts) const {
    node.children.at(0) = push(std::move(node.children[0]), std::move(conjuncts));
    return node;
  }

  // A condition on keys keeps or drops whole groups. One without columns must stay: without keys there is a group even over no
  // rows.
  LogicalNode push_aggregate(LogicalNode node, Conjuncts conjuncts) const {
    std::vector<ColumnId> keys = node.outputs;
    std::sort(keys.begin(), keys.end());
    const Substitution definitions = definitions_of(node);
    Conjuncts below, above;
    for (Expression& conjunct : conjuncts) {
      const std::vector<ColumnId> columns = columns_of(conjunct);
      Expression moved = columns.empty() || !covered(columns, keys) ? Expression() : substitute(conjunct, definitions);
      const bool moves = !columns.empty() && covered(columns, keys) && !can_fail(moved, ranges_);
      (moves ? below : above).push_back(std::move(moves ? moved : conjunct));
    }
    return make_filter(std::move(above), with_child(std::move(node), std::move(below)));
  }

  // A condition on partition keys keeps or drops whole partitions.
  LogicalNode push_window(LogicalNode node, Conjuncts conjuncts) const {
    std::vector<ColumnId> keys;
    for (const Expression& key : node.expressions) {
      if (key.operation == Operation::kColumn) keys.push_back(key.column);
    }
    std::sort(keys.begin(), keys.end());
    return push_covered(std::move(node), std::move(conjuncts), keys);
  }

  // A condition that does not ask for the copy's number holds for all copies of a row or for none.
  LogicalNode push_repeat(LogicalNode node, Conjuncts conjuncts) const {
    const std::vector<ColumnId> columns = sorted_columns(node.children.at(0));
    return push_covered(std::move(node), std::move(conjuncts), columns);
  }

  // Conditions over these columns of the child that can't fail go below.
  LogicalNode push_covered(LogicalNode node, Conjuncts conjuncts, const std::vector<ColumnId>& columns) const {
    Conjuncts below, above;
    for (Expression& conjunct : conjuncts) {
      const bool moves = covered(columns_of(conjunct), columns) && !can_fail(conjunct, ranges_);
      (moves ? below : above).push_back(std::move(conjunct));
    }
    return make_filter(std::move(above), with_child(std::move(node), std::move(below)));
  }

  LogicalNode push_union(LogicalNode node, const Conjuncts& conjuncts) const {
    const std::size_t width = node.outputs.size();
    for (std::size_t c = 0; c < node.children.size(); ++c) {
      Substitution definitions;
      for (std::size_t i = 0; i < width; ++i) definitions.emplace(node.outputs[i], node.expressions[c * width + i]);
      Conjuncts moved;
      for (const Expression& conjunct : conjuncts) moved.push_back(substitute(conjunct, definitions));
      node.children[c] = push(std::move(node.children[c]), std::move(moved));
    }
    return node;
  }

  LogicalNode push_join(LogicalNode node, Conjuncts conjuncts) const {
    if (node.join_kind != JoinKind::kInner) return push_other_join(std::move(node), std::move(conjuncts));
    Conjuncts all = std::move(node.conjuncts);
    std::move(conjuncts.begin(), conjuncts.end(), std::back_inserter(all));
    const std::vector<ColumnId> left_columns = sorted_columns(node.children.at(0));
    const std::vector<ColumnId> right_columns = sorted_columns(node.children.at(1));
    Conjuncts left, right, above;
    node.conjuncts.clear();
    for (Expression& conjunct : all) {
      const std::vector<ColumnId> columns = columns_of(conjunct);
      if (can_fail(conjunct, ranges_)) {
        // Below it would meet rows that find no partner, which the query never gets to.
        above.push_back(std::move(conjunct));
      } else if (covered(columns, left_columns)) {
        left.push_back(std::move(conjunct));
      } else if (covered(columns, right_columns)) {
        right.push_back(std::move(conjunct));
      } else {
        node.conjuncts.push_back(std::move(conjunct));
      }
    }
    node.children[0] = push(std::move(node.children[0]), std::move(left));
    node.children[1] = push(std::move(node.children[1]), std::move(right));
    return make_filter(std::move(above), std::move(node));
  }

  // Above such a join, conditions on the left keep or drop rows of the left with all that comes of them. Its own conditions
  // decide what matches: those on the right alone choose among the rows of the right, in a semi join those on the left as well.
  LogicalNode push_other_join(LogicalNode node, Conjuncts conjuncts) const {
    const bool full = node.join_kind == JoinKind::kFull;
    const bool semi = node.join_kind == JoinKind::kSemi;
    const std::vector<ColumnId> left_columns = sorted_columns(node.children.at(0));
    const std::vector<ColumnId> right_columns = sorted_columns(node.children.at(1));
    Conjuncts left, right, above;
    for (Expression& conjunct : conjuncts) {
      const bool moves = !full && covered(columns_of(conjunct), left_columns) && !can_fail(conjunct, ranges_);
      (moves ? left : above).push_back(std::move(conjunct));
    }
    for (Expression& conjunct : std::exchange(node.conjuncts, {})) {
      const std::vector<ColumnId> columns = columns_of(conjunct);
      const bool stays = full || can_fail(conjunct, ranges_);
      const bool to_right = !stays && covered(columns, right_columns);
      const bool to_left = !stays && !to_right && semi && covered(columns, left_columns);
      (to_right ? right : to_left ? left : node.conjuncts).push_back(std::move(conjunct));
    }
    node.children[0] = push(std::move(node.children[0]), std::move(left));
    node.children[1] = push(std::move(node.children[1]), std::move(right));
    return make_filter(std::move(above), std::move(node));
  }

  Cardinality cardinality_;
  ColumnRanges ranges_;
};

}  // namespace

void push_down_conditions(LogicalPlan& plan) {
  const PushDown rule(plan);
  for_each_root(plan, [&](LogicalNode& root) { root = rule.push(std::move(root), {}); });
}

}  // namespace saccade
