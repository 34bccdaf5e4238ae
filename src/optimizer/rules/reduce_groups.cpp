#include <algorithm>
#include <optional>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"
#include "optimizer/share_rows.hpp"

namespace saccade {
namespace {

// Groups for each row that asks for one, from which on it pays to read those rows twice.
constexpr double kLeastReduction = 10;

// An aggregate, perhaps under a filter.
LogicalNode* groups_of(LogicalNode& node) {
  LogicalNode* groups = &node;
  while (groups->kind == LogicalKind::kFilter) groups = &groups->children.at(0);
  return groups->kind == LogicalKind::kAggregate && !groups->expressions.empty() ? groups : nullptr;
}

// A group key, the column below the aggregate, and the column of the asking rows to which it is equal.
struct EqualKey {
  Expression below;
  Expression asking;
};

class ReduceGroups {
 public:
  explicit ReduceGroups(LogicalPlan& plan)
      : plan_(plan), cardinality_(plan), known_parts_(static_cast<int>(plan.shared.size())) {}

  void visit(LogicalNode& node) {
    for (LogicalNode& child : node.children) visit(child);
    if (node.kind != LogicalKind::kJoin) return;
    if (node.join_kind == JoinKind::kLeft) reduce(node.children[0], node.children[1], node.conjuncts);
    if (node.join_kind != JoinKind::kInner) return;
    std::vector<LogicalNode*> relations;
    std::vector<Expression> conjuncts;
    collect(node, relations, conjuncts);
    for (LogicalNode* groups : relations) {
      for (LogicalNode* asking : relations) {
        if (asking != groups && reduce(*asking, *groups, conjuncts)) break;
      }
    }
  }

 private:
  // Of a part that this rule has made nothing is estimated.
  bool reads_new_part(const LogicalNode& root) const {
    bool found = root.kind == LogicalKind::kShared;
    for_each_node(root, [&](const LogicalNode& node) {
      found = found || (node.kind == LogicalKind::kShared && node.shared >= known_parts_);
    });
    return found;
  }

  static void collect(LogicalNode& node, std::vector<LogicalNode*>& relations, std::vector<Expression>& conjuncts) {
    if (!is_inner_join(node)) {
      relations.push_back(&node);
      return;
    }
    for (LogicalNode& child : node.children) collect(child, relations, conjuncts);
    conjuncts.insert(conjuncts.end(), node.conjuncts.begin(), node.conjuncts.end());
  }

  std::optional<EqualKey> equal_key(const Expression& conjunct, const LogicalNode& groups,
                                    const std::vector<ColumnId>& asking) {
    if (conjunct.operation != Operation::kEqual) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const Expression &key = conjunct.arguments.at(side), &other = conjunct.arguments.at(1 - side);
      if (key.operation != Operation::kColumn || other.operation != Operation::kColumn) continue;
      const auto output = std::find(groups.outputs.begin(), groups.outputs.end(), key.column);
      if (output == groups.outputs.end() || !covered({other.column}, asking)) continue;
      const Expression& below = groups.expressions[static_cast<std::size_t>(output - groups.outputs.begin())];
      if (below.operation == Operation::kColumn && cardinality_.knows(other.column)) return EqualKey{below, other};
    }
    return std::nullopt;
  }

  // Only groups that `asking` asks for are made: rows below them are semi-joined with it.
  bool reduce(LogicalNode& asking, LogicalNode& right, const std::vector<Expression>& conjuncts) {
    LogicalNode* groups = groups_of(right);
    if (groups == nullptr || groups_of(asking) != nullptr || reads_new_part(asking) || reads_new_part(right)) return false;
    const std::vector<ColumnId> columns = sorted_columns(asking);
    std::vector<EqualKey> keys;
    double values = 1;
    for (const Expression& conjunct : conjuncts) {
      const auto key = equal_key(conjunct, *groups, columns);
      if (!key) continue;
      values = std::max(values, cardinality_.distinct(key->below.column));
      keys.push_back(*key);
    }
    if (keys.empty() || cardinality_.rows(asking) * kLeastReduction > values) return false;
    const SharedRows rows(plan_, asking);
    std::vector<ColumnId> read;
    for (const EqualKey& key : keys) read.push_back(key.asking.column);
    Substitution renamed;
    LogicalNode join;
    join.kind = LogicalKind::kJoin;
    join.join_kind = JoinKind::kSemi;
    LogicalNode reader = rows.read(plan_, read, renamed);
    for (EqualKey& key : keys) {
      Expression other = substitute(std::move(key.asking), renamed);
      join.conjuncts.push_back(
          call_expression(Operation::kEqual, {TypeKind::kBoolean}, {std::move(key.below), std::move(other)}));
    }
    join.children.push_back(std::move(groups->children.at(0)));
    join.children.push_back(std::move(reader));
    groups->children[0] = std::move(join);
    return true;
  }

  LogicalPlan& plan_;
  Cardinality cardinality_;
  int known_parts_;
};

}  // namespace

void reduce_groups(LogicalPlan& plan) {
  ReduceGroups rule(plan);
  // Parts that are added meanwhile hold rows that have been visited.
  const std::size_t shared = plan.shared.size();
  for (std::size_t i = 0; i < shared; ++i) {
    LogicalNode root = plan.shared[i].root;
    rule.visit(root);
    plan.shared[i].root = std::move(root);
  }
  LogicalNode root = std::move(plan.root);
  rule.visit(root);
  plan.root = std::move(root);
  tidy_shared(plan);
}

}  // namespace saccade
