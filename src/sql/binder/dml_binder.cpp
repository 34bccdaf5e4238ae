// INSERT, UPDATE and DELETE of tables in memory: each as the query whose rows make the table's next version.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/from_clause.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/statement_binders.hpp"
#include "sql/binder/subqueries.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};

LogicalNode over(LogicalKind kind, LogicalNode child) {
  LogicalNode node;
  node.kind = kind;
  node.children.push_back(std::move(child));
  return node;
}

void check_supported(const BindingContext& context, const nlohmann::json& fields) {
  const int start = context.tree.start();
  if (fields.contains("returningList")) context.unsupported("RETURNING", context.position(fields.at("returningList")));
  if (fields.contains("withClause")) context.unsupported("WITH before INSERT, UPDATE or DELETE", start);
  if (fields.contains("onConflictClause")) context.unsupported("ON CONFLICT", start);
}

// The table that a statement changes. Errors: 42P01, 55000 for a view.
std::shared_ptr<Table> target_table(BindingContext& context, const nlohmann::json& range_var, const char* verb) {
  const std::string name = relation_name(context, range_var);
  const int position = context.position(range_var);
  if (context.catalog.find_view(name) != nullptr) {
    throw Error("55000", fmt::format("cannot {} view \"{}\"", verb, name), position, "Change the tables that it reads.");
  }
  std::shared_ptr<Table> table = context.catalog.find(name);
  if (table == nullptr) throw Error(sqlstate::kUndefinedTable, fmt::format("relation \"{}\" does not exist", name), position);
  return table;
}

// The number of a table's column. Errors: 42703.
std::size_t column_number(const Table& table, const std::string& name, int position) {
  const std::vector<ColumnInfo>& columns = table.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  std::vector<std::string> names;
  for (const ColumnInfo& column : columns) names.push_back(column.name);
  const std::string nearest = nearest_name(name, names);
  throw Error(sqlstate::kUndefinedColumn, fmt::format("column \"{}\" of relation \"{}\" does not exist", name, table.name()),
              position, nearest.empty() ? "" : fmt::format("Perhaps you meant the column \"{}\".", nearest));
}

Expression default_of(const ColumnInfo& column, int position) {
  Expression value = literal_expression(column.default_value.value_or(Value::null(column.type)));
  value.position = position;
  return value;
}

bool holds_subquery(const nlohmann::json& json) {
  if (json.is_object() && json.contains("SubLink")) return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), holds_subquery);
}

// VALUES alone, without clauses around it and without subqueries.
bool is_plain_values(const nlohmann::json& select) {
  constexpr std::array<const char*, 5> kClauses = {"sortClause", "limitCount", "limitOffset", "withClause", "lockingClause"};
  const auto has = [&](const char* clause) { return select.contains(clause); };
  return has("valuesLists") && std::none_of(kClauses.begin(), kClauses.end(), has) && !holds_subquery(select);
}

class InsertBinder {
 public:
  InsertBinder(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement)
      : context_(context), fields_(fields), statement_(statement) {}

  void bind() {
    if (text_field(fields_, "override") != "OVERRIDING_NOT_SET" && fields_.contains("override"))
      context_.unsupported("OVERRIDING", context_.tree.start());
    statement_.target = target_table(context_, fields_.at("relation"), "insert into");
    explicit_ = fields_.contains("cols");
    const nlohmann::json no_columns = nlohmann::json::array();
    for (const nlohmann::json& item : explicit_ ? fields_.at("cols") : no_columns) {
      const nlohmann::json& target = syntax_node(item).fields;
      if (target.contains("indirection")) context_.unsupported("a part of a column in INSERT", context_.position(target));
      add_column(text_field(target, "name"), context_.position(target));
    }
    if (!explicit_) add_all_columns();
    if (!fields_.contains("selectStmt")) {
      default_values();
      return;
    }
    const nlohmann::json& select = syntax_node(fields_.at("selectStmt")).fields;
    if (is_plain_values(select)) {
      bind_values(select.at("valuesLists"));
    } else {
      bind_query(select);
    }
  }

