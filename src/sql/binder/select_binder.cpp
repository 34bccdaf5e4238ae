#include "sql/binder/select_binder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/from_clause.hpp"
#include "sql/binder/grouping.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/subqueries.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

// An output of the select list, or a sort expression that is none of them.
struct Target {
  Expression expression;
  std::string name;
};

struct SortItem {
  std::size_t target = 0;
  bool descending = false;
  bool nulls_first = false;
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
  SelectBinder(BindingContext& context, const nlohmann::json& select, const Scope* outer)
      : context_(context), select_(select), outer_(outer) {
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
    bind_targets();
    visible_ = targets_.size();
    bind_group_by();
    std::vector<ConditionPart> having;
    if (has("havingClause")) {
      SubqueryJoins subqueries;
      ExpressionBinder binder(context_, from_.scope, "HAVING", &grouping_.aggregates, &subqueries, &input_subqueries_);
      having = bind_condition(binder, subqueries, select_.at("havingClause"), "HAVING");
    }
    bind_order_by();
    // Subqueries of aggregates' arguments and group keys stand before the groups, the others after them.
    node = input_subqueries_.attach(std::move(node));
    const bool grouped = has("groupClause") || has("havingClause") || !grouping_.aggregates.empty();
    if (grouped) node = group(std::move(node), std::move(having));
    node = project(subqueries_.attach(std::move(node)));
    if (has("distinctClause")) node = remove_duplicates(std::move(node));
    return {limit(sort(std::move(node))), std::move(result_)};
  }

 private:
  bool has(const char* field) const { return select_.contains(field); }

  ExpressionBinder output_binder(std::string_view clause) {
    return {context_, from_.scope, clause, &grouping_.aggregates, &subqueries_, &input_subqueries_};
  }

  void check_supported() const {
    constexpr std::array<std::pair<const char*, std::string_view>, 5> kClauses = {{
        {"valuesLists", "VALUES"},
        {"intoClause", "SELECT INTO (write CREATE TABLE name AS SELECT ...)"},
        {"windowClause", "WINDOW"},
        {"lockingClause", "FOR UPDATE or FOR SHARE"},
        {"groupDistinct", "GROUP BY DISTINCT"},
    }};
    const std::string operation = text_field(select_, "op");
    if (operation != "SETOP_NONE") {
      const std::string name = operation == "SETOP_UNION" ? "UNION" : operation == "SETOP_INTERSECT" ? "INTERSECT" : "EXCEPT";
      context_.unsupported(name, context_.position(select_.at("rarg")));
    }
    for (const auto& [field, what] : kClauses) {
      if (has(field)) context_.unsupported(what, has_structure(field) ? context_.position(select_.at(field)) : 0);
    }
    if (has("distinctClause") && !syntax_node(select_.at("distinctClause").at(0)).kind.empty()) {
      context_.unsupported("DISTINCT ON", context_.position(select_.at("distinctClause")));
    }
    const bool no_columns = !has("targetList") && (context_.depth == 1 || has("distinctClause"));
    if (no_columns) context_.unsupported("a SELECT without columns", context_.tree.start());
    if (text_field(select_, "limitOption") == "LIMIT_OPTION_WITH_TIES") {
      context_.unsupported("WITH TIES", context_.position(select_.at("limitCount")));
    }
  }

  bool has_structure(const char* field) const { return select_.at(field).is_structured(); }

