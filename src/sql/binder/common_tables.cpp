#include "sql/binder/common_tables.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "plan/walk.hpp"
#include "sql/binder/select_binder.hpp"

namespace saccade {

namespace {

void rename_columns(BoundQuery& query, const CommonTable& table, int position) {
  if (table.column_names.size() > query.columns.size()) {
    throw Error(sqlstate::kInvalidColumnReference,
                fmt::format("WITH query \"{}\" has {} columns available but {} columns specified", table.name,
                            query.columns.size(), table.column_names.size()),
                position);
  }
  for (std::size_t i = 0; i < table.column_names.size(); ++i) query.columns[i].name = table.column_names[i];
}

}  // namespace

CommonTables::CommonTables(BindingContext& context, const nlohmann::json& select, const Scope* outer)
    : context_(context), before_(context.common_tables) {
  const auto clause = select.find("withClause");
  if (clause == select.end()) return;
  if (flag_field(*clause, "recursive")) context.unsupported("WITH RECURSIVE", context.position(*clause));
  for (const nlohmann::json& item : clause->at("ctes")) define(syntax_node(item).fields, outer);
}

void CommonTables::define(const nlohmann::json& fields, const Scope* outer) {
  const int position = context_.position(fields);
  auto table = std::make_unique<CommonTable>();
  table->name = text_field(fields, "ctename");
  table->column_names = string_list(fields, "aliascolnames");
  table->outer = outer;
  table->previous = context_.common_tables;
  for (const CommonTable* other = table->previous; other != before_; other = other->previous) {
    if (other->name != table->name) continue;
    throw Error(sqlstate::kDuplicateAlias, fmt::format("WITH query name \"{}\" specified more than once", table->name),
                position);
  }
  const auto [kind, query] = syntax_node(fields.at("ctequery"));
  if (kind != "SelectStmt") context_.unsupported("a statement that changes data in WITH", position);
  table->query = &query;
  BoundQuery bound = bind_query(context_, query, outer);
  rename_columns(bound, *table, position);
  const std::string hint = text_field(fields, "ctematerialized");
  if (hint != "CTEMaterializeNever") table->shared = share(context_, bound, table->name);
  if (table->shared >= 0) {
    table->columns = std::move(bound.columns);
    context_.plan.shared.back().keep = hint == "CTEMaterializeAlways";
  }
  context_.common_tables = table.get();
  context_.keep_common_table(std::move(table));
}

const CommonTable* find_common_table(const BindingContext& context, const std::string& name) {
  const CommonTable* table = context.common_tables;
  while (table != nullptr && table->name != name) table = table->previous;
  return table;
}

BoundQuery read_common_table(BindingContext& context, const CommonTable& table) {
  if (table.shared >= 0) return read_shared(context, table.shared, table.columns);
  // Bound anew, in the surroundings of its definition.
  const CommonTable* here = std::exchange(context.common_tables, table.previous);
  BoundQuery query = bind_query(context, *table.query, table.outer);
  context.common_tables = here;
  rename_columns(query, table, 0);
  return query;
}

BoundQuery read_shared(BindingContext& context, int shared, const std::vector<ResultColumn>& columns) {
  BoundQuery result;
  result.node.kind = LogicalKind::kShared;
  result.node.shared = shared;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnId column = context.add_column(columns[i].name, columns[i].type);
    result.node.columns.push_back(static_cast<int>(i));
    result.node.outputs.push_back(column);
    result.columns.push_back({column, columns[i].name, columns[i].type});
  }
  return result;
}

int share(BindingContext& context, BoundQuery& query, const std::string& name) {
  if (!free_columns(query.node).empty()) return -1;
  SharedPlan shared;
  shared.root = std::move(query.node);
  shared.name = name;
  for (const ResultColumn& column : query.columns) shared.columns.push_back(column.column);
  context.plan.shared.push_back(std::move(shared));
  return static_cast<int>(context.plan.shared.size()) - 1;
}

}  // namespace saccade