  // COPY table FROM 'file': the file's columns are those of the table, or those that are named.
  void bind_copy() {
    statement_.target = target_table(context_, fields_.at("relation"), "copy to");
    explicit_ = fields_.contains("attlist");
    for (const std::string& name : string_list(fields_, "attlist")) add_column(name, context_.position(fields_.at("relation")));
    if (!explicit_) add_all_columns();
    explicit_ = true;  // a file with fewer columns lacks some
    std::vector<ColumnDefinition> columns;
    for (const std::size_t number : given_)
      columns.push_back({statement_.target->columns()[number].name, statement_.target->columns()[number].type});
    const nlohmann::json select = select_from_file(context_, fields_, columns);
    bind_query(select);
    statement_.name = "COPY";
  }

 private:
  void add_all_columns() {
    for (std::size_t i = 0; i < statement_.target->columns().size(); ++i) given_.push_back(i);
  }

  // One more column that is given values.
  void add_column(const std::string& name, int position) {
    const std::size_t number = column_number(*statement_.target, name, position);
    if (std::find(given_.begin(), given_.end(), number) != given_.end())
      throw Error(sqlstate::kDuplicateColumn, fmt::format("column \"{}\" specified more than once", name), position);
    given_.push_back(number);
  }

  void check_count(std::size_t count, int position) const {
    if (count > given_.size()) throw Error(sqlstate::kSyntaxError, "INSERT has more expressions than target columns", position);
    if (count < given_.size() && explicit_)
      throw Error(sqlstate::kSyntaxError, "INSERT has more target columns than expressions", position);
  }

  void default_values() {
    statement_.kind = BoundStatement::Kind::kInsertValues;
    std::vector<Expression>& row = statement_.rows.emplace_back();
    for (const ColumnInfo& column : statement_.target->columns()) row.push_back(default_of(column, 0));
  }

  void bind_values(const nlohmann::json& lists) {
    statement_.kind = BoundStatement::Kind::kInsertValues;
    const std::vector<ColumnInfo>& columns = statement_.target->columns();
    const Scope no_columns;
    ExpressionBinder binder(context_, no_columns, "VALUES");
    std::size_t width = 0;
    for (const nlohmann::json& list : lists) {
      const nlohmann::json& items = syntax_node(list).fields.at("items");
      const int position = context_.position(items);
      if (statement_.rows.empty()) {
        width = items.size();
        check_count(width, position);
      }
      if (items.size() != width) throw Error(sqlstate::kSyntaxError, "VALUES lists must all be the same length", position);
      std::vector<Expression>& row = statement_.rows.emplace_back();
      for (const ColumnInfo& column : columns) row.push_back(default_of(column, 0));
      for (std::size_t i = 0; i < width; ++i) {
        const ColumnInfo& column = columns[given_[i]];
        if (syntax_node(items[i]).kind == "SetToDefault") continue;
        row[given_[i]] = assign(binder.bind(items[i]), column.type, column.name);
      }
    }
  }

  // INSERT ... SELECT: the query's columns, assigned, in the order of the table's.
  void bind_query(const nlohmann::json& select) {
    statement_.kind = BoundStatement::Kind::kInsert;
    statement_.name = "INSERT 0";
    bind_select(context_, select);
    LogicalPlan& plan = context_.plan;
    check_count(plan.result.size(), context_.position(select));
    const std::vector<ResultColumn> given = std::exchange(plan.result, {});
    LogicalNode project = over(LogicalKind::kProject, std::move(plan.root));
    const std::vector<ColumnInfo>& columns = statement_.target->columns();
    for (std::size_t number = 0; number < columns.size(); ++number) {
      const ColumnInfo& column = columns[number];
      const auto at = static_cast<std::size_t>(std::find(given_.begin(), given_.end(), number) - given_.begin());
      Expression value = default_of(column, 0);
      if (at < given.size()) value = assign(query_column(given[at], project.children[0]), column.type, column.name);
      const ColumnId output = context_.add_column(column.name, column.type);
      project.expressions.push_back(std::move(value));
      project.outputs.push_back(output);
      plan.result.push_back({output, column.name, column.type});
    }
    plan.root = std::move(project);
  }