  void bind_targets() {
    if (!has("targetList")) return;  // EXISTS (SELECT FROM t)
    ExpressionBinder binder = output_binder("SELECT");
    for (const nlohmann::json& item : select_.at("targetList")) {
      const nlohmann::json& fields = syntax_node(item).fields;
      const nlohmann::json& value = fields.at("val");
      const auto [kind, column] = syntax_node(value);
      std::vector<std::string> names;
      if (kind == "ColumnRef") names = string_list(column, "fields");
      if (!names.empty() && names.back() == "*") {
        expand_star(names, context_.position(column));
        continue;
      }
      const std::string alias = text_field(fields, "name");
      targets_.push_back({binder.bind_value(value), alias.empty() ? result_name(value) : alias});
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
    for (const nlohmann::json& item : select_.at("groupClause")) {
      const SyntaxNode node = syntax_node(item);
      const int position = context_.position(node.fields);
      if (node.kind == "GroupingSet") context_.unsupported("GROUPING SETS, ROLLUP, CUBE or GROUP BY ()", position);
      // A name is the input's column first and the select list's second; in ORDER BY it is the other way round.
      const bool names_input = node.kind == "ColumnRef" && from_.scope.has_column(string_list(node.fields, "fields")[0]);
      const std::optional<std::size_t> target = find_target(node, !names_input, "GROUP BY");
      Expression key = target ? targets_[*target].expression : binder.bind_value(item);
      grouping_.check_no_aggregate(key, "GROUP BY", position);
      const std::string name = key.operation == Operation::kColumn ? context_.plan.names[static_cast<std::size_t>(key.column)]
                               : target                            ? targets_[*target].name
                                                                   : to_string(key, context_.plan.names);
      subqueries_.move_to(input_subqueries_, columns_of(key));
      grouping_.add_key(std::move(key), name);
    }
    for (const LogicalNode& join : input_subqueries_.joins()) grouping_.add_input(join);
  }

  void bind_order_by() {
    if (!has("sortClause")) return;
    ExpressionBinder binder = output_binder("ORDER BY");
    for (const nlohmann::json& item : select_.at("sortClause")) {
      const nlohmann::json& fields = syntax_node(item).fields;
      const std::string direction = text_field(fields, "sortby_dir");
      const std::string nulls = text_field(fields, "sortby_nulls");
      if (direction == "SORTBY_USING") context_.unsupported("ORDER BY ... USING", context_.position(fields));
      SortItem sort;
      sort.descending = direction == "SORTBY_DESC";
      sort.nulls_first = nulls == "SORTBY_NULLS_FIRST" || (nulls == "SORTBY_NULLS_DEFAULT" && sort.descending);
      sort.target = sort_target(fields.at("node"), binder);
      sort_.push_back(sort);
    }
  }

  std::size_t sort_target(const nlohmann::json& item, ExpressionBinder& binder) {
    const SyntaxNode node = syntax_node(item);
    if (const auto target = find_target(node, true, "ORDER BY")) return *target;
    Expression expression = binder.bind_value(item);
    const auto same =
        std::find_if(targets_.begin(), targets_.end(), [&](const Target& target) { return target.expression == expression; });
    if (same != targets_.end()) return static_cast<std::size_t>(same - targets_.begin());
    if (has("distinctClause")) {
      throw Error(sqlstate::kInvalidColumnReference, "for SELECT DISTINCT, ORDER BY expressions must appear in select list",
                  context_.position(node.fields));
    }
    std::string name = to_string(expression, context_.plan.names);
    targets_.push_back({std::move(expression), std::move(name)});
    return targets_.size() - 1;
  }

  LogicalNode group(LogicalNode node, std::vector<ConditionPart> having) {
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

  LogicalNode sort(LogicalNode node) const {
    if (sort_.empty()) return node;
    node = over(LogicalKind::kSort, std::move(node));
    for (const SortItem& item : sort_) {
      const ColumnId column = outputs_[item.target];
      const DataType type = context_.plan.types[static_cast<std::size_t>(column)];
      node.sort_keys.push_back({column_expression(column, type), item.descending, item.nulls_first});
    }
    return node;
  }

  // The value of LIMIT or OFFSET; nothing for ALL and NULL.
  std::optional<std::int64_t> row_count(const char* field, std::string_view clause, std::string_view state) const {
    if (!has(field)) return std::nullopt;
    const SyntaxNode node = syntax_node(select_.at(field));
    const int position = context_.position(node.fields);
    if (is_constant(node) && flag_field(node.fields, "isnull")) return std::nullopt;
    Value value = Value::null();
    if (node.kind == "ParamRef") {
      value = coerce(context_.parameter(node.fields.value("number", 0), position), {TypeKind::kBigint}).literal;
      if (value.is_null()) return std::nullopt;
    }
    if (is_constant(node) && node.fields.contains("ival"))
      value = {{TypeKind::kBigint}, int128{context_.tree.integer(node.fields)}};
    if (is_constant(node) && node.fields.contains("fval")) {
      value = number_literal(text_field(node.fields.at("fval"), "fval"), position);
    }
    if (!value.type.is_integer()) context_.unsupported(fmt::format("{} by anything but a whole number", clause), position);
    const auto count = static_cast<std::int64_t>(std::get<int128>(value.data));
    if (count < 0) throw Error(state, fmt::format("{} must not be negative", clause), position);
    return count;
  }

  LogicalNode limit(LogicalNode node) const {
    const std::optional<std::int64_t> limit = row_count("limitCount", "LIMIT", "2201W");
    const std::int64_t offset = row_count("limitOffset", "OFFSET", "2201X").value_or(0);
    if (!limit && offset == 0) return node;
    node = over(LogicalKind::kLimit, std::move(node));
    node.limit = limit;
    node.offset = offset;
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
  SubqueryJoins input_subqueries_, subqueries_;
  std::vector<ResultColumn> result_;
};

// Queries nest on the stack, in the binder and in all that walks plans.
constexpr int kMaxQueryDepth = 100;

}  // namespace

BoundQuery bind_query(BindingContext& context, const nlohmann::json& select, const Scope* outer) {
  if (context.depth >= kMaxQueryDepth) {
    throw Error(sqlstate::kStatementTooComplex, "queries are nested more than 100 deep", context.position(select));
  }
  ++context.depth;
  BoundQuery query = SelectBinder(context, select, outer).bind();
  --context.depth;
  return query;
}

void bind_select(BindingContext& context, const nlohmann::json& select) {
  BoundQuery query = bind_query(context, select, nullptr);
  context.plan.root = std::move(query.node);
  context.plan.result = std::move(query.columns);
  finish_plan(context);
}

}  // namespace saccade
