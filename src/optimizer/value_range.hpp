// What statistics prove about expressions: the range of their values, and whether evaluating them can raise an error.
//
// Pure functions; a ColumnRanges must give proven bounds or none.
#pragma once

#include <functional>
#include <optional>

#include "data/column.hpp"
#include "plan/expression.hpp"

namespace saccade {

using ColumnRanges = std::function<std::optional<Bounds>(ColumnId)>;

// Bounds of the non-null values of an integer, numeric (at its scale), date, timestamp or boolean expression; nothing where
// none are known.
std::optional<Bounds> range_of(const Expression& expression, const ColumnRanges& columns);

// True unless no value within the columns' ranges makes the expression raise an error.
bool can_fail(const Expression& expression, const ColumnRanges& columns);

}  // namespace saccade
