#include "sql/binder/binder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/binding_context.hpp"
#include "sql/binder/select_binder.hpp"

namespace saccade {

namespace {

// What statements that are not supported are called; others by their node's name.
std::string statement_name(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kNames = {{
      {"InsertStmt", "INSERT"},
      {"UpdateStmt", "UPDATE"},
      {"DeleteStmt", "DELETE"},
      {"MergeStmt", "MERGE"},
      {"CopyStmt", "COPY"},
      {"CreateStmt", "CREATE TABLE without AS SELECT"},
      {"ViewStmt", "CREATE VIEW"},
      {"IndexStmt", "CREATE INDEX"},
      {"AlterTableStmt", "ALTER TABLE"},
      {"TruncateStmt", "TRUNCATE"},
      {"TransactionStmt", "a transaction statement"},
      {"PrepareStmt", "PREPARE"},
      {"ExecuteStmt", "EXECUTE"},
      {"DeclareCursorStmt", "DECLARE CURSOR"},
      {"VacuumStmt", "VACUUM or ANALYZE"},
      {"CreateSchemaStmt", "CREATE SCHEMA"},
      {"CreateFunctionStmt", "CREATE FUNCTION"},
  }};
  const auto* found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == kind; });
  if (found != kNames.end()) return std::string(found->second);
  return fmt::format("this statement ({})", kind);
}

class StatementBinder {
 public:
  explicit StatementBinder(BindingContext& context) : context_(context) {}

  BoundStatement bind(const nlohmann::json& statement) {
    bind_any(statement);
    statement_.plan = std::move(context_.plan);
    return std::move(statement_);
  }

 private:
  void bind_any(const nlohmann::json& statement) {
    const auto [kind, fields] = syntax_node(statement);
    if (kind == "SelectStmt") {
      bind_select(context_, fields);
      statement_.kind = BoundStatement::Kind::kSelect;
    } else if (kind == "CreateTableAsStmt") {
      bind_create_table_as(fields);
    } else if (kind == "ExplainStmt") {
      bind_explain(fields);
    } else if (kind == "DropStmt") {
      bind_drop(fields);
    } else if (kind == "VariableSetStmt") {
      bind_set(fields);
    } else if (kind == "VariableShowStmt") {
      statement_.kind = BoundStatement::Kind::kShow;
      statement_.name = text_field(fields, "name");
    } else {
      context_.unsupported(statement_name(kind), context_.tree.start());
    }
  }

  void bind_create_table_as(const nlohmann::json& fields) {
    const nlohmann::json& into = fields.at("into");
    const nlohmann::json& relation = into.at("rel");
    const int position = context_.position(relation);
    const auto [kind, query] = syntax_node(fields.at("query"));
    if (text_field(fields, "objtype") != "OBJECT_TABLE") context_.unsupported("CREATE MATERIALIZED VIEW", position);
    if (kind != "SelectStmt") context_.unsupported("CREATE TABLE AS EXECUTE", position);
    if (text_field(relation, "relpersistence") != "p") context_.unsupported("a temporary or unlogged table", position);
    if (flag_field(into, "skipData")) context_.unsupported("WITH NO DATA", position);
    for (const char* option : {"options", "accessMethod", "tableSpaceName"}) {
      if (into.contains(option)) context_.unsupported("an option of CREATE TABLE AS", position);
    }
    statement_.kind = BoundStatement::Kind::kCreateTableAs;
    statement_.name = table_name(text_field(relation, "schemaname"), text_field(relation, "relname"), position);
    statement_.if_not_exists = flag_field(fields, "if_not_exists");
    if (!statement_.if_not_exists && context_.catalog.find(statement_.name) != nullptr) {
      throw Error(sqlstate::kDuplicateTable, fmt::format("relation \"{}\" already exists", statement_.name), position,
                  fmt::format("Drop it first: DROP TABLE {}.", statement_.name));
    }
    bind_select(context_, query);
    name_columns(string_list(into, "colNames"), position);
  }

  std::string table_name(const std::string& schema, const std::string& name, int position) const {
    if (!schema.empty() && schema != "public") context_.unsupported("a schema other than public", position);
    return name;
  }

