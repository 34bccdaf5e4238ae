#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "optimizer/null_analysis.hpp"
#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

const DataType kBooleanType{TypeKind::kBoolean};

bool is_column(const Expression& expression, ColumnId column) {
  return expression.operation == Operation::kColumn && expression.column == column;
}

// ---- tests for NULL whose answer is known
// ------------------------------------------------------------------------------------

void fold_tests(Expression& expression, const ColumnSet& never) {
  for (Expression& argument : expression.arguments) fold_tests(argument, never);
  const auto& arguments = expression.arguments;
  const bool tests = expression.operation == Operation::kIsNull || expression.operation == Operation::kIsNotNull;
  const bool known = tests && is_never_null(arguments.at(0), never);
  const bool same = expression.operation == Operation::kNotEqual && arguments.at(0) == arguments.at(1) &&
                    arguments[0].operation == Operation::kColumn && is_never_null(arguments[0], never);
  if (!known && !same) return;
  expression = literal_expression({kBooleanType, expression.operation == Operation::kIsNotNull});
}

class FoldNullTests {
 public:
  explicit FoldNullTests(const LogicalPlan& plan) : analysis_(plan) {}

  void fold(LogicalNode& node, const ColumnSet& outer) {
    ColumnSet around = outer;
    for (LogicalNode& child : node.children) {
      fold(child, around);
      // The right child of a dependent join names columns of the left one.
      const ColumnSet made = analysis_.columns(child, around);
      around.insert(made.begin(), made.end());
    }
    if (node.kind == LogicalKind::kAggregate) fold_counts(node, around);
    for_each_expression(node, [&](Expression& expression) {
      expression = substitute(std::move(expression), same_counts_);
      fold_tests(expression, around);
    });
  }

 private:
  // count(x) of an x that is never null is count(*); equal counts are one column from here up.
  void fold_counts(LogicalNode& node, const ColumnSet& never) {
    std::vector<AggregateCall> kept;
    for (AggregateCall& call : node.aggregates) {
      const bool plain = !call.distinct && !call.filter;
      if (plain && call.kind == AggregateKind::kCount && is_never_null(call.arguments.at(0), never)) {
        call.kind = AggregateKind::kCountStar;
        call.arguments.clear();
      }
      const bool counts = plain && call.kind == AggregateKind::kCountStar;
      const auto same = std::find_if(kept.begin(), kept.end(), [&](const AggregateCall& other) {
        return counts && other.kind == AggregateKind::kCountStar && !other.filter;
      });
      if (same == kept.end()) {
        kept.push_back(std::move(call));
      } else {
        same_counts_.emplace(call.output, column_expression(same->output, same->type));
      }
    }
    node.aggregates = std::move(kept);
  }

  NullAnalysis analysis_;
  Substitution same_counts_;

 public:
  const Substitution& same_counts() const { return same_counts_; }
};

// ---- what only rows that pass can see
// ----------------------------------------------------------------------------------------

bool is_null_literal(const Expression& expression) {
  return is_literal(expression) && expression.literal.is_null();
}

// Of a condition by which rows are kept: NULL AND x keeps none, so it may go from an OR.
Expression only_true(Expression condition) {
  if (condition.operation == Operation::kAnd) {
    for (Expression& argument : condition.arguments) argument = only_true(std::move(argument));
    if (std::any_of(condition.arguments.begin(), condition.arguments.end(), is_null_literal))
      return literal_expression({kBooleanType, false});
    return condition;
  }
  if (condition.operation != Operation::kOr) return condition;
  std::vector<Expression> kept;
  for (Expression& argument : condition.arguments) {
    argument = only_true(std::move(argument));
    if (!is_false_or_null(argument)) kept.push_back(std::move(argument));
  }
  if (kept.empty()) return literal_expression({kBooleanType, false});
  if (kept.size() == 1) return std::move(kept.front());
  condition.arguments = std::move(kept);
  return condition;
}

// ---- marks
// -------------------------------------------------------------------------------------------------------------------

using UseCounts = std::vector<int>;  // by ColumnId

void count_uses(const Expression& expression, UseCounts& uses) {
  if (expression.operation == Operation::kColumn) ++uses.at(static_cast<std::size_t>(expression.column));
  for (const Expression& argument : expression.arguments) count_uses(argument, uses);
}

UseCounts uses_of(LogicalPlan& plan) {
  UseCounts uses(plan.types.size());
  for_each_node(plan, [&](LogicalNode& node) {
    for_each_expression(node, [&](Expression& expression) { count_uses(expression, uses); });
  });
  for (const SharedPlan& shared : plan.shared) {
    for (const ColumnId column : shared.columns) ++uses.at(static_cast<std::size_t>(column));
  }
  for (const ResultColumn& column : plan.result) ++uses.at(static_cast<std::size_t>(column.column));
  return uses;
}

