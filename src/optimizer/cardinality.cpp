#include "optimizer/cardinality.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "optimizer/rewrite.hpp"

namespace saccade {

Cardinality::Cardinality(const LogicalPlan& plan) {
  columns_.resize(plan.types.size());
  for (std::size_t i = 0; i < plan.types.size(); ++i) columns_[i].type = plan.types[i];
  for (const SharedPlan& shared : plan.shared) {
    visit(shared.root);
    shared_.push_back({rows(shared.root), shared.columns});
  }
  visit(plan.root);
}

// Children first: what a node computes is estimated from the columns below it.
void Cardinality::visit(const LogicalNode& node) {
  for (const LogicalNode& child : node.children) visit(child);
  if (node.kind == LogicalKind::kScan) visit_scan(node);
  if (node.kind == LogicalKind::kShared) visit_shared(node);
  if (node.kind == LogicalKind::kUnion || node.kind == LogicalKind::kValues) define_rows(node);
  if (node.kind == LogicalKind::kJoin) visit_join(node);
  if (node.kind == LogicalKind::kProject || node.kind == LogicalKind::kAggregate) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) define(node.outputs[i], node.expressions[i]);
  }
  for (const AggregateCall& call : node.aggregates) define_aggregate(call);
}

void Cardinality::visit_scan(const LogicalNode& node) {
  const double rows = static_cast<double>(node.table->row_count());
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    const ColumnInfo& info = node.table->columns().at(static_cast<std::size_t>(node.columns[i]));
    ColumnEstimate& estimate = column(node.outputs[i]);
    estimate.bounds = info.statistics.bounds;
    estimate.may_be_null = info.statistics.may_be_null;
    estimate.dictionary = info.dictionary;
    estimate.distinct = info.statistics.distinct;
    if (info.statistics.unique == Uniqueness::kProven) estimate.distinct = rows;
    if (estimate.distinct <= 0 && info.dictionary) estimate.distinct = static_cast<double>(info.dictionary->size());
    if (estimate.distinct <= 0 && estimate.bounds) {
      estimate.distinct =
          std::min(rows, static_cast<double>(estimate.bounds->high) - static_cast<double>(estimate.bounds->low) + 1);
    }
    if (estimate.distinct <= 0) estimate.distinct = rows;
  }
}

// Columns of rows that an outer join adds are NULL.
void Cardinality::visit_join(const LogicalNode& node) {
  const bool left_added = node.join_kind == JoinKind::kFull;
  const bool right_added = left_added || node.join_kind == JoinKind::kLeft;
  for (const std::size_t side : {0, 1}) {
    if (side == 0 ? !left_added : !right_added) continue;
    for (const ColumnId id : output_columns(node.children.at(side))) column(id).may_be_null = true;
  }
  if (node.join_kind != JoinKind::kMark) return;
  column(node.mark).bounds = Bounds{0, 1};
  column(node.mark).may_be_null = false;
  column(node.mark).distinct = 2;
}

void Cardinality::visit_shared(const LogicalNode& node) {
  const std::vector<ColumnId>& columns = shared_.at(static_cast<std::size_t>(node.shared)).columns;
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    column(node.outputs[i]) = column(columns.at(static_cast<std::size_t>(node.columns[i])));
  }
}

// Columns whose values come from several expressions: of the children of a union, or of constant rows.
void Cardinality::define_rows(const LogicalNode& node) {
  const std::size_t width = node.outputs.size();
  for (std::size_t i = 0; i < width; ++i) {
    ColumnEstimate merged = column(node.outputs[i]);
    for (std::size_t e = i; e < node.expressions.size(); e += width) {
      const Expression& expression = node.expressions[e];
      const bool text = expression.type.is_string();
      const auto range = text ? std::nullopt : range_of(expression, ranges());
      merged.distinct += distinct_of(expression);
      if (e == i) {
        merged.bounds = range;
      } else if (merged.bounds && range) {
        merged.bounds = Bounds{std::min(merged.bounds->low, range->low), std::max(merged.bounds->high, range->high)};
      } else {
        merged.bounds = std::nullopt;
      }
    }
    column(node.outputs[i]) = merged;
  }
}

void Cardinality::define(ColumnId id, const Expression& expression) {
  ColumnEstimate& estimate = column(id);
  if (expression.operation == Operation::kColumn) {
    estimate = column(expression.column);
    return;
  }
  if (!expression.type.is_string()) estimate.bounds = range_of(expression, ranges());
  estimate.distinct = distinct_of(expression);
}

// min and max lie within their argument; sums and counts are not bounded by statistics alone.
void Cardinality::define_aggregate(const AggregateCall& call) {
  const bool extreme = call.kind == AggregateKind::kMin || call.kind == AggregateKind::kMax;
  if (!extreme || call.arguments.at(0).type.is_string()) return;
  column(call.output).bounds = range_of(call.arguments[0], ranges());
}

