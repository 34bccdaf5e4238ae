#include "sql/binder/binder.hpp"
#include "sql/binder/literals.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/binding_context.hpp"
#include "sql/binder/select_binder.hpp"
#include "sql/binder/statement_binders.hpp"

namespace saccade {

namespace {

// What statements that are not supported are called; others by their node's name.
std::string statement_name(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames = {{
      {"MergeStmt", "MERGE"},
      {"IndexStmt", "CREATE INDEX"},
      {"AlterTableStmt", "ALTER TABLE"},
      {"DeclareCursorStmt", "DECLARE CURSOR"},
      {"VacuumStmt", "VACUUM or ANALYZE"},
      {"CreateSchemaStmt", "CREATE SCHEMA"},
      {"CreateFunctionStmt", "CREATE FUNCTION"},
  }};
  const auto* found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == kind; });
  if (found != kNames.end()) return std::string(found->second);
  return fmt::format("this statement ({})", kind);
}

struct Binder {
  std::string_view kind;
  void (*bind)(BindingContext&, const nlohmann::json&, BoundStatement&);
};

constexpr std::array<Binder, 15> kBinders = {{{"CreateStmt", bind_create_table},
                                              {"CreateTableAsStmt", bind_create_table_as},
                                              {"ViewStmt", bind_create_view},
                                              {"DropStmt", bind_drop},
                                              {"TruncateStmt", bind_truncate},
                                              {"InsertStmt", bind_insert},
                                              {"UpdateStmt", bind_update},
                                              {"DeleteStmt", bind_delete},
                                              {"CallStmt", bind_call},
                                              {"CopyStmt", bind_copy},
                                              {"PrepareStmt", bind_prepare},
                                              {"ExecuteStmt", bind_execute},
                                              {"DeallocateStmt", bind_deallocate},
                                              {"VariableSetStmt", bind_set},
                                              {"VariableShowStmt", bind_show}}};

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
    } else if (kind == "ExplainStmt") {
      bind_explain(fields);
    } else if (const auto* found =
                   std::find_if(kBinders.begin(), kBinders.end(), [&](const Binder& b) { return b.kind == kind; });
               found != kBinders.end()) {
      found->bind(context_, fields, statement_);
    } else if (kind == "TransactionStmt") {
      throw Error(sqlstate::kFeatureNotSupported, "transactions are not supported", context_.tree.start(),
                  "Each statement takes effect as a whole, at once, and not at all where it fails.");
    } else {
      context_.unsupported(statement_name(kind), context_.tree.start());
    }
  }

  void bind_explain(const nlohmann::json& fields) {
    if (fields.contains("options")) {
      for (const nlohmann::json& item : fields.at("options")) {
        const nlohmann::json& option = syntax_node(item).fields;
        const std::string name = text_field(option, "defname");
        if (name != "analyze" && name != "pipeline")
          context_.unsupported(fmt::format("the EXPLAIN option {}", name), context_.position(option));
        if (option_value(option, name))
          statement_.explain = name == "analyze" ? BoundStatement::Explain::kAnalyze : BoundStatement::Explain::kPipeline;
      }
    }
    const nlohmann::json& query = fields.at("query");
    const std::string_view kind = syntax_node(query).kind;
    const bool runs = statement_.explain == BoundStatement::Explain::kAnalyze;
    if (kind != "SelectStmt" && (runs || kind != "CreateTableAsStmt")) {
      context_.unsupported("EXPLAIN of this statement", context_.position(query));
    }
    bind_any(query);
    statement_.kind = BoundStatement::Kind::kExplain;
  }

  // A Boolean option of EXPLAIN; without a value it is on.
  bool option_value(const nlohmann::json& option, const std::string& name) const {
    if (!option.contains("arg")) return true;
    const auto [kind, value] = syntax_node(option.at("arg"));
    const std::string text = kind == "Integer" ? std::to_string(value.value("ival", 0)) : text_field(value, "sval");
    if (text == "true" || text == "on" || text == "1") return true;
    if (text == "false" || text == "off" || text == "0") return false;
    throw Error(sqlstate::kSyntaxError, fmt::format("{} requires a Boolean value", name), context_.position(option));
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
  const LiteralTimes times(time);
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
