// Unnesting without a domain: correlated conditions and expressions move up until they stand in the join or above it.
#include <algorithm>
#include <utility>

#include "optimizer/unnest.hpp"

namespace saccade {
namespace {

bool names_any(const Expression& expression, const std::vector<ColumnId>& sorted) {
  const std::vector<ColumnId> columns = columns_of(expression);
  return std::any_of(columns.begin(), columns.end(),
                     [&](ColumnId column) { return std::binary_search(sorted.begin(), sorted.end(), column); });
}

bool names_any(const LogicalNode& node, const std::vector<ColumnId>& sorted) {
  const std::vector<ColumnId> columns = free_columns(node);
  return std::any_of(columns.begin(), columns.end(),
                     [&](ColumnId column) { return std::binary_search(sorted.begin(), sorted.end(), column); });
}

LogicalNode only_child(LogicalNode node) {
  LogicalNode child = std::move(node.children.at(0));
  return child;
}

bool is_region(const LogicalNode& node) {
  return node.kind == LogicalKind::kFilter || (node.kind == LogicalKind::kJoin && node.join_kind == JoinKind::kInner);
}

}  // namespace

void Unnesting::flatten(LogicalNode node, Region& region) {
  const bool filter = node.kind == LogicalKind::kFilter;
  const bool plain_join = node.kind == LogicalKind::kJoin && node.join_kind == JoinKind::kInner && node.guards.empty() &&
                          !names_any(node.children.at(1), sorted_columns(node.children.at(0)));
  if (!filter && !plain_join) {
    region.children.push_back(std::move(node));
    return;
  }
  for (LogicalNode& child : node.children) flatten(std::move(child), region);
  std::move(node.conjuncts.begin(), node.conjuncts.end(), std::back_inserter(region.conjuncts));
}

LogicalNode Unnesting::build(Region region) {
  LogicalNode result = std::move(region.children.at(0));
  for (std::size_t i = 1; i < region.children.size(); ++i) {
    LogicalNode join;
    join.kind = LogicalKind::kJoin;
    join.children.push_back(std::move(result));
    join.children.push_back(std::move(region.children[i]));
    result = std::move(join);
  }
  return make_filter(std::move(region.conjuncts), std::move(result));
}

void Unnesting::substitute_all(PulledUp& pulled, const LogicalNode& definitions) {
  const Substitution meaning = definitions_of(definitions);
  for (Expression& conjunct : pulled.conjuncts) conjunct = substitute(std::move(conjunct), meaning);
  for (auto& [output, expression] : pulled.above) expression = substitute(std::move(expression), meaning);
}

// The correlated conditions of the region at the top of the right child; they are evaluated before the join's own.
void Unnesting::pull_conditions(PulledUp& pulled, const std::vector<ColumnId>& left) {
  Region region;
  flatten(std::move(pulled.right), region);
  const auto kept = std::stable_partition(region.conjuncts.begin(), region.conjuncts.end(),
                                          [&](const Expression& conjunct) { return names_any(conjunct, left); });
  std::vector<Expression> conjuncts(std::make_move_iterator(region.conjuncts.begin()), std::make_move_iterator(kept));
  region.conjuncts.erase(region.conjuncts.begin(), kept);
  std::move(pulled.conjuncts.begin(), pulled.conjuncts.end(), std::back_inserter(conjuncts));
  pulled.conjuncts = std::move(conjuncts);
  pulled.right = build(std::move(region));
}

// Takes the topmost node off the right child; false where it must stay.
bool Unnesting::pull_one(PulledUp& pulled, JoinKind kind, const std::vector<ColumnId>& left) {
  LogicalNode& right = pulled.right;
  if (right.kind == LogicalKind::kSort) {
    right = only_child(std::move(right));
    return true;
  }
  const bool distinct = right.kind == LogicalKind::kAggregate && right.aggregates.empty() && !right.expressions.empty();
  const bool marks = kind == JoinKind::kMark || kind == JoinKind::kSemi || kind == JoinKind::kAnti;
  if (right.kind != LogicalKind::kProject && !(distinct && marks)) return false;
  if (marks) {
    // Whether there is a match does not depend on what is put out, nor how often.
    substitute_all(pulled, right);
  } else if (kind == JoinKind::kInner) {
    substitute_all(pulled, right);
    if (pulled.above.empty()) {
      for (std::size_t i = 0; i < right.outputs.size(); ++i) pulled.above.emplace_back(right.outputs[i], right.expressions[i]);
    }
  } else {
    for (const Expression& expression : right.expressions) {
      if (names_any(expression, left)) return false;
    }
    LogicalNode projection = right;
    projection.children.clear();
    pulled.projections.push_back(std::move(projection));
  }
  right = only_child(std::move(right));
  return true;
}

// Projections of a left join's right side stand below it, and let through what the conditions name.
void Unnesting::put_back(PulledUp& pulled, const LogicalPlan& plan) {
  for (auto projection = pulled.projections.rbegin(); projection != pulled.projections.rend(); ++projection) {
    const std::vector<ColumnId> available = sorted_columns(pulled.right);
    for (const Expression& conjunct : pulled.conjuncts) {
      for (const ColumnId id : columns_of(conjunct)) {
        const bool has = std::find(projection->outputs.begin(), projection->outputs.end(), id) != projection->outputs.end();
        if (has || !std::binary_search(available.begin(), available.end(), id)) continue;
        projection->outputs.push_back(id);
        projection->expressions.push_back(column_expression(id, plan.types.at(static_cast<std::size_t>(id))));
      }
    }
    projection->children.push_back(std::move(pulled.right));
    pulled.right = std::move(*projection);
  }
  pulled.projections.clear();
}

std::optional<Unnesting::PulledUp> Unnesting::pull_up(const LogicalNode& join, const std::vector<ColumnId>& left) const {
  const bool outer_of_both = join.join_kind == JoinKind::kFull;
  const bool guarded_inner = join.join_kind == JoinKind::kInner && !join.guards.empty();
  if (outer_of_both || guarded_inner) return std::nullopt;
  PulledUp pulled{join.children.at(1), join.conjuncts, {}, {}};
  while (pull_one(pulled, join.join_kind, left)) {
  }
  if (is_region(pulled.right)) pull_conditions(pulled, left);
  if (names_any(pulled.right, left)) return std::nullopt;
  // What can fail below would be evaluated whether or not a row asks for it.
  if (!join.guards.empty() && may_fail(pulled.right)) return std::nullopt;
  put_back(pulled, plan_);
  return pulled;
}

LogicalNode Unnesting::apply(PulledUp pulled, LogicalNode join) {
  // Guards come first, so that conditions that can fail are evaluated behind them.
  std::vector<Expression> conjuncts = std::exchange(join.guards, {});
  std::move(pulled.conjuncts.begin(), pulled.conjuncts.end(), std::back_inserter(conjuncts));
  join.conjuncts = std::move(conjuncts);
  join.children.at(1) = std::move(pulled.right);
  if (pulled.above.empty()) return join;
  LogicalNode project;
  project.kind = LogicalKind::kProject;
  for (const ColumnId id : output_columns(join.children[0])) {
    project.outputs.push_back(id);
    project.expressions.push_back(column(id));
  }
  for (auto& [output, expression] : pulled.above) {
    project.outputs.push_back(output);
    project.expressions.push_back(std::move(expression));
  }
  project.children.push_back(std::move(join));
  return project;
}

}  // namespace saccade
