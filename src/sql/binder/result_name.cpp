#include <algorithm>

#include "sql/binder/select_binder.hpp"

namespace saccade {

namespace {

// PostgreSQL's FigureColname. `strength`: 0 no name, 1 a weak one (a type, "case"), 2 a column's or function's.
struct Name {
  std::string text;
  int strength = 0;
};

Name figure_name(const nlohmann::json& expression) {
  const auto [kind, fields] = syntax_node(expression);
  if (kind == "ColumnRef") {
    const std::vector<std::string> names = string_list(fields, "fields");
    return {names.back(), 2};
  }
  if (kind == "FuncCall") return {string_list(fields, "funcname").back(), 2};
  if (kind == "CoalesceExpr") return {"coalesce", 2};
  if (kind == "GroupingFunc") return {"grouping", 2};
  if (kind == "A_Expr" && text_field(fields, "kind") == "AEXPR_NULLIF") return {"nullif", 2};
  if (kind == "TypeCast") {
    const Name inner = figure_name(fields.at("arg"));
    return inner.strength > 1 ? inner : Name{string_list(fields.at("typeName"), "names").back(), 1};
  }
  if (kind == "CaseExpr") {
    const Name inner = fields.contains("defresult") ? figure_name(fields.at("defresult")) : Name{};
    return inner.strength > 1 ? inner : Name{"case", 1};
  }
  return {};
}

}  // namespace

std::string result_name(const nlohmann::json& expression) {
  const Name name = figure_name(expression);
  return name.strength == 0 ? "?column?" : name.text;
}

}  // namespace saccade
