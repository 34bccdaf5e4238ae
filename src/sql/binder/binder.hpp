// From a statement's text to what it means: names, types and implicit casts resolved against a catalog.
//
// A BoundStatement is an immutable value; it keeps the versions of the tables it names. Any thread may bind.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "memory/memory_pool.hpp"
#include "plan/logical_plan.hpp"
#include "sql/binder/statement_parameters.hpp"
#include "sql/binder/statement_time.hpp"
#include "sql/parser.hpp"

namespace saccade {

struct BoundStatement {
  enum class Kind : std::uint8_t { kSelect, kExplain, kCreateTableAs, kDropTable, kSet, kShow, kEmpty };
  Kind kind = Kind::kEmpty;
  LogicalPlan plan;                // kSelect, kExplain, kCreateTableAs (its result's names are the new table's)
  bool explain_analyze = false;    // kExplain
  std::string name;                // kCreateTableAs: the table; kSet, kShow: the setting
  std::string value;               // kSet
  std::vector<std::string> names;  // kDropTable: the tables
  bool if_exists = false;          // kDropTable
  bool if_not_exists = false;      // kCreateTableAs
};

// Binds one statement: its text (a trailing semicolon is allowed), or what parse() made of it. Errors: those of parse() and
// FileOpener::open(), and with their position 0A000 for what Saccade does not do, 42xxx for names, types and grouping, 22xxx for literals.
// `parameters`: null where the statement can have none (42P02).
BoundStatement bind_statement(const SyntaxTree& tree, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time = {}, StatementParameters* parameters = nullptr);
BoundStatement bind_statement(const std::string& sql, const Catalog& catalog, FileOpener& opener, MemoryPool& pool,
                              const StatementTime& time = {});

}  // namespace saccade
