#include "optimizer/unnest.hpp"

#include <algorithm>
#include <utility>

#include "optimizer/null_analysis.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

std::vector<ColumnId> intersection(const std::vector<ColumnId>& a, const std::vector<ColumnId>& b) {
  std::vector<ColumnId> result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// No more rows than this, whatever the data. `shared`: of the shared parts that were asked for, which read each other many
// times.
double most_rows(const LogicalNode& node, const LogicalPlan& plan, std::map<int, double>& shared) {
  double rows = node.kind == LogicalKind::kUnion ? 0 : 1;
  if (node.kind == LogicalKind::kScan) return static_cast<double>(node.table->row_count());
  if (node.kind == LogicalKind::kValues) return static_cast<double>(node.rows);
  if (node.kind == LogicalKind::kRepeat) return 1e18;
  if (node.kind == LogicalKind::kShared) {
    const auto known = shared.find(node.shared);
    if (known != shared.end()) return known->second;
    const double found = most_rows(plan.shared.at(static_cast<std::size_t>(node.shared)).root, plan, shared);
    return shared.emplace(node.shared, found).first->second;
  }
  for (const LogicalNode& child : node.children) {
    const double below = most_rows(child, plan, shared);
    rows = node.kind == LogicalKind::kUnion ? rows + below : rows * std::max(1.0, below);
  }
  return rows;
}

// The result can leave the range of its type. (An average lies between the values.)
bool aggregate_can_fail(const AggregateCall& call, double rows, const ColumnRanges& ranges) {
  switch (call.kind) {
    case AggregateKind::kSum:
    case AggregateKind::kAvg:
      break;
    case AggregateKind::kVarPop:
    case AggregateKind::kVarSamp:
    case AggregateKind::kStddevPop:
    case AggregateKind::kStddevSamp:
      return true;
    default:
      return false;
  }
  const Expression& argument = call.arguments.at(0);
  if (argument.type.is_float()) return true;
  if (call.kind == AggregateKind::kAvg) return false;
  const auto range = range_of(argument, ranges);
  if (!range) return true;
  const double largest = std::max(std::abs(static_cast<double>(range->low)), std::abs(static_cast<double>(range->high)));
  return largest * rows >= (call.type.is_integer() ? 9e18 : 9e37);
}

bool window_can_fail(const WindowCall& call, double rows, const ColumnRanges& ranges) {
  if (call.kind == WindowKind::kNtile || call.kind == WindowKind::kNthValue) return true;
  return call.aggregate && aggregate_can_fail(*call.aggregate, rows, ranges);
}

}  // namespace

ColumnRanges Unnesting::ranges() const {
  return [this, known = cardinality_.ranges()](ColumnId id) -> std::optional<Bounds> {
    for (auto origin = origins_.find(id); origin != origins_.end(); origin = origins_.find(id)) id = origin->second;
    return cardinality_.knows(id) ? known(id) : std::nullopt;
  };
}

bool Unnesting::may_fail(const std::vector<Expression>& expressions) const {
  const ColumnRanges known = ranges();
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const Expression& expression) { return can_fail(expression, known); });
}

bool Unnesting::may_fail(const LogicalNode& root) const {
  const ColumnRanges known = ranges();
  std::map<int, double> shared_rows;
  bool fails = false;
  for_each_node(root, [&](const LogicalNode& node) {
    for_each_expression(node, [&](const Expression& expression) { fails = fails || can_fail(expression, known); });
    if (node.children.size() != 1 || fails) return;
    const double rows = most_rows(node.children[0], plan_, shared_rows);
    for (const AggregateCall& call : node.aggregates) fails = fails || aggregate_can_fail(call, rows, known);
    for (const WindowCall& call : node.window_calls) fails = fails || window_can_fail(call, rows, known);
  });
  return fails;
}

LogicalNode Unnesting::unnest(LogicalNode node) {
  if (node.kind == LogicalKind::kJoin) return unnest_join(std::move(node));
  for (LogicalNode& child : node.children) child = unnest(std::move(child));
  return node;
}

