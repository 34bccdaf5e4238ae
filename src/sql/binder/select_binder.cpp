#include "sql/binder/select_binder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/from_clause.hpp"
#include "sql/binder/grouping.hpp"
#include "sql/binder/limit_clause.hpp"
#include "sql/binder/set_operations.hpp"
#include "sql/binder/subqueries.hpp"
#include "sql/binder/type_rules.hpp"
#include "sql/binder/window_clause.hpp"

namespace saccade {

namespace {

// An output of the select list, or a sort expression that is none of them.
struct Target {
  Expression expression;
  std::string name;
};

struct SortItem {
  std::size_t target = 0;
  SortKey direction;  // without its expression
};

LogicalNode over(LogicalKind kind, LogicalNode child) {
  LogicalNode node;
  node.kind = kind;
  node.children.push_back(std::move(child));
  return node;
}

bool is_constant(const SyntaxNode& node) {
  return node.kind == "A_Const";
}

class SelectBinder {
 public:
  // `branch`: of a set operation, which decides the type of untyped constants.
  SelectBinder(BindingContext& context, const nlohmann::json& select, const Scope* outer, bool branch)
      : context_(context),
        select_(select),
        outer_(outer),
        branch_(branch),
        keeps_untyped_(branch && !select.contains("distinctClause")) {
    from_.scope = Scope(outer);
  }

  BoundQuery bind() {
    check_supported();
    const CommonTables common(context_, select_, outer_);
    if (has("fromClause")) from_ = bind_from(context_, select_.at("fromClause"), outer_);
    LogicalNode node = std::move(from_.node);
    if (has("whereClause")) {
      SubqueryJoins subqueries;
      ExpressionBinder binder(context_, from_.scope, "WHERE", nullptr, &subqueries);
      node = filter_by(std::move(node), bind_condition(binder, subqueries, select_.at("whereClause"), "WHERE"));
    }
    const std::size_t known_grouping_calls = context_.grouping_calls.size();
    bind_targets();
    visible_ = targets_.size();
    bind_group_by();
    std::vector<ConditionPart> having;
    if (has("havingClause")) {
      SubqueryJoins subqueries;
      ExpressionBinder binder(context_, from_.scope, "HAVING", &grouping_.aggregates, &subqueries, &input_subqueries_);
      having = bind_condition(binder, subqueries, select_.at("havingClause"), "HAVING");
    }
    bind_distinct_on();
    bind_order_by();
    check_distinct_on();
    // Subqueries of aggregates' arguments and group keys stand before the groups, the others after them.
    node = input_subqueries_.attach(std::move(node));
    const bool asks_for_groups = context_.grouping_calls.size() > known_grouping_calls;
    const bool grouped = has("groupClause") || has("havingClause") || !grouping_.aggregates.empty() || asks_for_groups;
    if (grouped) node = group(std::move(node), std::move(having));
    if (grouped) windows_.rewrite(grouping_);
    node = project(windows_.attach(subqueries_.attach(std::move(node))));
    if (!distinct_on_.empty()) {
      node = first_rows(std::move(node));
    } else if (has("distinctClause")) {
      node = remove_duplicates(std::move(node));
    }
    return {limit_rows(context_, select_, sort(std::move(node))), std::move(result_)};
  }

 private:
  bool has(const char* field) const { return select_.contains(field); }

  ExpressionBinder output_binder(std::string_view clause) {
    return {context_, from_.scope, clause, &grouping_.aggregates, &subqueries_, &input_subqueries_, &windows_};
  }

  void check_supported() const {
    constexpr std::array<std::pair<const char*, std::string_view>, 2> kClauses = {{
        {"intoClause", "SELECT INTO (write CREATE TABLE name AS SELECT ...)"},
        {"lockingClause", "FOR UPDATE or FOR SHARE"},
    }};
    for (const auto& [field, what] : kClauses) {
      if (has(field)) context_.unsupported(what, has_structure(field) ? context_.position(select_.at(field)) : 0);
    }
    const bool no_columns = !has("targetList") && (context_.depth == 1 || has("distinctClause") || branch_);
    if (no_columns) context_.unsupported("a SELECT without columns", context_.tree.start());
  }

