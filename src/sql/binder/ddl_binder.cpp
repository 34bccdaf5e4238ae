// CREATE TABLE, CREATE TABLE AS, CREATE VIEW, DROP, TRUNCATE.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/statement_binders.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

[[noreturn]] void already_exists(const std::string& name, bool is_view, int position) {
  throw Error(sqlstate::kDuplicateTable, fmt::format("relation \"{}\" already exists", name), position,
              fmt::format("Drop it first: DROP {} {}.", is_view ? "VIEW" : "TABLE", name));
}

// Whether the statement is to go on: the name is free. With IF NOT EXISTS a taken one is a notice.
bool name_is_free(const BindingContext& context, const std::string& name, bool if_not_exists, int position,
                  BoundStatement& statement) {
  const bool is_view = context.catalog.find_view(name) != nullptr;
  if (!is_view && context.catalog.find(name) == nullptr) return true;
  if (!if_not_exists) already_exists(name, is_view, position);
  statement.notices.push_back(fmt::format("relation \"{}\" already exists, skipping", name));
  return false;
}

// What constraints that are not supported are called.
std::string_view constraint_name(const std::string& kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames = {{{"CONSTR_PRIMARY", "PRIMARY KEY"},
                                                                                    {"CONSTR_UNIQUE", "UNIQUE"},
                                                                                    {"CONSTR_CHECK", "CHECK"},
                                                                                    {"CONSTR_FOREIGN", "a foreign key"},
                                                                                    {"CONSTR_EXCLUSION", "EXCLUDE"},
                                                                                    {"CONSTR_IDENTITY", "an identity column"},
                                                                                    {"CONSTR_GENERATED", "a generated column"},
                                                                                    {"CONSTR_ATTR_DEFERRABLE", "DEFERRABLE"}}};
  for (const auto& [key, name] : kNames) {
    if (key == kind) return name;
  }
  return kind;
}

[[noreturn]] void unsupported_constraint(const BindingContext& context, const nlohmann::json& fields, int column_position) {
  const int own = context.position(fields);
  throw Error(sqlstate::kFeatureNotSupported,
              fmt::format("{} is not supported", constraint_name(text_field(fields, "contype"))),
              own != 0 ? own : column_position,
              "Saccade does not enforce it, and accepts only what it enforces: NOT NULL and DEFAULT.");
}

// What is computed anew for each row that is inserted, as a constant is not.
bool holds_function(const nlohmann::json& json) {
  if (json.is_object() && (json.contains("FuncCall") || json.contains("SQLValueFunction") || json.contains("SubLink")))
    return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), holds_function);
}

class TableBinder {
 public:
  TableBinder(BindingContext& context, BoundStatement& statement) : context_(context), statement_(statement) {}

  void bind_element(const nlohmann::json& element) {
    const auto [kind, fields] = syntax_node(element);
    const int position = context_.position(fields);
    if (kind == "Constraint") unsupported_constraint(context_, fields, position);
    if (kind == "TableLikeClause") context_.unsupported("LIKE in CREATE TABLE", position);
    if (kind != "ColumnDef") context_.unsupported("this element of CREATE TABLE", position);
    bind_column(fields, position);
  }

 private:
  void bind_column(const nlohmann::json& fields, int position) {
    ColumnDefinition column;
    column.name = text_field(fields, "colname");
    for (const ColumnDefinition& other : statement_.table.columns) {
      if (other.name == column.name)
        throw Error(sqlstate::kDuplicateColumn, fmt::format("column \"{}\" specified more than once", column.name), position);
    }
    if (fields.contains("collClause")) context_.unsupported("COLLATE", position);
    const Scope no_columns;
    ExpressionBinder binder(context_, no_columns, "DEFAULT");
    column.type = binder.bind_type(fields.at("typeName"), position);
    if (column.type.kind == TypeKind::kNumeric && column.type.precision == 0) {
      // As in a cast from text: see docs/sql.md.
      column.type = DataType::numeric(kMaxPrecision, 10);
    }
    std::optional<Expression> default_value;
    bool declared_null = false;
    const nlohmann::json no_constraints = nlohmann::json::array();
    for (const nlohmann::json& item : fields.contains("constraints") ? fields.at("constraints") : no_constraints) {
      const nlohmann::json& constraint = syntax_node(item).fields;
      const std::string kind = text_field(constraint, "contype");
      if (kind == "CONSTR_NOTNULL") {
        column.not_null = true;
      } else if (kind == "CONSTR_NULL") {
        declared_null = true;
      } else if (kind == "CONSTR_DEFAULT") {
        if (holds_function(constraint.at("raw_expr")))
          context_.unsupported("a DEFAULT that is no constant", context_.position(constraint));
        default_value = assign(binder.bind(constraint.at("raw_expr")), column.type, column.name);
      } else {
        unsupported_constraint(context_, constraint, position);
      }
    }
    if (column.not_null && declared_null) {
      throw Error(sqlstate::kSyntaxError,
                  fmt::format("conflicting NULL/NOT NULL declarations for column \"{}\" of table \"{}\"", column.name,
                              statement_.table.name),
                  position);
    }
    statement_.table.columns.push_back(std::move(column));
    statement_.defaults.push_back(std::move(default_value));
  }

