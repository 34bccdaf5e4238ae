#include "optimizer/null_analysis.hpp"

#include <algorithm>

#include "optimizer/rewrite.hpp"

namespace saccade {
namespace {

// Columns that a true condition shows not to be null.
void add_rejected(const Expression& condition, ColumnSet& columns) {
  const bool compares = is_comparison(condition.operation) || condition.operation == Operation::kLike;
  if (!compares && condition.operation != Operation::kIsNotNull) return;
  for (const Expression& argument : condition.arguments) {
    if (argument.operation == Operation::kColumn) columns.insert(argument.column);
  }
}

}  // namespace

bool is_never_null(const Expression& expression, const ColumnSet& columns) {
  const auto& arguments = expression.arguments;
  const auto never = [&](const Expression& argument) { return is_never_null(argument, columns); };
  switch (expression.operation) {
    case Operation::kColumn:
      return columns.contains(expression.column);
    case Operation::kLiteral:
      return !expression.literal.is_null();
    case Operation::kIsNull:
    case Operation::kIsNotNull:
    case Operation::kSingleRow:
      return true;
    case Operation::kCoalesce:
      return std::any_of(arguments.begin(), arguments.end(), never);
    case Operation::kCase:
      if (arguments.size() % 2 == 0) return false;
      for (std::size_t i = 1; i < arguments.size(); i += 2) {
        if (!never(arguments[i])) return false;
      }
      return never(arguments.back());
    case Operation::kAnd:
    case Operation::kOr:
      return std::all_of(arguments.begin(), arguments.end(), never);
    default:
      return is_strict(expression.operation) && std::all_of(arguments.begin(), arguments.end(), never);
  }
}

ColumnSet NullAnalysis::scanned(const LogicalNode& node) const {
  ColumnSet result;
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    const ColumnInfo& info = node.table->columns().at(static_cast<std::size_t>(node.columns[i]));
    if (!info.statistics.may_be_null) result.insert(node.outputs[i]);
  }
  return result;
}

ColumnSet NullAnalysis::read(const LogicalNode& node) const {
  const SharedPlan& shared = plan_.shared.at(static_cast<std::size_t>(node.shared));
  auto found = shared_.find(node.shared);
  if (found == shared_.end()) found = shared_.emplace(node.shared, columns(shared.root)).first;
  ColumnSet result;
  for (std::size_t i = 0; i < node.columns.size(); ++i) {
    if (found->second.contains(shared.columns.at(static_cast<std::size_t>(node.columns[i])))) result.insert(node.outputs[i]);
  }
  return result;
}

ColumnSet NullAnalysis::joined(const LogicalNode& node, const ColumnSet& outer) const {
  ColumnSet left = columns(node.children.at(0), outer);
  if (node.join_kind == JoinKind::kFull) return {};
  if (node.join_kind == JoinKind::kMark) left.insert(node.mark);
  if (node.join_kind != JoinKind::kInner) return left;
  ColumnSet around = outer;
  around.insert(left.begin(), left.end());
  left.merge(columns(node.children.at(1), around));
  for (const Expression& conjunct : node.conjuncts) add_rejected(conjunct, left);
  return left;
}

// A group has a row; without keys there may be none.
ColumnSet NullAnalysis::grouped(const LogicalNode& node, const ColumnSet& below) const {
  ColumnSet result;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (is_never_null(node.expressions[i], below)) result.insert(node.outputs[i]);
  }
  for (const AggregateCall& call : node.aggregates) {
    const bool counts = call.kind == AggregateKind::kCount || call.kind == AggregateKind::kCountStar;
    const bool keeps = call.kind == AggregateKind::kSum || call.kind == AggregateKind::kAvg ||
                       call.kind == AggregateKind::kMin || call.kind == AggregateKind::kMax;
    const bool never = keeps && !call.filter && !node.expressions.empty() && is_never_null(call.arguments.at(0), below);
    if (counts || never) result.insert(call.output);
  }
  return result;
}

ColumnSet NullAnalysis::columns(const LogicalNode& node, const ColumnSet& outer) const {
  if (node.kind == LogicalKind::kScan) return scanned(node);
  if (node.kind == LogicalKind::kShared) return read(node);
  if (node.kind == LogicalKind::kJoin) return joined(node, outer);
  if (node.children.size() != 1) return {};
  ColumnSet below = columns(node.children[0], outer);
  ColumnSet around = outer;
  around.insert(below.begin(), below.end());
  switch (node.kind) {
    case LogicalKind::kFilter:
      for (const Expression& conjunct : node.conjuncts) add_rejected(conjunct, below);
      return below;
    case LogicalKind::kSort:
    case LogicalKind::kLimit:
    case LogicalKind::kWindow:
      return below;
    case LogicalKind::kAggregate:
      return grouped(node, around);
    case LogicalKind::kProject: {
      ColumnSet result;
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (is_never_null(node.expressions[i], around)) result.insert(node.outputs[i]);
      }
      return result;
    }
    default:
      return {};
  }
}

}  // namespace saccade
