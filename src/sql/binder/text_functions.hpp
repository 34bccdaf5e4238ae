// Binds functions and operators over text by PostgreSQL's names and signatures.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "plan/expression.hpp"

namespace saccade {

// The call of the text function `name` with these bound arguments; nothing where no signature of that name takes them.
std::optional<Expression> text_function_call(std::string_view name, std::vector<Expression> arguments, int position);

// Whether PostgreSQL has a text function of that name, whatever its arguments.
bool is_text_function(std::string_view name);

// left || right; nothing where neither side is text.
std::optional<Expression> text_concatenation(Expression left, Expression right, int position);

// left ~ right, ~*, !~, !~*; nothing for another operator, or where a side is not text.
std::optional<Expression> text_match(std::string_view symbol, Expression left, Expression right, int position);

}  // namespace saccade
