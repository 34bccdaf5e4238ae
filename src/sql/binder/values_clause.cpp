// VALUES: constant rows, or rows that are computed from constants, subqueries and columns of enclosing queries.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/expression_binder.hpp"
#include "sql/binder/set_operations.hpp"
#include "sql/binder/subqueries.hpp"

namespace saccade {

namespace {

struct ValuesRow {
  std::vector<Expression> values;
  SubqueryJoins subqueries;
};

std::vector<ValuesRow> bind_rows(BindingContext& context, const nlohmann::json& lists, const Scope& scope) {
  std::vector<ValuesRow> rows;
  for (const nlohmann::json& list : lists) {
    ValuesRow row;
    ExpressionBinder binder(context, scope, "VALUES", nullptr, &row.subqueries);
    const nlohmann::json& items = syntax_node(list).fields.at("items");
    for (const nlohmann::json& item : items) {
      if (syntax_node(item).kind == "SetToDefault")
        throw Error(sqlstate::kSyntaxError, "DEFAULT is not allowed in this context", context.position(item));
      row.values.push_back(binder.bind(item));
    }
    if (!rows.empty() && row.values.size() != rows.front().values.size()) {
      throw Error(sqlstate::kSyntaxError, "VALUES lists must all be the same length", context.position(items),
                  fmt::format("The first has {} values, this one {}.", rows.front().values.size(), row.values.size()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Only literals and what is computed from them: no columns of anything else.
bool is_constant(const ValuesRow& row) {
  return row.subqueries.empty() &&
         std::all_of(row.values.begin(), row.values.end(), [](const Expression& value) { return columns_of(value).empty(); });
}

}  // namespace

BoundQuery bind_values(BindingContext& context, const nlohmann::json& select, const Scope* outer) {
  const CommonTables common(context, select, outer);
  const Scope scope(outer);
  std::vector<ValuesRow> rows = bind_rows(context, select.at("valuesLists"), scope);
  const std::size_t width = rows.front().values.size();
  ExpressionBinder binder(context, scope, "VALUES");
  BoundQuery query;
  for (std::size_t i = 0; i < width; ++i) {
    std::vector<Expression*> column;
    for (ValuesRow& row : rows) column.push_back(&row.values[i]);
    binder.unify(column, "VALUES");
    const std::string name = fmt::format("column{}", i + 1);
    const DataType type = column.front()->type;
    query.node.outputs.push_back(context.add_column(name, type));
    query.columns.push_back({query.node.outputs.back(), name, type});
  }
  const bool constant = std::all_of(rows.begin(), rows.end(), is_constant);
  query.node.kind = constant ? LogicalKind::kValues : LogicalKind::kUnion;
  query.node.rows = constant ? static_cast<std::int64_t>(rows.size()) : 0;
  for (ValuesRow& row : rows) {
    std::move(row.values.begin(), row.values.end(), std::back_inserter(query.node.expressions));
    if (!constant) query.node.children.push_back(row.subqueries.attach({}));
  }
  return order_and_limit(context, select, std::move(query), "VALUES");
}

}  // namespace saccade