LogicalNode Unnesting::unnest_join(LogicalNode join) {
  join.children.at(0) = unnest(std::move(join.children[0]));
  const std::vector<ColumnId> left = sorted_columns(join.children[0]);
  LogicalNode& right = join.children.at(1);
  if (!may_fail(right) && !may_fail(join.conjuncts)) join.guards.clear();
  const auto correlated = [&](const LogicalNode& node) { return intersection(free_columns(node), left); };
  if (correlated(right).empty() && join.guards.empty()) {
    right = unnest(std::move(right));
    return join;
  }
  if (auto pulled = pull_up(join, left)) {
    join = apply(std::move(*pulled), std::move(join));
    LogicalNode& inner = join.kind == LogicalKind::kProject ? join.children.at(0) : join;
    inner.children.at(1) = unnest(std::move(inner.children.at(1)));
    return join;
  }
  return join_for_domain(std::move(join), correlated(right));
}

LogicalNode Unnesting::join_for_domain(LogicalNode join, std::vector<ColumnId> columns) {
  Domain domain;
  domain.columns = std::move(columns);
  domain.left = &join.children.at(0);
  domain.guards = std::exchange(join.guards, {});
  domain.replaceable = domain.guards.empty() && !may_fail(join.children.at(1));
  const LogicalNode& right = join.children[1];
  const bool single_group = right.kind == LogicalKind::kAggregate && right.expressions.empty();
  if (join.join_kind == JoinKind::kInner && single_group) {
    std::vector<Expression> conjuncts = std::exchange(join.conjuncts, {});
    return make_filter(std::move(conjuncts), join_single_group(std::move(join), domain));
  }
  // Left rows that the guards keep out of the domain stay; what they get is not used.
  if (join.join_kind == JoinKind::kInner && !domain.guards.empty()) join.join_kind = JoinKind::kLeft;
  Attached attached = attach(std::move(join.children[1]), domain);
  equate(join, domain, attached);
  join.children[1] = unnest(std::move(attached.node));
  return join;
}

// An aggregate without keys has a row for every left row: one that found nothing gets NULLs, and 0 as its counts.
LogicalNode Unnesting::join_single_group(LogicalNode join, Domain& domain) {
  LogicalNode aggregate = std::move(join.children.at(1));
  Attached below = attach(std::move(aggregate.children.at(0)), domain);
  aggregate.children[0] = std::move(below.node);
  Attached groups{{}, add_keys(aggregate, below.places), below.exact};
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  for (const ColumnId id : output_columns(join.children[0])) {
    project.outputs.push_back(id);
    project.expressions.push_back(column(id));
  }
  for (AggregateCall& call : aggregate.aggregates) {
    const ColumnId state = copy_column(call.output);
    project.outputs.push_back(std::exchange(call.output, state));
    project.expressions.push_back(count_or_value(call));
  }
  join.join_kind = JoinKind::kLeft;
  equate(join, domain, groups);
  join.children[1] = unnest(std::move(aggregate));
  project.children.push_back(std::move(join));
  return project;
}

void Unnesting::equate(LogicalNode& join, const Domain& domain, const Attached& attached) {
  const ColumnSet never = NullAnalysis(plan_).columns(join.children.at(0));
  for (const ColumnId id : domain.columns) {
    const ColumnId place = attached.places.at(id);
    if (attached.exact && !never.contains(id)) {
      join.conjuncts.push_back(not_distinct(column(id), column(place)));
    } else {
      join.conjuncts.push_back(call_expression(Operation::kEqual, {TypeKind::kBoolean}, {column(id), column(place)}));
    }
  }
}

void unnest_subqueries(LogicalPlan& plan) {
  Unnesting unnesting(plan);
  // Left rows that become shared parts are appended and unnested already.
  const std::size_t shared = plan.shared.size();
  for (std::size_t i = 0; i < shared; ++i) {
    LogicalNode root = unnesting.unnest(plan.shared[i].root);  // a copy: what it reads is looked up while it is changed
    plan.shared[i].root = std::move(root);
  }
  plan.root = unnesting.unnest(std::move(plan.root));
}

}  // namespace saccade
