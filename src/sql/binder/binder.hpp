// From a statement's text to what it means: names, types and implicit casts resolved against a catalog.
//
// A BoundStatement is an immutable value; it keeps the versions of the tables it names. Any thread may bind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/file_call.hpp"
#include "catalog/table_definition.hpp"
#include "memory/memory_pool.hpp"
#include "plan/logical_plan.hpp"
#include "sql/binder/statement_parameters.hpp"
#include "sql/binder/statement_time.hpp"
#include "sql/parser.hpp"

namespace saccade {

struct BoundStatement {
  enum class Kind : std::uint8_t {
    kEmpty,          // no statement at all
    kNothing,        // nothing is left to do; `name` is the command's tag
    kSelect,         // plan
    kExplain,        // plan, explain
    kCreateTable,    // table, defaults
    kCreateTableAs,  // name, plan: its result's names are the new table's
    kCreateView,     // view
    kDrop,           // names; `name` is the command's tag
    kTruncate,       // names; target: of a DELETE without a condition
    kInsertValues,   // target, rows
    kInsert,         // target, plan: the table's columns, in its order; name: the command's tag
    kUpdate,         // target, plan: the same, all rows, and behind them a boolean: whether the row was changed
    kDelete,         // target, plan: the table's columns of the rows that stay
    kCopyTo,         // plan, value: the path, options
    kCallTpch,       // value: the scale; loaded
    kPrepare,        // name, types: of the first parameters
    kExecute,        // name, rows: one, of the parameters' values
    kDeallocate,     // name (empty: all)
    kSet,            // name, value
    kReset,          // name (empty: all); `value` is the command's tag
    kShow,           // name ("all": all)
  };
  enum class Explain : std::uint8_t { kPlan, kAnalyze, kPipeline };
  // A table of TPC-H to be made, with these columns (none: all).
  struct LoadedTable {
    std::string name;
    std::vector<std::string> columns;
  };

  Kind kind = Kind::kEmpty;
  LogicalPlan plan;
  Explain explain = Explain::kPlan;
  std::string name, value;
  std::vector<std::string> names;
  std::shared_ptr<Table> target;
  TableDefinition table;                            // defaults are not yet in it
  std::vector<std::optional<Expression>> defaults;  // by column; constants once they are folded
  std::vector<std::vector<Expression>> rows;        // by row and column of the target
  View view;
  std::vector<LoadedTable> loaded;  // none: all tables
  std::vector<DataType> types;
  std::vector<FileOption> options;
  std::vector<std::string> notices;
};

// Whether a statement may read tables: all but settings and an INSERT of values without subqueries.
bool reads_tables(const SyntaxTree& tree);

// Binds one statement: its text (a trailing semicolon is allowed), or what parse() made of it. Errors: those of parse() and
// FileOpener::open(), and with their position 0A000 for what Saccade does not do, 42xxx for names, types and grouping, 22xxx
// for literals. `parameters`: null where the statement can have none (42P02).
BoundStatement bind_statement(const SyntaxTree& tree, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time = {}, StatementParameters* parameters = nullptr);
BoundStatement bind_statement(const std::string& sql, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time = {});

}  // namespace saccade
