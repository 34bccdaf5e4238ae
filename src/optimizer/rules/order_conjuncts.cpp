#include <algorithm>
#include <utility>

#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// Operations of an expression: what evaluating it for a row costs, near enough. A column costs nothing of its own: conditions
// on one column load it once.
double cost_of(const Expression& expression) {
  double cost = expression.arguments.empty() ? 0 : 1;
  for (const Expression& argument : expression.arguments) cost += cost_of(argument);
  return cost;
}

// Conditions on one column: a range is narrower than each of its ends, and the column is loaded once.
struct Group {
  std::vector<ColumnId> columns;
  std::vector<Expression> conjuncts;
  double rank = 0;  // share of rows dropped for each operation spent
};

std::vector<Group> group_by_column(std::vector<Expression> conjuncts) {
  std::vector<Group> groups;
  for (Expression& conjunct : conjuncts) {
    const std::vector<ColumnId> columns = columns_of(conjunct);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& other) { return columns.size() == 1 && other.columns == columns; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{columns, {}});
    group->conjuncts.push_back(std::move(conjunct));
  }
  return groups;
}

void order(std::vector<Expression>& conjuncts, const Cardinality& cardinality, const ColumnRanges& ranges) {
  const auto fails = std::stable_partition(conjuncts.begin(), conjuncts.end(),
                                           [&](const Expression& conjunct) { return !can_fail(conjunct, ranges); });
  std::vector<Group> groups = group_by_column({conjuncts.begin(), fails});
  for (Group& group : groups) {
    double cost = 0;
    for (const Expression& conjunct : group.conjuncts) cost += cost_of(conjunct);
    group.rank = (1 - cardinality.selectivity(group.conjuncts)) / std::max(1.0, cost);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.rank > b.rank; });
  auto next = conjuncts.begin();
  for (Group& group : groups) next = std::move(group.conjuncts.begin(), group.conjuncts.end(), next);
}

}  // namespace

void order_conjuncts(LogicalPlan& plan) {
  const Cardinality cardinality(plan);
  const ColumnRanges ranges = cardinality.ranges();
  for_each_node(plan, [&](LogicalNode& node) {
    if (node.kind == LogicalKind::kFilter) order(node.conjuncts, cardinality, ranges);
  });
}

}  // namespace saccade
