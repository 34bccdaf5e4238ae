// PREPARE, EXECUTE and DEALLOCATE: prepared statements by name.
#include <fmt/format.h>

#include <utility>

#include "common/error.hpp"
#include "engine/prepared_statement.hpp"
#include "engine/session.hpp"
#include "optimizer/optimizer.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

constexpr const char* kUndefinedStatement = "26000";
constexpr const char* kDuplicateStatement = "42P05";

}  // namespace

std::unique_ptr<QueryResult> SessionState::prepare_named(const SyntaxTree& tree, const BoundStatement& statement) {
  if (named_statements_.contains(statement.name)) {
    throw Error(kDuplicateStatement, fmt::format("prepared statement \"{}\" already exists", statement.name), tree.start(),
                fmt::format("Choose another name, or DEALLOCATE {} first.", statement.name));
  }
  NamedStatement named{tree.with_statement(tree.statement().at("PrepareStmt").at("query")), {}};
  for (const DataType& type : statement.types) named.parameters.parameters.push_back({true, DataType{type.kind}});
  MemoryPool pool("statement", 0, &core_->pool);
  bind(named.tree, &named.parameters, pool);
  check_parameter_types(named.parameters);
  named_statements_.emplace(statement.name, std::move(named));
  return make_command_result("PREPARE");
}

std::unique_ptr<QueryResult> SessionState::execute_named(const BoundStatement& statement) {
  const auto found = named_statements_.find(statement.name);
  if (found == named_statements_.end())
    throw Error(kUndefinedStatement, fmt::format("prepared statement \"{}\" does not exist", statement.name));
  StatementParameters parameters = found->second.parameters;
  const std::vector<Expression>& given = statement.rows.front();
  if (given.size() != parameters.parameters.size()) {
    throw Error(sqlstate::kSyntaxError, fmt::format("wrong number of parameters for prepared statement \"{}\"", statement.name),
                0, fmt::format("Expected {} parameters but got {}.", parameters.parameters.size(), given.size()));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Expression value = fold_constants(assign(given[i], parameters.parameters[i].type, fmt::format("${}", i + 1)));
    const bool constant = value.operation == Operation::kLiteral;
    parameters.values.push_back(constant ? value.literal : evaluate({value}).front());
  }
  return run(found->second.tree, &parameters);
}

std::unique_ptr<QueryResult> SessionState::deallocate(const std::string& name) {
  if (name.empty()) {
    named_statements_.clear();
    return make_command_result("DEALLOCATE ALL");
  }
  if (named_statements_.erase(name) == 0)
    throw Error(kUndefinedStatement, fmt::format("prepared statement \"{}\" does not exist", name));
  return make_command_result("DEALLOCATE");
}

}  // namespace saccade
