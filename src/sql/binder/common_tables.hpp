// WITH: the queries that have a name within a statement.
//
// A common table is bound where it is defined. One that stands on its own is a shared part of the plan, computed once for all
// that read it (the optimizer takes it back where there is one reader); one that names columns of an enclosing query, or is NOT
// MATERIALIZED, is bound again for each reader. Lives as long as the binding of the statement.
#pragma once

#include <string>
#include <vector>

#include "sql/binder/binding_context.hpp"
#include "sql/binder/scope.hpp"

namespace saccade {

// The rows and columns of a query.
struct BoundQuery {
  LogicalNode node;
  std::vector<ResultColumn> columns;
};

struct CommonTable {
  std::string name;
  const nlohmann::json* query = nullptr;
  std::vector<std::string> column_names;
  const Scope* outer = nullptr;           // what its query sees of enclosing queries
  const CommonTable* previous = nullptr;  // defined before it, or outside
  int shared = -1;                        // in LogicalPlan::shared; -1: bound for each reader
  std::vector<ResultColumn> columns;      // of the shared part
};

// Makes the tables of a WITH clause visible for as long as it lives. Errors: 0A000 for RECURSIVE, 42712 for a name that is
// repeated, 42P10 for more column names than columns, those of the queries.
class CommonTables {
 public:
  CommonTables(BindingContext& context, const nlohmann::json& select, const Scope* outer);
  ~CommonTables() { context_.common_tables = before_; }
  CommonTables(const CommonTables&) = delete;
  CommonTables& operator=(const CommonTables&) = delete;

 private:
  void define(const nlohmann::json& fields, const Scope* outer);

  BindingContext& context_;
  const CommonTable* before_;
};

// The innermost common table of this name; null where there is none.
const CommonTable* find_common_table(const BindingContext& context, const std::string& name);
// Its rows for one more reader, under columns of their own.
BoundQuery read_common_table(BindingContext& context, const CommonTable& table);
// The rows of a shared part under new columns.
BoundQuery read_shared(BindingContext& context, int shared, const std::vector<ResultColumn>& columns);
// Makes a query that stands on its own a shared part; -1 where it names columns of an enclosing query.
int share(BindingContext& context, BoundQuery& query, const std::string& name);

}  // namespace saccade
