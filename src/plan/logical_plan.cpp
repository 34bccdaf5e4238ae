#include "plan/logical_plan.hpp"

#include <fmt/format.h>

#include <utility>

namespace saccade {
namespace {

// Writes nodes as lines; `names` are those of the plan.
class TreePrinter {
 public:
  explicit TreePrinter(const ColumnNames& names) : names_(names) {}

  void print(const LogicalNode& node, int depth) {
    text_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + line(node) + "\n";
    for (const LogicalNode& child : node.children) print(child, depth + 1);
  }

  void print_title(const std::string& title) { text_ += title + "\n"; }

  std::string take() { return std::move(text_); }

 private:
  std::string line(const LogicalNode& node) const {
    switch (node.kind) {
      case LogicalKind::kOneRow:
        return "one row";
      case LogicalKind::kScan:
        return scan(node);
      case LogicalKind::kFilter:
        return "filter " + all(node.conjuncts, " and ");
      case LogicalKind::kProject:
        return "project " + project(node);
      case LogicalKind::kJoin:
        return join(node);
      case LogicalKind::kAggregate:
        return aggregate(node);
      case LogicalKind::kSort:
        return sort(node);
      case LogicalKind::kLimit:
        return limit(node);
      case LogicalKind::kShared:
        return shared(node);
    }
    return {};
  }

  std::string column(ColumnId id) const { return to_string(column_expression(id, {}), names_); }

  std::string all(const std::vector<Expression>& expressions, const char* separator) const {
    std::vector<std::string> texts;
    for (const Expression& expression : expressions) {
      const bool parentheses = expression.operation == Operation::kOr || expression.operation == Operation::kAnd;
      texts.push_back(fmt::format(fmt::runtime(parentheses ? "({})" : "{}"), to_string(expression, names_)));
    }
    return fmt::format("{}", fmt::join(texts, separator));
  }

  std::string scan(const LogicalNode& node) const {
    std::vector<std::string> columns;
    for (const ColumnId id : node.outputs) columns.push_back(column(id));
    const std::string table = node.table ? node.table->name() : "?";
    const std::string alias = node.alias.empty() || node.alias == table ? "" : " as " + node.alias;
    return fmt::format("scan {}{} ({})", table, alias, fmt::join(columns, ", "));
  }

  std::string join(const LogicalNode& node) const {
    static constexpr const char* kNames[] = {"", "left ", "full ", "semi ", "anti ", "mark "};
    const std::string conditions = all(node.conjuncts, " and ");
    if (node.join_kind == JoinKind::kInner) return conditions.empty() ? "cross join" : "join " + conditions;
    std::string text = fmt::format("{}join {}", kNames[static_cast<int>(node.join_kind)], conditions.empty() ? "all" : conditions);
    if (node.join_kind == JoinKind::kMark) text += " as " + column(node.mark);
    return text;
  }

  // "x" for a column that only keeps its name, "revenue = sum * 2" for others.
  std::string named(ColumnId output, const Expression& expression) const {
    const std::string text = to_string(expression, names_);
    const std::string name = column(output);
    return text == name ? name : fmt::format("{} = {}", name, text);
  }

  std::string project(const LogicalNode& node) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < node.expressions.size(); ++i) texts.push_back(named(node.outputs[i], node.expressions[i]));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string aggregate(const LogicalNode& node) const {
    std::vector<std::string> calls;
    for (const AggregateCall& call : node.aggregates) {
      const std::string text = to_string(call, names_), name = column(call.output);
      calls.push_back(text == name ? name : fmt::format("{} = {}", name, text));
    }
    const std::string keys = node.expressions.empty() ? "" : " by " + project(node);
    return fmt::format("aggregate{}{}{}", keys, calls.empty() ? "" : ": ", fmt::join(calls, ", "));
  }

  std::string sort(const LogicalNode& node) const {
    std::vector<std::string> keys;
    for (const SortKey& key : node.sort_keys) {
      std::string text = to_string(key.expression, names_) + (key.descending ? " desc" : "");
      // PostgreSQL's default: nulls last where ascending, first where descending.
      if (key.nulls_first != key.descending) text += key.nulls_first ? " nulls first" : " nulls last";
      keys.push_back(std::move(text));
    }
    return fmt::format("sort by {}", fmt::join(keys, ", "));
  }

  std::string shared(const LogicalNode& node) const {
    std::vector<std::string> columns;
    for (const ColumnId id : node.outputs) columns.push_back(column(id));
    return fmt::format("read shared {} ({})", node.shared, fmt::join(columns, ", "));
  }

  static std::string limit(const LogicalNode& node) {
    std::string text = node.limit ? fmt::format("limit {}", *node.limit) : "limit all";
    if (node.offset != 0) text += fmt::format(" offset {}", node.offset);
    return text;
  }

  const ColumnNames& names_;
  std::string text_;
};

}  // namespace

ColumnId LogicalPlan::add_column(std::string name, DataType type) {
  names.push_back(std::move(name));
  types.push_back(type);
  return static_cast<ColumnId>(names.size() - 1);
}

bool shows_right(JoinKind kind) {
  return kind == JoinKind::kInner || kind == JoinKind::kLeft || kind == JoinKind::kFull;
}

std::vector<ColumnId> output_columns(const LogicalNode& node) {
  std::vector<ColumnId> columns;
  switch (node.kind) {
    case LogicalKind::kOneRow:
      return {};
    case LogicalKind::kScan:
    case LogicalKind::kProject:
    case LogicalKind::kShared:
      return node.outputs;
    case LogicalKind::kAggregate:
      columns = node.outputs;
      for (const AggregateCall& call : node.aggregates) columns.push_back(call.output);
      return columns;
    case LogicalKind::kFilter:
    case LogicalKind::kSort:
    case LogicalKind::kLimit:
      return output_columns(node.children.at(0));
    case LogicalKind::kJoin:
      columns = output_columns(node.children.at(0));
      if (shows_right(node.join_kind)) {
        for (const ColumnId id : output_columns(node.children.at(1))) columns.push_back(id);
      }
      if (node.join_kind == JoinKind::kMark) columns.push_back(node.mark);
      return columns;
  }
  return {};
}

std::string to_string(const LogicalPlan& plan) {
  TreePrinter printer(plan.names);
  for (std::size_t i = 0; i < plan.shared.size(); ++i) {
    printer.print_title(fmt::format("shared {}{}{}:", i, plan.shared[i].name.empty() ? "" : " ", plan.shared[i].name));
    printer.print(plan.shared[i].root, 1);
  }
  printer.print(plan.root, 0);
  return printer.take();
}

}  // namespace saccade
