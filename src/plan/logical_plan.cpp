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
      case LogicalKind::kUnion:
        return union_all(node);
      case LogicalKind::kValues:
        return fmt::format("values ({}); {} rows", columns(node.outputs), node.rows);
      case LogicalKind::kRepeat:
        return fmt::format("repeat {} times as {}", to_string(node.expressions.at(0), names_), columns(node.outputs));
      case LogicalKind::kWindow:
        return window(node);
      case LogicalKind::kSort:
        return "sort by " + sort_keys(node);
      case LogicalKind::kLimit:
        return limit(node);
      case LogicalKind::kShared:
        return shared(node);
    }
    return {};
  }

  std::string column(ColumnId id) const { return to_string(column_expression(id, {}), names_); }

  std::string columns(const std::vector<ColumnId>& ids) const {
    std::vector<std::string> texts;
    for (const ColumnId id : ids) texts.push_back(column(id));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string all(const std::vector<Expression>& expressions, const char* separator) const {
    std::vector<std::string> texts;
    for (const Expression& expression : expressions) {
      const bool parentheses = expression.operation == Operation::kOr || expression.operation == Operation::kAnd;
      texts.push_back(fmt::format(fmt::runtime(parentheses ? "({})" : "{}"), to_string(expression, names_)));
    }
    return fmt::format("{}", fmt::join(texts, separator));
  }

  std::string scan(const LogicalNode& node) const {
    const std::string table = node.table ? node.table->name() : "?";
    const std::string alias = node.alias.empty() || node.alias == table ? "" : " as " + node.alias;
    return fmt::format("scan {}{} ({})", table, alias, columns(node.outputs));
  }

  std::string join(const LogicalNode& node) const {
    static constexpr const char* kNames[] = {"", "left ", "full ", "semi ", "anti ", "mark "};
    const std::string conditions = all(node.conjuncts, " and ");
    if (node.join_kind == JoinKind::kInner) return conditions.empty() ? "cross join" : "join " + conditions;
    std::string text =
        fmt::format("{}join {}", kNames[static_cast<int>(node.join_kind)], conditions.empty() ? "all" : conditions);
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

  std::string union_all(const LogicalNode& node) const {
    const auto width = static_cast<std::ptrdiff_t>(node.outputs.size());
    std::string text = fmt::format("union all of {}: {}", node.children.size(), columns(node.outputs));
    if (node.children.size() > 8) return text;
    for (std::size_t c = 0; c < node.children.size(); ++c) {
      const auto first = node.expressions.begin() + static_cast<std::ptrdiff_t>(c) * width;
      text += fmt::format("{}({})", c == 0 ? " = " : ", ", all({first, first + width}, ", "));
    }
    return text;
  }

  std::string window(const LogicalNode& node) const {
    std::vector<std::string> calls;
    for (const WindowCall& call : node.window_calls)
      calls.push_back(fmt::format("{} = {}", column(call.output), to_string(call, names_)));
    const std::string partition = node.expressions.empty() ? "" : " partition by " + all(node.expressions, ", ");
    const std::string order = node.sort_keys.empty() ? "" : " order by " + sort_keys(node);
    return fmt::format("window{}{}: {}", partition, order, fmt::join(calls, ", "));
  }

  std::string sort_keys(const LogicalNode& node) const {
    std::vector<std::string> keys;
    for (const SortKey& key : node.sort_keys) {
      std::string text = to_string(key.expression, names_) + (key.descending ? " desc" : "");
      // PostgreSQL's default: nulls last where ascending, first where descending.
      if (key.nulls_first != key.descending) text += key.nulls_first ? " nulls first" : " nulls last";
      keys.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(keys, ", "));
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

bool is_inner_join(const LogicalNode& node) {
  return node.kind == LogicalKind::kJoin && node.join_kind == JoinKind::kInner;
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
    case LogicalKind::kUnion:
    case LogicalKind::kValues:
      return node.outputs;
    case LogicalKind::kRepeat:
      columns = output_columns(node.children.at(0));
      columns.push_back(node.outputs.at(0));
      return columns;
    case LogicalKind::kWindow:
      columns = output_columns(node.children.at(0));
      for (const WindowCall& call : node.window_calls) columns.push_back(call.output);
      return columns;
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
