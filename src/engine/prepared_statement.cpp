#include "engine/prepared_statement.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/query_error.hpp"

namespace saccade {

namespace {

std::string type_name(const DataType& type) {
  // A parameter's numeric has no digits of its own.
  return type.kind == TypeKind::kNumeric && type.precision == 0 ? "numeric" : to_string(type);
}

class PreparedStatementImplementation : public PreparedStatement {
 public:
  PreparedStatementImplementation(std::shared_ptr<SessionState> session, SyntaxTree tree, StatementParameters parameters,
                                  std::vector<ResultField> fields)
      : session_(std::move(session)), tree_(std::move(tree)), parameters_(std::move(parameters)), fields_(std::move(fields)) {
    for (const StatementParameters::Parameter& parameter : parameters_.parameters)
      type_names_.push_back(type_name(parameter.type));
  }

  const std::vector<std::string>& parameter_types() const override { return type_names_; }
  const std::vector<ResultField>& fields() const override { return fields_; }

  std::unique_ptr<QueryResult> execute(const std::vector<SqlValue>& values) override {
    StatementParameters bound = parameters_;
    as_query_errors([&] { bound.values = convert(values); });
    return session_->execute(tree_, bound);
  }

 private:
  std::vector<Value> convert(const std::vector<SqlValue>& values) const {
    if (values.size() != parameters_.parameters.size()) {
      throw Error(
          sqlstate::kProtocolViolation,
          fmt::format("{} values are given, but the statement has {} parameters", values.size(), parameters_.parameters.size()),
          0, "Give one value for each of $1, $2 ...");
    }
    std::vector<Value> converted;
    for (std::size_t i = 0; i < values.size(); ++i)
      converted.push_back(parameter_value(values[i], parameters_.parameters[i].type, static_cast<int>(i) + 1));
    return converted;
  }

  std::shared_ptr<SessionState> session_;
  SyntaxTree tree_;
  StatementParameters parameters_;
  std::vector<ResultField> fields_;
  std::vector<std::string> type_names_;
};

std::vector<ResultField> described_fields(const BoundStatement& statement) {
  if (statement.kind == BoundStatement::Kind::kExplain) return {{"QUERY PLAN", "text"}};
  if (statement.kind == BoundStatement::Kind::kShow) return {{statement.name, "text"}};
  if (statement.kind != BoundStatement::Kind::kSelect) return {};
  std::vector<ResultField> fields;
  for (const ResultColumn& column : statement.plan.result)
    fields.push_back({column.name, column.type.kind == TypeKind::kUnknown ? "text" : type_name(column.type)});
  return fields;
}

}  // namespace

void check_parameter_types(const StatementParameters& parameters) {
  for (std::size_t i = 0; i < parameters.parameters.size(); ++i) {
    if (parameters.parameters[i].type.kind == TypeKind::kUnknown) {
      throw Error(sqlstate::kIndeterminateDatatype, fmt::format("could not determine data type of parameter ${}", i + 1), 0,
                  fmt::format("Say which it has, as in ${}::integer.", i + 1));
    }
  }
}

std::unique_ptr<PreparedStatement> make_prepared_statement(std::shared_ptr<SessionState> session, SyntaxTree tree,
                                                           StatementParameters parameters, const BoundStatement& described) {
  check_parameter_types(parameters);
  return std::make_unique<PreparedStatementImplementation>(std::move(session), std::move(tree), std::move(parameters),
                                                           described_fields(described));
}

}  // namespace saccade