double Cardinality::rows(const LogicalNode& node) const {
  switch (node.kind) {
    case LogicalKind::kOneRow:
      return 1;
    case LogicalKind::kScan:
      return static_cast<double>(node.table->row_count());
    case LogicalKind::kShared:
      return shared_.at(static_cast<std::size_t>(node.shared)).rows;
    case LogicalKind::kFilter:
      return std::max(1.0, rows(node.children.at(0)) * selectivity(node.conjuncts));
    case LogicalKind::kProject:
    case LogicalKind::kSort:
      return rows(node.children.at(0));
    case LogicalKind::kWindow:
      return rows(node.children.at(0));
    case LogicalKind::kUnion: {
      double sum = 0;
      for (const LogicalNode& child : node.children) sum += rows(child);
      return std::max(1.0, sum);
    }
    case LogicalKind::kValues:
      return static_cast<double>(node.rows);
    case LogicalKind::kRepeat:
      return rows(node.children.at(0)) * repetitions(node);
    case LogicalKind::kJoin:
      return join_rows(node);
    case LogicalKind::kAggregate:
      return aggregate_rows(node);
    case LogicalKind::kLimit: {
      const double left = std::max(0.0, rows(node.children.at(0)) - static_cast<double>(node.offset));
      return node.limit ? std::min(left, static_cast<double>(*node.limit)) : left;
    }
  }
  return 1;
}

// A constant number of copies, or a guess.
double Cardinality::repetitions(const LogicalNode& node) const {
  const auto range = range_of(node.expressions.at(0), ranges());
  const bool constant = range && range->low == range->high && range->low > 0;
  return constant ? static_cast<double>(range->low) : 1.0;
}

double Cardinality::join_rows(const LogicalNode& node) const {
  const LogicalNode &left = node.children.at(0), &right = node.children.at(1);
  const double left_rows = rows(left), right_rows = rows(right);
  double pairs = left_rows * right_rows;
  for (const Expression& conjunct : node.conjuncts) pairs *= join_selectivity(conjunct, {&left, &right});
  const double matched = left_rows * matched_share(node, right_rows);
  switch (node.join_kind) {
    case JoinKind::kInner:
      return std::max(1.0, pairs);
    case JoinKind::kLeft:
      return std::max(left_rows, pairs);
    case JoinKind::kFull:
      return std::max({left_rows, right_rows, pairs});
    case JoinKind::kSemi:
      return std::max(1.0, matched);
    case JoinKind::kAnti:
      return std::max(1.0, left_rows - matched);
    case JoinKind::kMark:
      return left_rows;
  }
  return std::max(1.0, pairs);
}

// The share of the left's rows that have a match: where the right has fewer values of a key than the left, as many fewer. A
// few rows stay on either side, for nothing says that all match.
double Cardinality::matched_share(const LogicalNode& node, double right_rows) const {
  constexpr double kLeastShare = 0.05;
  double share = 1;
  for (const Expression& conjunct : node.conjuncts) {
    const auto equal = equal_operands(conjunct);
    if (!equal) {
      share *= 1 - 0.5 * (1 - selectivity(conjunct));
      continue;
    }
    const std::vector<ColumnId> right = sorted_columns(node.children.at(1));
    const bool straight = covered(columns_of(*equal->b), right);
    const double left_distinct = distinct_of(straight ? *equal->a : *equal->b);
    const double right_distinct = std::min(distinct_of(straight ? *equal->b : *equal->a), right_rows);
    share *= std::min(1.0, right_distinct / std::max(1.0, left_distinct));
  }
  return std::clamp(share, kLeastShare, 1 - kLeastShare);
}

// The product of the keys' distinct values, but no more groups than rows.
double Cardinality::aggregate_rows(const LogicalNode& node) const {
  double groups = 1;
  for (const Expression& key : node.expressions) groups *= std::max(1.0, distinct_of(key));
  return node.expressions.empty() ? 1 : std::max(1.0, std::min(groups, rows(node.children.at(0))));
}

double Cardinality::distinct(ColumnId id) const {
  return column(id).distinct;
}

std::optional<Bounds> Cardinality::bounds(ColumnId id) const {
  return column(id).bounds;
}

ColumnRanges Cardinality::ranges() const {
  return [this](ColumnId id) { return column(id).type.is_string() ? std::nullopt : bounds(id); };
}

// An expression has at most as many values as its columns have combinations, and no more than its range is wide.
double Cardinality::distinct_of(const Expression& expression) const {
  if (expression.operation == Operation::kLiteral) return 1;
  double combinations = 1;
  for (const ColumnId id : columns_of(expression)) combinations *= std::max(1.0, column(id).distinct);
  const auto range = expression.type.is_string() ? std::nullopt : range_of(expression, ranges());
  if (expression.operation == Operation::kExtract && expression.name == "month") return std::min(combinations, 12.0);
  if (expression.operation == Operation::kExtract && expression.name == "day") return std::min(combinations, 31.0);
  if (expression.operation == Operation::kExtract) return std::min(combinations, std::max(1.0, combinations / 365));
  if (!range) return combinations;
  return std::min(combinations, static_cast<double>(range->high) - static_cast<double>(range->low) + 1);
}

}  // namespace saccade
