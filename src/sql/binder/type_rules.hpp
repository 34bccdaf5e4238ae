// PostgreSQL's rules for types: what an operator or CASE makes of its operands' types, and the casts between types.
//
// Pure functions. Precision is capped at 38 digits with the scale kept: what does not fit then is an error at run time.
#pragma once

#include <optional>
#include <vector>

#include "plan/expression.hpp"

namespace saccade {

inline constexpr int kMaxPrecision = 38;

// Integers as numerics of scale 0; an integer literal as one of just its digits. Numerics as they are.
DataType numeric_type_of(const Expression& number);

// The type of left (+ - * / %) right, both numbers. Errors, with `position`: 22003 where a product has more than 38 digits
// behind the point, 42883 for % of doubles.
DataType arithmetic_type(Operation operation, const Expression& left, const Expression& right, int position);

// The one type in which both can be compared, or to which the branches of a CASE are brought; nothing where there is none.
// Unknown literals take the other side's type, two of them are text.
std::optional<DataType> common_type(const Expression& left, const Expression& right);

// The type of an aggregate over an argument; nothing where there is no such aggregate.
std::optional<DataType> aggregate_type(AggregateKind kind, const DataType& argument);

// An implicit cast to `type`, which is allowed by what chose the type: literals are converted, else a kCast is put around.
Expression coerce(Expression expression, const DataType& type);

// CAST(expression AS type). Errors, with `position`: 42846 where PostgreSQL has no such cast, 0A000 where Saccade has none.
Expression cast_explicitly(Expression expression, const DataType& type, int position);

// A value for a column of INSERT, UPDATE or DEFAULT, by PostgreSQL's assignment casts. Errors: 42804 where there is none.
Expression assign(Expression expression, const DataType& type, const std::string& column);

bool is_unknown_literal(const Expression& expression);

// An untyped literal beside a value of type `other`: it takes that type, but a numeric keeps the scale it is written with.
// Other expressions are returned as they are.
Expression resolve_literal(Expression expression, const DataType& other);

// A number that is compared with a value of type `other`: a literal takes that type where it fits exactly, so that the other
// side needs no cast (smallint = 5). Other expressions are returned as they are.
Expression narrow_literal(Expression expression, const DataType& other);

}  // namespace saccade
