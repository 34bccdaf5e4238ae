#include "sql/binder/subqueries.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/walk.hpp"
#include "sql/binder/expression_binder.hpp"

namespace saccade {

namespace {

std::vector<ColumnId> made_columns(const LogicalNode& join) {
  std::vector<ColumnId> columns;
  if (join.join_kind == JoinKind::kMark) return {join.mark};
  return output_columns(join.children.back());
}

bool overlap(const std::vector<ColumnId>& a, const std::vector<ColumnId>& b) {
  return std::any_of(a.begin(), a.end(), [&](ColumnId column) { return std::find(b.begin(), b.end(), column) != b.end(); });
}

// The conditions of a conjunction, nested ones too, unbound.
void collect_terms(const nlohmann::json& condition, std::vector<const nlohmann::json*>& terms) {
  const auto [kind, fields] = syntax_node(condition);
  if (kind != "BoolExpr" || text_field(fields, "boolop") != "AND_EXPR") {
    terms.push_back(&condition);
    return;
  }
  for (const nlohmann::json& argument : fields.at("args")) collect_terms(argument, terms);
}

}  // namespace

LogicalNode SubqueryJoins::attach(LogicalNode input) {
  for (LogicalNode& join : joins_) {
    join.children.insert(join.children.begin(), std::move(input));
    input = std::move(join);
  }
  joins_.clear();
  known_.clear();
  return input;
}

void SubqueryJoins::move_to(SubqueryJoins& other, std::vector<ColumnId> columns) {
  std::vector<LogicalNode> moved, kept;
  // From the last on: a join relies on earlier ones only.
  for (auto join = joins_.rbegin(); join != joins_.rend(); ++join) {
    if (!overlap(made_columns(*join), columns)) {
      kept.push_back(std::move(*join));
      continue;
    }
    const std::vector<ColumnId> needed = free_columns(*join);
    columns.insert(columns.end(), needed.begin(), needed.end());
    moved.push_back(std::move(*join));
  }
  std::reverse(kept.begin(), kept.end());
  joins_ = std::move(kept);
  std::move(moved.rbegin(), moved.rend(), std::back_inserter(other.joins_));
}

const Expression* SubqueryJoins::find(const std::string& text) const {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.text == text; });
  return found == known_.end() ? nullptr : &found->value;
}

std::vector<ConditionPart> bind_condition(ExpressionBinder& binder, SubqueryJoins& subqueries, const nlohmann::json& condition,
                                          std::string_view what) {
  std::vector<const nlohmann::json*> terms;
  collect_terms(condition, terms);
  std::vector<ConditionPart> parts;
  for (const nlohmann::json* term : terms) {
    std::vector<Expression> conjuncts = split_conjuncts(binder.bind_condition(*term, terms.size() > 1 ? "AND" : what));
    for (Expression& conjunct : conjuncts) {
      // A term may have become several conjuncts (BETWEEN): its subqueries stand before the first.
      parts.push_back({std::exchange(subqueries, {}), std::move(conjunct)});
    }
  }
  return parts;
}

LogicalNode filter_by(LogicalNode input, std::vector<ConditionPart> parts) {
  std::vector<Expression> conjuncts;
  const auto flush = [&] {
    if (conjuncts.empty()) return;
    LogicalNode filter;
    filter.kind = LogicalKind::kFilter;
    filter.conjuncts = std::exchange(conjuncts, {});
    filter.children.push_back(std::move(input));
    input = std::move(filter);
  };
  for (ConditionPart& part : parts) {
    if (!part.subqueries.empty()) {
      flush();
      input = part.subqueries.attach(std::move(input));
    }
    conjuncts.push_back(std::move(part.conjunct));
  }
  flush();
  return input;
}

std::optional<std::vector<Expression>> plain_conjuncts(std::vector<ConditionPart>& parts) {
  std::vector<Expression> conjuncts;
  for (const ConditionPart& part : parts) {
    if (!part.subqueries.empty()) return std::nullopt;
    conjuncts.push_back(part.conjunct);
  }
  return conjuncts;
}

}  // namespace saccade