  BindingContext& context_;
  BoundStatement& statement_;
};

// DROP of one kind of relation, with what depends on it.
class DropBinder {
 public:
  DropBinder(BindingContext& context, BoundStatement& statement, bool views)
      : context_(context), statement_(statement), views_(views) {}

  void add(const std::string& name, bool if_exists) {
    const int position = context_.tree.start();
    const bool is_table = context_.catalog.find(name) != nullptr, is_view = context_.catalog.find_view(name) != nullptr;
    const char* kind = views_ ? "view" : "table";
    if (!is_table && !is_view) {
      if (!if_exists) throw Error(sqlstate::kUndefinedTable, fmt::format("{} \"{}\" does not exist", kind, name), position);
      statement_.notices.push_back(fmt::format("{} \"{}\" does not exist, skipping", kind, name));
      return;
    }
    if (is_view != views_) {
      throw Error(sqlstate::kWrongObjectType, fmt::format("\"{}\" is not a {}", name, kind), position,
                  fmt::format("Use DROP {} to remove a {}.", is_view ? "VIEW" : "TABLE", is_view ? "view" : "table"));
    }
    push(name);
  }

  // Views that name what is dropped: dropped too, or in the way.
  void add_dependents(bool cascade) {
    for (std::size_t i = 0; i < statement_.names.size(); ++i) {
      const std::string name = statement_.names[i];
      for (const std::string& dependent : context_.catalog.dependents(name)) {
        if (std::find(statement_.names.begin(), statement_.names.end(), dependent) != statement_.names.end()) continue;
        if (!cascade) {
          throw Error(sqlstate::kDependentObjects,
                      fmt::format("cannot drop {} {} because other objects depend on it: view {}",
                                  context_.catalog.find_view(name) != nullptr ? "view" : "table", name, dependent),
                      context_.tree.start(), "Use DROP ... CASCADE to drop the dependent objects too.");
        }
        statement_.notices.push_back(fmt::format("drop cascades to view {}", dependent));
        push(dependent);
      }
    }
  }

 private:
  void push(const std::string& name) {
    if (std::find(statement_.names.begin(), statement_.names.end(), name) == statement_.names.end())
      statement_.names.push_back(name);
  }

  BindingContext& context_;
  BoundStatement& statement_;
  bool views_;
};

}  // namespace

std::string relation_name(const BindingContext& context, const std::string& schema, const std::string& name, int position) {
  if (!schema.empty() && schema != "public") context.unsupported("a schema other than public", position);
  return name;
}

std::string relation_name(const BindingContext& context, const nlohmann::json& range_var) {
  const int position = context.position(range_var);
  if (range_var.contains("catalogname")) context.unsupported("a table's name with a database", position);
  const std::string persistence = text_field(range_var, "relpersistence");
  if (persistence != "p" && !persistence.empty()) context.unsupported("a temporary or unlogged table", position);
  return relation_name(context, text_field(range_var, "schemaname"), text_field(range_var, "relname"), position);
}

void name_columns(std::vector<ResultColumn>& result, const std::vector<std::string>& names, int position) {
  if (names.size() > result.size()) throw Error(sqlstate::kSyntaxError, "too many column names were specified", position);
  for (std::size_t i = 0; i < names.size(); ++i) result[i].name = names[i];
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto before = result.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same = std::find_if(result.begin(), before, [&](const ResultColumn& c) { return c.name == result[i].name; });
    if (same != before) {
      throw Error(sqlstate::kDuplicateColumn, fmt::format("column \"{}\" specified more than once", result[i].name), position,
                  "Give the columns different names: SELECT expression AS name.");
    }
  }
}

void bind_create_table(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const nlohmann::json& relation = fields.at("relation");
  const int position = context.position(relation);
  constexpr std::array<std::pair<const char*, std::string_view>, 6> kClauses = {{{"inhRelations", "INHERITS"},
                                                                                 {"partspec", "PARTITION BY"},
                                                                                 {"ofTypename", "OF type"},
                                                                                 {"options", "an option of CREATE TABLE"},
                                                                                 {"accessMethod", "USING"},
                                                                                 {"tablespacename", "TABLESPACE"}}};
  for (const auto& [field, what] : kClauses) {
    if (fields.contains(field)) context.unsupported(what, position);
  }
  statement.kind = BoundStatement::Kind::kCreateTable;
  statement.table.name = relation_name(context, relation);
  if (!name_is_free(context, statement.table.name, flag_field(fields, "if_not_exists"), position, statement)) {
    statement.kind = BoundStatement::Kind::kNothing;
    statement.name = "CREATE TABLE";
    return;
  }
  if (!fields.contains("tableElts")) context.unsupported("a table without columns", position);
  TableBinder binder(context, statement);
  for (const nlohmann::json& element : fields.at("tableElts")) binder.bind_element(element);
}

