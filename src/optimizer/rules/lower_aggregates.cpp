#include <algorithm>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

const DataType kBooleanType{TypeKind::kBoolean};
const DataType kBigintType{TypeKind::kBigint};

// `value` where `condition` is true, else NULL.
Expression only_where(Expression condition, Expression value) {
  const DataType type = value.type;
  return call_expression(Operation::kCase, type,
                         {std::move(condition), std::move(value), literal_expression(Value::null(type))});
}

// The call over the rows for which the condition is true: aggregates pass over NULL.
void restrict_to(AggregateCall& call, Expression condition) {
  if (call.kind == AggregateKind::kCountStar) {
    call.kind = AggregateKind::kCount;
    call.arguments = {literal_expression({{TypeKind::kInteger}, int128{1}})};
  }
  call.arguments.at(0) = only_where(std::move(condition), std::move(call.arguments[0]));
}

void lower_filter(AggregateCall& call) {
  if (!call.filter) return;
  restrict_to(call, std::move(*call.filter));
  call.filter.reset();
}

// The same with and without repeated values.
bool ignores_repeats(AggregateKind kind) {
  return kind == AggregateKind::kMin || kind == AggregateKind::kMax || kind == AggregateKind::kBoolAnd ||
         kind == AggregateKind::kBoolOr || kind == AggregateKind::kAnyValue;
}

bool is_count(AggregateKind kind) {
  return kind == AggregateKind::kCountStar || kind == AggregateKind::kCount;
}

// Takes DISTINCT out of an aggregation: rows are grouped by the keys and the distinct argument first, then by the keys. Where
// several arguments are distinct, or others are not, each row is repeated once for each of them, and the copies are grouped
// apart; so the work grows with the number of arguments and no faster.
class ExpandDistinct {
 public:
  ExpandDistinct(LogicalPlan& plan, LogicalNode& node) : plan_(plan), node_(node) {}

  void expand() {
    for (AggregateCall& call : node_.aggregates) call.distinct &= !ignores_repeats(call.kind);
    for (const AggregateCall& call : node_.aggregates) {
      const bool known = !call.distinct || set_of(call) < sets_.size();
      if (!known) sets_.push_back(call.arguments.at(0));
      plain_ |= !call.distinct;
    }
    if (sets_.empty()) return;
    if (plain_ || sets_.size() > 1) repeat();
    LogicalNode inner = group_by_sets();
    group_again(std::move(inner));
  }

 private:
  std::size_t set_of(const AggregateCall& call) const {
    return static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), call.arguments.at(0)) - sets_.begin());
  }

  bool repeats() const { return copy_ >= 0; }

  void repeat() {
    const auto copies = static_cast<int128>(sets_.size() + (plain_ ? 1 : 0));
    copy_ = plan_.add_column("copy", kBigintType);
    LogicalNode repeat;
    repeat.kind = LogicalKind::kRepeat;
    repeat.expressions = {literal_expression({kBigintType, copies})};
    repeat.outputs = {copy_};
    repeat.children = std::move(node_.children);
    node_.children = {};
    node_.children.push_back(std::move(repeat));
  }

  // Copy s is that of set s; the last one is that of the calls that are not distinct.
  Expression is_copy(std::size_t number) const {
    return call_expression(
        Operation::kEqual, kBooleanType,
        {column_expression(copy_, kBigintType), literal_expression({kBigintType, static_cast<int128>(number)})});
  }

  ColumnId add_key(LogicalNode& inner, Expression key, const std::string& name) {
    const ColumnId column = plan_.add_column(name, key.type);
    inner.expressions.push_back(std::move(key));
    inner.outputs.push_back(column);
    return column;
  }

  LogicalNode group_by_sets() {
    LogicalNode inner;
    inner.kind = LogicalKind::kAggregate;
    inner.children = std::move(node_.children);
    node_.children = {};
    for (std::size_t k = 0; k < node_.expressions.size(); ++k) {
      const DataType type = node_.expressions[k].type;
      const std::string name = plan_.names[static_cast<std::size_t>(node_.outputs[k])];
      node_.expressions[k] = column_expression(add_key(inner, std::move(node_.expressions[k]), name), type);
    }
    if (repeats()) add_key(inner, column_expression(copy_, kBigintType), "copy");
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      const std::string name = to_string(sets_[s], plan_.names);
      Expression value = repeats() ? only_where(is_copy(s), sets_[s]) : sets_[s];
      set_columns_.push_back(add_key(inner, std::move(value), name));
    }
    for (AggregateCall& call : node_.aggregates) {
      if (call.distinct) continue;
      AggregateCall partial = call;
      restrict_to(partial, is_copy(sets_.size()));
      partial.output = plan_.add_column(plan_.names[static_cast<std::size_t>(call.output)], call.type);
      call.arguments = {column_expression(partial.output, call.type)};
      inner.aggregates.push_back(std::move(partial));
    }
    return inner;
  }

  // A call that is not distinct has its value in the one group of its copy, and NULL or 0 in the others.
  void group_again(LogicalNode inner) {
    LogicalNode results;
    results.kind = LogicalKind::kProject;
    bool replaced = false;
    for (AggregateCall& call : node_.aggregates) {
      Expression result = column_expression(call.output, call.type);
      results.outputs.push_back(call.output);
      if (call.distinct) {
        const std::size_t set = set_of(call);
        call.arguments = {column_expression(set_columns_[set], sets_[set].type)};
        call.distinct = false;
      } else if (is_count(call.kind) && node_.expressions.empty()) {
        call.kind = AggregateKind::kMax;
        call.output = plan_.add_column(plan_.names[static_cast<std::size_t>(call.output)], call.type);
        result = call_expression(Operation::kCoalesce, call.type,
                                 {column_expression(call.output, call.type), literal_expression({call.type, int128{0}})});
        replaced = true;
      } else {
        call.kind = is_count(call.kind) ? AggregateKind::kMax : AggregateKind::kAnyValue;
      }
      results.expressions.push_back(std::move(result));
    }
    node_.children.push_back(std::move(inner));
    if (!replaced) return;
    results.children.push_back(std::move(node_));
    node_ = std::move(results);
  }

  LogicalPlan& plan_;
  LogicalNode& node_;
  std::vector<Expression> sets_;
  std::vector<ColumnId> set_columns_;
  bool plain_ = false;
  ColumnId copy_ = -1;
};

}  // namespace

void lower_aggregates(LogicalPlan& plan) {
  for_each_node(plan, [&](LogicalNode& node) {
    for (AggregateCall& call : node.aggregates) lower_filter(call);
    for (WindowCall& call : node.window_calls) {
      if (call.aggregate) lower_filter(*call.aggregate);
    }
    if (node.kind == LogicalKind::kAggregate) ExpandDistinct(plan, node).expand();
  });
}

}  // namespace saccade
