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
  if (kind == "MinMaxExpr") return {text_field(fields, "op") == "IS_LEAST" ? "least" : "greatest", 2};
  if (kind == "SQLValueFunction" && text_field(fields, "op").size() > 6) {  // SVFOP_CURRENT_DATE, SVFOP_LOCALTIME_N
    std::string name = text_field(fields, "op").substr(6);
    if (name.ends_with("_N")) name.resize(name.size() - 2);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return {name, 2};
  }
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