  void name_columns(const std::vector<std::string>& names, int position) {
    std::vector<ResultColumn>& result = context_.plan.result;
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

  void bind_explain(const nlohmann::json& fields) {
    bool analyze = false;
    if (fields.contains("options")) {
      for (const nlohmann::json& item : fields.at("options")) {
        const nlohmann::json& option = syntax_node(item).fields;
        const std::string name = text_field(option, "defname");
        if (name != "analyze") context_.unsupported(fmt::format("the EXPLAIN option {}", name), context_.position(option));
        analyze = option_value(option);
      }
    }
    const nlohmann::json& query = fields.at("query");
    const std::string_view kind = syntax_node(query).kind;
    if (kind != "SelectStmt" && (analyze || kind != "CreateTableAsStmt")) {
      context_.unsupported("EXPLAIN of this statement", context_.position(query));
    }
    bind_any(query);
    statement_.kind = BoundStatement::Kind::kExplain;
    statement_.explain_analyze = analyze;
  }

  // A Boolean option of EXPLAIN; without a value it is on.
  bool option_value(const nlohmann::json& option) const {
    if (!option.contains("arg")) return true;
    const auto [kind, value] = syntax_node(option.at("arg"));
    const std::string text = kind == "Integer" ? std::to_string(value.value("ival", 0)) : text_field(value, "sval");
    if (text == "true" || text == "on" || text == "1") return true;
    if (text == "false" || text == "off" || text == "0") return false;
    throw Error(sqlstate::kSyntaxError, "ANALYZE requires a Boolean value", context_.position(option));
  }

  void bind_drop(const nlohmann::json& fields) {
    const int position = context_.tree.start();
    if (text_field(fields, "removeType") != "OBJECT_TABLE") context_.unsupported("DROP of anything but a table", position);
    if (text_field(fields, "behavior") == "DROP_CASCADE") context_.unsupported("DROP ... CASCADE", position);
    statement_.kind = BoundStatement::Kind::kDropTable;
    statement_.if_exists = flag_field(fields, "missing_ok");
    for (const nlohmann::json& object : fields.at("objects")) {
      const std::vector<std::string> names = string_list(syntax_node(object).fields, "items");
      if (names.size() > 2) context_.unsupported("a table's name with a database", position);
      const std::string name = table_name(names.size() == 2 ? names[0] : std::string(), names.back(), position);
      if (!statement_.if_exists && context_.catalog.find(name) == nullptr) {
        throw Error(sqlstate::kUndefinedTable, fmt::format("table \"{}\" does not exist", name), position);
      }
      statement_.names.push_back(name);
    }
  }

  void bind_set(const nlohmann::json& fields) {
    const int position = context_.tree.start();
    if (text_field(fields, "kind") != "VAR_SET_VALUE") context_.unsupported("this form of SET or RESET", position);
    if (flag_field(fields, "is_local")) context_.unsupported("SET LOCAL", position);
    statement_.kind = BoundStatement::Kind::kSet;
    statement_.name = text_field(fields, "name");
    for (const nlohmann::json& argument : fields.at("args")) {
      const auto [kind, constant] = syntax_node(argument);
      if (kind != "A_Const") context_.unsupported("a value of this form in SET", position);
      if (!statement_.value.empty()) statement_.value += ", ";
      if (constant.contains("ival")) {
        statement_.value += std::to_string(context_.tree.integer(constant));
      } else if (constant.contains("fval")) {
        statement_.value += text_field(constant.at("fval"), "fval");
      } else {
        statement_.value += text_field(constant.at("sval"), "sval");
      }
    }
  }

  BindingContext& context_;
  BoundStatement statement_;
};

}  // namespace

BoundStatement bind_statement(const std::string& sql, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time) {
  return bind_statement(parse(sql), catalog, opener, pool, time);
}

BoundStatement bind_statement(const SyntaxTree& tree, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time, StatementParameters* parameters) {
  if (tree.statement().is_null()) return {};
  BindingContext context(tree, catalog, opener, pool, time);
  context.parameters = parameters;
  try {
    return StatementBinder(context).bind(tree.statement());
  } catch (const nlohmann::json::exception& error) {
    // A form of node that the binder does not know of: a fault of ours, for this statement only.
    throw Error(sqlstate::kInternalError, fmt::format("the syntax tree has an unexpected form: {}", error.what()),
                tree.start());
  }
}

}  // namespace saccade