  bool has_structure(const char* field) const { return select_.at(field).is_structured(); }

  // PostgreSQL stops at 1,664; files may have more columns than that.
  static constexpr std::size_t kMaxTargets = 20'000;

  void bind_targets() {
    if (!has("targetList")) return;  // EXISTS (SELECT FROM t)
    ExpressionBinder binder = output_binder("SELECT");
    for (const nlohmann::json& item : select_.at("targetList")) {
      const nlohmann::json& fields = syntax_node(item).fields;
      const nlohmann::json& value = fields.at("val");
      const auto [kind, column] = syntax_node(value);
      if (targets_.size() >= kMaxTargets) {
        throw Error("54011", fmt::format("a select list can have at most {} entries", kMaxTargets), context_.position(value),
                    "Put long lists of values into rows: VALUES (1), (2).");
      }
      std::vector<std::string> names;
      if (kind == "ColumnRef") names = string_list(column, "fields");
      if (!names.empty() && names.back() == "*") {
        expand_star(names, context_.position(column));
        continue;
      }
      const std::string alias = text_field(fields, "name");
      Expression bound = keeps_untyped_ ? binder.bind(value) : binder.bind_value(value);
      targets_.push_back({std::move(bound), alias.empty() ? result_name(value) : alias});
    }
  }

  void expand_star(const std::vector<std::string>& names, int position) {
    if (!has("fromClause")) {
      throw Error(sqlstate::kSyntaxError, "SELECT * with no tables specified is not valid", position, "Add FROM.");
    }
    if (names.size() > 2) context_.unsupported("a column's name with a schema", position);
    for (const ScopeColumn& column : from_.scope.star(names.size() == 2 ? names[0] : std::string(), position)) {
      if (column.type.kind == TypeKind::kUnknown) {
        context_.unsupported(fmt::format("the type of column \"{}\"", column.name), position);
      }
      Expression expression = column.reference(position);
      targets_.push_back({std::move(expression), column.name});
    }
  }

  // The select list's output that a position or, where `by_name`, a lone name in GROUP BY or ORDER BY stands for.
  std::optional<std::size_t> find_target(const SyntaxNode& node, bool by_name, std::string_view clause) const {
    const int position = context_.position(node.fields);
    if (is_constant(node)) {
      if (!node.fields.contains("ival")) {
        throw Error(sqlstate::kSyntaxError, fmt::format("non-integer constant in {}", clause), position,
                    "Give a column, an expression or a position in the select list.");
      }
      const std::int64_t number = context_.tree.integer(node.fields);
      if (number < 1 || number > static_cast<std::int64_t>(visible_)) {
        throw Error(sqlstate::kInvalidColumnReference, fmt::format("{} position {} is not in select list", clause, number),
                    position, fmt::format("The select list has {} columns.", visible_));
      }
      return static_cast<std::size_t>(number - 1);
    }
    if (!by_name || node.kind != "ColumnRef") return std::nullopt;
    const std::vector<std::string> names = string_list(node.fields, "fields");
    if (names.size() != 1) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < visible_; ++i) {
      if (targets_[i].name != names[0]) continue;
      if (found && !(targets_[*found].expression == targets_[i].expression)) {
        throw Error(sqlstate::kAmbiguousColumn, fmt::format("{} \"{}\" is ambiguous", clause, names[0]), position,
                    "Several columns of the select list have this name: give the position instead.");
      }
      if (!found) found = i;
    }
    return found;
  }

  void bind_group_by() {
    if (!has("groupClause")) return;
    ExpressionBinder binder(context_, from_.scope, "GROUP BY", nullptr, &subqueries_);
    const auto bind_key = [&](const nlohmann::json& item) {
      const SyntaxNode node = syntax_node(item);
      const int position = context_.position(node.fields);
      // A name is the input's column first and the select list's second; in ORDER BY it is the other way round.
      const bool names_input = node.kind == "ColumnRef" && from_.scope.has_column(string_list(node.fields, "fields")[0]);
      const std::optional<std::size_t> target = find_target(node, !names_input, "GROUP BY");
      Expression key = target ? targets_[*target].expression : binder.bind_value(item);
      grouping_.check_no_aggregate(key, "GROUP BY", position);
      check_no_window(key, "GROUP BY", position);
      const std::string name = key.operation == Operation::kColumn ? context_.plan.names[static_cast<std::size_t>(key.column)]
                               : target                            ? targets_[*target].name
                                                                   : to_string(key, context_.plan.names);
      subqueries_.move_to(input_subqueries_, columns_of(key));
      return grouping_.add_key(std::move(key), name);
    };
    std::vector<GroupingSet> sets = grouping_sets(context_, select_.at("groupClause"), bind_key);
    if (flag_field(select_, "groupDistinct")) {
      std::sort(sets.begin(), sets.end());
      sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    }
    grouping_.set_sets(std::move(sets));
    for (const LogicalNode& join : input_subqueries_.joins()) grouping_.add_input(join);
  }

