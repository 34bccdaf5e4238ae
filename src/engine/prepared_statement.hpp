// A prepared statement: its syntax tree, bound anew for each execution with the values at hand.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>

#include "engine/session.hpp"

namespace saccade {

// `described`: the statement as it was bound to find the parameters' types. Errors: 42P18 where one has none.
std::unique_ptr<PreparedStatement> make_prepared_statement(std::shared_ptr<SessionState> session, SyntaxTree tree,
                                                           StatementParameters parameters, const BoundStatement& described);

// Errors: 42P18 where a parameter has no type.
void check_parameter_types(const StatementParameters& parameters);

// A value for parameter $number of this type; a numeric keeps its own scale. Errors: 42804, 22003, those of literals.
Value parameter_value(const SqlValue& given, const DataType& type, int number);

}  // namespace saccade
