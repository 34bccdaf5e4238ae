// + - * / where a date, a time, a timestamp or an interval takes part.
#pragma once

#include <optional>

#include "plan/expression.hpp"

namespace saccade {

bool is_date_or_time(const DataType& type);

// Nothing where PostgreSQL has no such operator. An untyped literal takes the type that PostgreSQL chooses for it.
std::optional<Expression> time_arithmetic(Operation operation, Expression left, Expression right, int position);

}  // namespace saccade