  void bind_order_by() {
    if (!has("sortClause")) return;
    ExpressionBinder binder = output_binder("ORDER BY");
    for (const nlohmann::json& item : select_.at("sortClause")) {
      const nlohmann::json& fields = syntax_node(item).fields;
      SortItem sort;
      set_direction(context_, fields, sort.direction);
      sort.target = sort_target(fields.at("node"), binder);
      sort_.push_back(sort);
    }
  }

  // DISTINCT ON: bound before ORDER BY, which has to start with its expressions.
  void bind_distinct_on() {
    if (!has("distinctClause") || syntax_node(select_.at("distinctClause").at(0)).kind.empty()) return;
    ExpressionBinder binder = output_binder("DISTINCT ON");
    for (const nlohmann::json& item : select_.at("distinctClause")) {
      const SyntaxNode node = syntax_node(item);
      const auto target = find_target(node, true, "DISTINCT ON");
      distinct_on_.push_back(target ? *target : hidden_target(binder.bind_value(item)));
    }
  }

  void check_distinct_on() const {
    std::vector<std::size_t> left = distinct_on_;
    for (const SortItem& item : sort_) {
      if (left.empty()) return;
      const bool wanted = std::find(distinct_on_.begin(), distinct_on_.end(), item.target) != distinct_on_.end();
      if (!wanted) {
        throw Error(sqlstate::kInvalidColumnReference, "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
                    context_.position(select_.at("distinctClause")));
      }
      std::erase(left, item.target);
    }
  }

  void check_no_window(const Expression& expression, std::string_view clause, int position) const {
    for (const ColumnId column : columns_of(expression)) {
      if (windows_.makes(column)) throw Error("42P20", fmt::format("window functions are not allowed in {}", clause), position);
    }
  }

  // The place of an expression among the targets; a new one behind them where it is none of them.
  std::size_t hidden_target(Expression expression) {
    const auto same =
        std::find_if(targets_.begin(), targets_.end(), [&](const Target& target) { return target.expression == expression; });
    if (same != targets_.end()) return static_cast<std::size_t>(same - targets_.begin());
    std::string name = to_string(expression, context_.plan.names);
    targets_.push_back({std::move(expression), std::move(name)});
    return targets_.size() - 1;
  }

  std::size_t sort_target(const nlohmann::json& item, ExpressionBinder& binder) {
    const SyntaxNode node = syntax_node(item);
    if (const auto target = find_target(node, true, "ORDER BY")) return *target;
    Expression expression = binder.bind_value(item);
    const std::size_t known = targets_.size();
    const std::size_t target = hidden_target(std::move(expression));
    if (target == known && has("distinctClause") && distinct_on_.empty()) {
      throw Error(sqlstate::kInvalidColumnReference, "for SELECT DISTINCT, ORDER BY expressions must appear in select list",
                  context_.position(node.fields));
    }
    return target;
  }

  LogicalNode group(LogicalNode node, std::vector<ConditionPart> having) {
    // (Results of window functions are no columns of the input: they stay.)
    for (Target& target : targets_) target.expression = grouping_.rewrite(std::move(target.expression));
    for (LogicalNode& join : subqueries_.joins()) grouping_.rewrite_subquery(join);
    for (ConditionPart& part : having) {
      for (LogicalNode& join : part.subqueries.joins()) grouping_.rewrite_subquery(join);
      part.conjunct = grouping_.rewrite(std::move(part.conjunct));
    }
    return filter_by(grouping_.aggregate_node(std::move(node)), std::move(having));
  }

