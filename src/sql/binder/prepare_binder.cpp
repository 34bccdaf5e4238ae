// PREPARE, EXECUTE, DEALLOCATE: the statement within PREPARE is bound by who runs it.
#include "sql/binder/expression_binder.hpp"
#include "sql/binder/statement_binders.hpp"

namespace saccade {

void bind_prepare(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  statement.kind = BoundStatement::Kind::kPrepare;
  statement.name = text_field(fields, "name");
  if (!fields.contains("argtypes")) return;
  const Scope no_columns;
  ExpressionBinder binder(context, no_columns, "PREPARE");
  for (const nlohmann::json& type : fields.at("argtypes")) {
    const nlohmann::json& name = syntax_node(type).fields;
    statement.types.push_back(binder.bind_type(name, context.position(name)));
  }
}

void bind_execute(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  statement.kind = BoundStatement::Kind::kExecute;
  statement.name = text_field(fields, "name");
  std::vector<Expression>& values = statement.rows.emplace_back();
  if (!fields.contains("params")) return;
  const Scope no_columns;
  ExpressionBinder binder(context, no_columns, "EXECUTE");
  for (const nlohmann::json& parameter : fields.at("params")) values.push_back(binder.bind(parameter));
}

void bind_deallocate(BindingContext&, const nlohmann::json& fields, BoundStatement& statement) {
  statement.kind = BoundStatement::Kind::kDeallocate;
  statement.name = text_field(fields, "name");
}

}  // namespace saccade
