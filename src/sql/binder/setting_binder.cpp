// SET, RESET and SHOW.
#include <fmt/format.h>

#include "sql/binder/statement_binders.hpp"

namespace saccade {

namespace {

std::string setting_value(const BindingContext& context, const nlohmann::json& arguments) {
  std::string value;
  for (const nlohmann::json& argument : arguments) {
    const auto [kind, constant] = syntax_node(argument);
    if (kind != "A_Const") context.unsupported("a value of this form in SET", context.tree.start());
    if (!value.empty()) value += ", ";
    if (constant.contains("ival")) {
      value += std::to_string(context.tree.integer(constant));
    } else if (constant.contains("fval")) {
      value += text_field(constant.at("fval"), "fval");
    } else {
      value += text_field(constant.at("sval"), "sval");
    }
  }
  return value;
}

}  // namespace

void bind_set(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  const int position = context.tree.start();
  if (flag_field(fields, "is_local")) context.unsupported("SET LOCAL", position);
  const std::string kind = text_field(fields, "kind");
  statement.name = text_field(fields, "name");
  if (kind == "VAR_SET_VALUE") {
    statement.kind = BoundStatement::Kind::kSet;
    statement.value = setting_value(context, fields.at("args"));
  } else if (kind == "VAR_SET_DEFAULT" || kind == "VAR_RESET" || kind == "VAR_RESET_ALL") {
    statement.kind = BoundStatement::Kind::kReset;
    statement.value = kind == "VAR_SET_DEFAULT" ? "SET" : "RESET";
  } else {
    context.unsupported("this form of SET", position);
  }
}

void bind_show(BindingContext&, const nlohmann::json& fields, BoundStatement& statement) {
  statement.kind = BoundStatement::Kind::kShow;
  statement.name = text_field(fields, "name");
}

}  // namespace saccade