// A filter by the mark of the join right below it, which nobody else reads.
void replace_mark(LogicalNode& filter, const UseCounts& uses) {
  LogicalNode& join = filter.children.at(0);
  while (join.kind == LogicalKind::kJoin && join.join_kind == JoinKind::kMark) {
    if (uses.at(static_cast<std::size_t>(join.mark)) != 1) return;
    const auto asks = [&](const Expression& conjunct) {
      const bool negated = conjunct.operation == Operation::kNot;
      return is_column(negated ? conjunct.arguments.at(0) : conjunct, join.mark);
    };
    const auto found = std::find_if(filter.conjuncts.begin(), filter.conjuncts.end(), asks);
    if (found == filter.conjuncts.end()) return;
    join.join_kind = found->operation == Operation::kNot ? JoinKind::kAnti : JoinKind::kSemi;
    join.mark = -1;
    filter.conjuncts.erase(found);
    return;
  }
}

void replace_marks(LogicalPlan& plan) {
  const UseCounts uses = uses_of(plan);
  for_each_node(plan, [&](LogicalNode& node) {
    if (node.kind != LogicalKind::kFilter) return;
    replace_mark(node, uses);
    if (!node.conjuncts.empty()) return;
    LogicalNode child = std::move(node.children[0]);
    node = std::move(child);
  });
}

// ---- semi joins with rows that are unique by their key
// -----------------------------------------------------------------------

// Columns of which no two rows of the node have the same values; nothing where none are known.
std::optional<std::vector<ColumnId>> unique_columns(const LogicalNode& node) {
  if (node.kind == LogicalKind::kAggregate) return node.outputs;
  if (node.kind == LogicalKind::kFilter || node.kind == LogicalKind::kSort) return unique_columns(node.children.at(0));
  return std::nullopt;
}

// A row of the left meets one row of the right at most: an inner join does the same, and may be moved among others.
void relax_semi_join(LogicalNode& join) {
  if (join.kind != LogicalKind::kJoin || join.join_kind != JoinKind::kSemi) return;
  const auto unique = unique_columns(join.children.at(1));
  if (!unique) return;
  const std::vector<ColumnId> left = sorted_columns(join.children.at(0));
  const auto equated = [&](ColumnId column) {
    return std::any_of(join.conjuncts.begin(), join.conjuncts.end(), [&](const Expression& conjunct) {
      if (conjunct.operation != Operation::kEqual) return false;
      const Expression &a = conjunct.arguments.at(0), &b = conjunct.arguments.at(1);
      return (is_column(a, column) && covered(columns_of(b), left)) || (is_column(b, column) && covered(columns_of(a), left));
    });
  };
  if (std::all_of(unique->begin(), unique->end(), equated)) join.join_kind = JoinKind::kInner;
}

// ---- joins that nobody asks for
// ----------------------------------------------------------------------------------------------

bool is_unused(const LogicalNode& join, const LogicalPlan& plan, const UseCounts& uses) {
  const LogicalNode& right = join.children.at(1);
  const auto unread = [&](ColumnId column) { return uses.at(static_cast<std::size_t>(column)) == 0; };
  if (join.join_kind == JoinKind::kMark) return unread(join.mark);
  if (join.join_kind == JoinKind::kInner && (!join.conjuncts.empty() || !gives_one_row(right, plan))) return false;
  if (join.join_kind == JoinKind::kLeft && !gives_at_most_one_row(right, plan)) return false;
  if (!shows_right(join.join_kind) || join.join_kind == JoinKind::kFull) return false;
  const std::vector<ColumnId> columns = output_columns(right);
  return std::all_of(columns.begin(), columns.end(), unread);
}

}  // namespace

void simplify_subqueries(LogicalPlan& plan) {
  FoldNullTests tests(plan);
  for_each_root(plan, [&](LogicalNode& root) { tests.fold(root, {}); });
  rename_outputs(plan, tests.same_counts());
  fold_constants(plan);
  for_each_node(plan, [](LogicalNode& node) {
    for (Expression& conjunct : node.conjuncts) conjunct = only_true(std::move(conjunct));
  });
  fold_constants(plan);
}

void remove_unused_joins(LogicalPlan& plan) {
  bool changed = true;
  while (changed) {
    changed = false;
    const UseCounts uses = uses_of(plan);
    for_each_node(plan, [&](LogicalNode& node) {
      if (node.kind != LogicalKind::kJoin || !is_unused(node, plan, uses)) return;
      LogicalNode left = std::move(node.children[0]);
      node = std::move(left);
      changed = true;
    });
  }
}

void find_semi_joins(LogicalPlan& plan) {
  replace_marks(plan);
  for_each_node(plan, relax_semi_join);
}

}  // namespace saccade