  // A constant of the query's select list that is text stands for itself, so that 'x' may be assigned to any type.
  static Expression query_column(const ResultColumn& column, const LogicalNode& root) {
    if (root.kind == LogicalKind::kProject) {
      for (std::size_t i = 0; i < root.outputs.size(); ++i) {
        const Expression& expression = root.expressions[i];
        if (root.outputs[i] != column.column || expression.operation != Operation::kLiteral) continue;
        if (expression.type.kind != TypeKind::kText) continue;
        Expression untyped = expression;
        untyped.type = untyped.literal.type = DataType{};
        return untyped;
      }
    }
    return column_expression(column.column, column.type);
  }

  BindingContext& context_;
  const nlohmann::json& fields_;
  BoundStatement& statement_;
  bool explicit_ = false;
  std::vector<std::size_t> given_;  // the columns that are given values, in the order in which they are
};

// The scan of all columns of the table that UPDATE or DELETE changes, with the condition bound.
struct ChangedRows {
  FromClause from;                      // with the condition's subqueries
  std::vector<ColumnId> columns;        // of the table, in its order
  std::optional<Expression> condition;  // none: all rows
};

ChangedRows bind_changed_rows(BindingContext& context, const nlohmann::json& fields) {
  ChangedRows rows;
  rows.from = bind_from(context, nlohmann::json::array({{{"RangeVar", fields.at("relation")}}}), nullptr);
  for (const ScopeColumn& column : rows.from.scope.columns()) rows.columns.push_back(column.id);
  if (fields.contains("whereClause")) {
    SubqueryJoins subqueries;
    ExpressionBinder binder(context, rows.from.scope, "WHERE", nullptr, &subqueries);
    rows.condition = binder.bind_boolean(fields.at("whereClause"), "WHERE");
    rows.from.node = subqueries.attach(std::move(rows.from.node));
  }
  return rows;
}

Expression is_true(Expression condition) {
  return call_expression(Operation::kCoalesce, kBooleanType,
                         {std::move(condition), literal_expression(Value{kBooleanType, false})});
}

void set_result(BindingContext& context, const Table& table, const std::vector<ColumnId>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    context.plan.result.push_back({columns[i], table.columns()[i].name, table.columns()[i].type});
}

class UpdateBinder {
 public:
  UpdateBinder(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement)
      : context_(context), fields_(fields), statement_(statement) {}