  LogicalNode project(LogicalNode node) {
    node = over(LogicalKind::kProject, std::move(node));
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const DataType type = targets_[i].expression.type;
      const ColumnId output = context_.add_column(targets_[i].name, type);
      node.expressions.push_back(std::move(targets_[i].expression));
      node.outputs.push_back(output);
      outputs_.push_back(output);
      if (i < visible_) result_.push_back({output, targets_[i].name, type});
    }
    return node;
  }

  // DISTINCT: the select list is grouped by itself.
  LogicalNode remove_duplicates(LogicalNode node) {
    node = over(LogicalKind::kAggregate, std::move(node));
    for (std::size_t i = 0; i < visible_; ++i) {
      ResultColumn& result = result_[i];
      node.expressions.push_back(column_expression(outputs_[i], result.type));
      outputs_[i] = context_.add_column(result.name, result.type);
      node.outputs.push_back(outputs_[i]);
      result.column = outputs_[i];
    }
    return node;
  }

  Expression output(std::size_t target) const {
    const ColumnId column = outputs_[target];
    return column_expression(column, context_.plan.types[static_cast<std::size_t>(column)]);
  }

  std::vector<SortKey> sort_keys() const {
    std::vector<SortKey> keys;
    for (const SortItem& item : sort_) {
      keys.push_back(item.direction);
      keys.back().expression = output(item.target);
    }
    return keys;
  }

  LogicalNode sort(LogicalNode node) const {
    if (sort_.empty()) return node;
    node = over(LogicalKind::kSort, std::move(node));
    node.sort_keys = sort_keys();
    return node;
  }

  // DISTINCT ON: the first row, in the query's order, of those that are equal in these expressions.
  LogicalNode first_rows(LogicalNode node) {
    node = over(LogicalKind::kWindow, std::move(node));
    for (const std::size_t target : distinct_on_) node.expressions.push_back(output(target));
    node.sort_keys = sort_keys();
    const ColumnId number = add_row_number(context_, node, WindowKind::kRowNumber);
    node = over(LogicalKind::kFilter, std::move(node));
    node.conjuncts.push_back(compare_count(Operation::kEqual, number, 1));
    return node;
  }

  BindingContext& context_;
  const nlohmann::json& select_;
  const Scope* outer_;
  FromClause from_;
  Grouping grouping_{context_, from_.scope};
  std::vector<Target> targets_;
  std::size_t visible_ = 0;  // targets of the select list; sort expressions follow
  std::vector<ColumnId> outputs_;
  std::vector<SortItem> sort_;
  std::vector<std::size_t> distinct_on_;  // targets
  WindowClause windows_{context_, select_};
  bool branch_, keeps_untyped_;
  SubqueryJoins input_subqueries_, subqueries_;
  std::vector<ResultColumn> result_;
};

// Queries nest on the stack, in the binder and in all that walks plans.
constexpr int kMaxQueryDepth = 100;

BoundQuery bind_any(BindingContext& context, const nlohmann::json& select, const Scope* outer, bool branch) {
  if (context.depth >= kMaxQueryDepth) {
    throw Error(sqlstate::kStatementTooComplex, "queries are nested more than 100 deep", context.position(select));
  }
  ++context.depth;
  BoundQuery query = text_field(select, "op") != "SETOP_NONE" ? bind_set_operation(context, select, outer)
                     : select.contains("valuesLists")         ? bind_values(context, select, outer)
                                                              : SelectBinder(context, select, outer, branch).bind();
  --context.depth;
  return query;
}

}  // namespace

BoundQuery bind_query(BindingContext& context, const nlohmann::json& select, const Scope* outer) {
  return bind_any(context, select, outer, false);
}

BoundQuery bind_branch(BindingContext& context, const nlohmann::json& select, const Scope* outer) {
  return bind_any(context, select, outer, true);
}

void bind_select(BindingContext& context, const nlohmann::json& select) {
  BoundQuery query = bind_query(context, select, nullptr);
  context.plan.root = std::move(query.node);
  context.plan.result = std::move(query.columns);
  finish_plan(context);
}

}  // namespace saccade
