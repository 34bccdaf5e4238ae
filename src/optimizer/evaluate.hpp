// The value of an expression whose arguments are literals, computed by the scalar functions that rows are computed with.
#pragma once

#include <optional>

#include "plan/expression.hpp"

namespace saccade {

// Nothing where evaluating would raise an error or is left to run time. `expression` is an operation (not a connective, CASE or
// COALESCE) over literals that are not null.
std::optional<Value> evaluate(const Expression& expression);

// The same for kTextFunction, whose arguments may be null.
std::optional<Value> evaluate_text_function(const Expression& expression);
// The same for a registered function.
std::optional<Value> evaluate_function(const Expression& expression);

// A literal cast to another type, under the same rules.
std::optional<Value> cast_value(const Value& value, const DataType& to);

}  // namespace saccade