void bind_create_table_as(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const nlohmann::json& into = fields.at("into");
  const nlohmann::json& relation = into.at("rel");
  const int position = context.position(relation);
  const auto [kind, query] = syntax_node(fields.at("query"));
  if (text_field(fields, "objtype") != "OBJECT_TABLE") context.unsupported("CREATE MATERIALIZED VIEW", position);
  if (kind != "SelectStmt") context.unsupported("CREATE TABLE AS EXECUTE", position);
  if (flag_field(into, "skipData")) context.unsupported("WITH NO DATA", position);
  for (const char* option : {"options", "accessMethod", "tableSpaceName"}) {
    if (into.contains(option)) context.unsupported("an option of CREATE TABLE AS", position);
  }
  statement.kind = BoundStatement::Kind::kCreateTableAs;
  statement.name = relation_name(context, relation);
  if (!name_is_free(context, statement.name, flag_field(fields, "if_not_exists"), position, statement)) {
    statement.kind = BoundStatement::Kind::kNothing;
    statement.name = "CREATE TABLE AS";
    return;
  }
  bind_select(context, query);
  name_columns(context.plan.result, string_list(into, "colNames"), position);
}

void bind_create_view(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const nlohmann::json& relation = fields.at("view");
  const int position = context.position(relation);
  const auto [kind, query] = syntax_node(fields.at("query"));
  if (fields.contains("options")) context.unsupported("an option of CREATE VIEW", position);
  if (text_field(fields, "withCheckOption") != "NO_CHECK_OPTION") context.unsupported("WITH CHECK OPTION", position);
  if (kind != "SelectStmt") context.unsupported("a view of anything but a SELECT", position);
  statement.kind = BoundStatement::Kind::kCreateView;
  View& view = statement.view;
  view.name = relation_name(context, relation);
  const bool replace = flag_field(fields, "replace");
  if (context.catalog.find(view.name) != nullptr) {
    if (!replace) already_exists(view.name, false, position);
    throw Error(sqlstate::kWrongObjectType, fmt::format("\"{}\" is not a view", view.name), position,
                fmt::format("There is a table of this name; drop it first: DROP TABLE {}.", view.name));
  }
  const std::shared_ptr<const View> old = context.catalog.find_view(view.name);
  if (old != nullptr && !replace) already_exists(view.name, true, position);
  context.parameters = nullptr;  // a view outlives the statement's values
  bind_select(context, query);
  name_columns(context.plan.result, string_list(fields, "aliases"), position);
  view.sql = context.tree.text_after_as();
  for (const ResultColumn& column : context.plan.result) {
    view.columns.push_back({column.name, column.type.kind == TypeKind::kUnknown ? DataType{TypeKind::kText} : column.type});
  }
  view.depends_on = context.named_relations();
  if (context.catalog.depends_on(view.depends_on, view.name)) {
    throw Error("42P17", fmt::format("infinite recursion: view \"{}\" would be defined by itself", view.name), position,
                "Give the view another name.");
  }
  if (old == nullptr) return;
  const auto same = [](const View::Column& a, const View::Column& b) { return a.name == b.name && a.type == b.type; };
  if (view.columns.size() < old->columns.size() ||
      !std::equal(old->columns.begin(), old->columns.end(), view.columns.begin(), same)) {
    throw Error("42P16", fmt::format("cannot change the columns that view \"{}\" has", view.name), position,
                "CREATE OR REPLACE VIEW may add columns at the end; else drop the view first.");
  }
}

void bind_drop(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const int position = context.tree.start();
  const std::string type = text_field(fields, "removeType");
  if (type != "OBJECT_TABLE" && type != "OBJECT_VIEW") context.unsupported("DROP of anything but tables and views", position);
  const bool views = type == "OBJECT_VIEW";
  statement.kind = BoundStatement::Kind::kDrop;
  statement.name = views ? "DROP VIEW" : "DROP TABLE";
  DropBinder binder(context, statement, views);
  for (const nlohmann::json& object : fields.at("objects")) {
    const std::vector<std::string> names = string_list(syntax_node(object).fields, "items");
    if (names.size() > 2) context.unsupported("a table's name with a database", position);
    binder.add(relation_name(context, names.size() == 2 ? names[0] : std::string(), names.back(), position),
               flag_field(fields, "missing_ok"));
  }
  binder.add_dependents(text_field(fields, "behavior") == "DROP_CASCADE");
}

void bind_truncate(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  if (flag_field(fields, "restart_seqs")) context.unsupported("RESTART IDENTITY", context.tree.start());
  statement.kind = BoundStatement::Kind::kTruncate;
  for (const nlohmann::json& item : fields.at("relations")) {
    const nlohmann::json& relation = syntax_node(item).fields;
    const std::string name = relation_name(context, relation);
    const int position = context.position(relation);
    if (context.catalog.find_view(name) != nullptr)
      throw Error(sqlstate::kWrongObjectType, fmt::format("\"{}\" is not a table", name), position);
    if (context.catalog.find(name) == nullptr)
      throw Error(sqlstate::kUndefinedTable, fmt::format("relation \"{}\" does not exist", name), position);
    statement.names.push_back(name);
  }
}

}  // namespace saccade