  // First whether a row is changed, as a column of its own, so that the condition is computed once; then the columns' values.
  void bind() {
    if (fields_.contains("fromClause")) {
      throw Error(sqlstate::kFeatureNotSupported, "UPDATE ... FROM is not supported",
                  context_.position(fields_.at("fromClause")),
                  "Write subqueries: UPDATE t SET a = (SELECT ...) WHERE EXISTS (SELECT ...).");
    }
    statement_.kind = BoundStatement::Kind::kUpdate;
    statement_.target = target_table(context_, fields_.at("relation"), "update");
    ChangedRows rows = bind_changed_rows(context_, fields_);
    SubqueryJoins subqueries;
    const std::vector<std::optional<Expression>> assigned = bind_assignments(rows.from.scope, subqueries);
    LogicalNode marked = over(LogicalKind::kProject, std::move(rows.from.node));
    for (const ColumnId column : rows.columns) {
      marked.expressions.push_back(column_of(column));
      marked.outputs.push_back(column);
    }
    const ColumnId changed = context_.add_column("changed", kBooleanType);
    Expression condition = rows.condition ? is_true(std::move(*rows.condition)) : literal_expression(Value{kBooleanType, true});
    marked.expressions.push_back(std::move(condition));
    marked.outputs.push_back(changed);
    LogicalNode updated = over(LogicalKind::kProject, subqueries.attach(std::move(marked)));
    std::vector<ColumnId> outputs;
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      Expression value = column_of(rows.columns[i]);
      if (assigned[i]) {
        value = call_expression(Operation::kCase, value.type, {column_of(changed), *assigned[i], std::move(value)});
      }
      outputs.push_back(context_.add_column(statement_.target->columns()[i].name, value.type));
      updated.outputs.push_back(outputs.back());
      updated.expressions.push_back(std::move(value));
    }
    set_result(context_, *statement_.target, outputs);
    outputs.push_back(context_.add_column("changed", kBooleanType));
    updated.outputs.push_back(outputs.back());
    updated.expressions.push_back(column_of(changed));
    context_.plan.result.push_back({outputs.back(), "changed", kBooleanType});
    context_.plan.root = std::move(updated);
    finish_plan(context_);
  }

 private:
  Expression column_of(ColumnId id) const { return column_expression(id, context_.plan.types[static_cast<std::size_t>(id)]); }

  // By column of the table.
  std::vector<std::optional<Expression>> bind_assignments(const Scope& scope, SubqueryJoins& subqueries) {
    const std::vector<ColumnInfo>& columns = statement_.target->columns();
    std::vector<std::optional<Expression>> assigned(columns.size());
    ExpressionBinder binder(context_, scope, "UPDATE", nullptr, &subqueries);
    for (const nlohmann::json& item : fields_.at("targetList")) {
      const nlohmann::json& target = syntax_node(item).fields;
      const int position = context_.position(target);
      const std::string name = text_field(target, "name");
      if (target.contains("indirection")) context_.unsupported("a part of a column in UPDATE", position);
      const std::size_t number = column_number(*statement_.target, name, position);
      if (assigned[number])
        throw Error(sqlstate::kSyntaxError, fmt::format("multiple assignments to same column \"{}\"", name), position);
      const nlohmann::json& value = value_of(target.at("val"), position);
      assigned[number] = syntax_node(value).kind == "SetToDefault" ? default_of(columns[number], position)
                                                                   : assign(binder.bind(value), columns[number].type, name);
    }
    return assigned;
  }

  // Of (a, b) = (1, 2) the value that belongs to one of the columns.
  const nlohmann::json& value_of(const nlohmann::json& value, int position) const {
    const auto [kind, fields] = syntax_node(value);
    if (kind != "MultiAssignRef") return value;
    const auto [source_kind, source] = syntax_node(fields.at("source"));
    if (source_kind != "RowExpr") context_.unsupported("an assignment of a subquery's row to several columns", position);
    const nlohmann::json& items = source.at("args");
    if (items.size() != static_cast<std::size_t>(fields.value("ncolumns", 0)))
      throw Error(sqlstate::kSyntaxError, "number of columns does not match number of values", position);
    return items.at(static_cast<std::size_t>(fields.value("colno", 1) - 1));
  }

  BindingContext& context_;
  const nlohmann::json& fields_;
  BoundStatement& statement_;
};

}  // namespace

void bind_insert(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  check_supported(context, fields);
  InsertBinder(context, fields, statement).bind();
}

void bind_copy_from(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  InsertBinder(context, fields, statement).bind_copy();
}

void bind_update(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  check_supported(context, fields);
  UpdateBinder(context, fields, statement).bind();
}

// The rows that stay.
void bind_delete(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  check_supported(context, fields);
  if (fields.contains("usingClause")) {
    throw Error(sqlstate::kFeatureNotSupported, "DELETE ... USING is not supported", context.position(fields.at("usingClause")),
                "Write a subquery: DELETE FROM t WHERE EXISTS (SELECT ...).");
  }
  statement.target = target_table(context, fields.at("relation"), "delete from");
  ChangedRows rows = bind_changed_rows(context, fields);
  if (!rows.condition) {
    statement.kind = BoundStatement::Kind::kTruncate;
    statement.names = {statement.target->name()};
    return;
  }
  statement.kind = BoundStatement::Kind::kDelete;
  LogicalNode kept = over(LogicalKind::kFilter, std::move(rows.from.node));
  kept.conjuncts.push_back(call_expression(Operation::kNot, kBooleanType, {is_true(std::move(*rows.condition))}));
  set_result(context, *statement.target, rows.columns);
  context.plan.root = std::move(kept);
  finish_plan(context);
}

bool reads_tables(const SyntaxTree& tree) {
  if (tree.statement().is_null()) return false;
  const auto [kind, fields] = syntax_node(tree.statement());
  // What EXECUTE runs is asked about on its own.
  constexpr std::array<std::string_view, 5> kOthers = {"VariableSetStmt", "VariableShowStmt", "PrepareStmt", "ExecuteStmt",
                                                       "DeallocateStmt"};
  if (std::find(kOthers.begin(), kOthers.end(), kind) != kOthers.end()) return false;
  if (kind != "InsertStmt") return true;
  return fields.contains("selectStmt") && !is_plain_values(syntax_node(fields.at("selectStmt")).fields);
}

}  // namespace saccade
