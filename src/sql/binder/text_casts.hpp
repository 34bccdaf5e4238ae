// Casts between text in its three types and the types whose text depends on more than the value, or is made on the host only.
//
// Pure functions but for literal_times().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/expression.hpp"

namespace saccade {

// A function of function/text/registry.hpp.
Expression text_function(std::string_view name, DataType type, std::vector<Expression> arguments, int position);

// A cast in which a text, a varchar or a char takes part and the lowering has none of its own. What is too long is cut off.
std::optional<Expression> cast_text(const Expression& expression, const DataType& to);

// What a column of type `to` takes of a text: as cast_text, but what is too long is error 22001. Other types are as they are.
Expression fit_to_column(Expression expression, const DataType& to);

// The type of two texts together: of two varchars a varchar, of two chars the longer char, else text.
DataType common_text_type(const DataType& a, const DataType& b);

}  // namespace saccade
