// SQL's scalar functions by their names: which overload PostgreSQL takes, and what it is made of here.
//
// Pure functions; each gives nothing where PostgreSQL has no function of that name for such arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/expression.hpp"
#include "sql/binder/binding_context.hpp"

namespace saccade {

// Any function below.
std::optional<Expression> bind_scalar_function(BindingContext& context, const std::string& name,
                                               const std::vector<Expression>& arguments, int position);

// Of numbers: abs, round, mod, gcd ...
std::optional<Expression> bind_number_function(const std::string& name, const std::vector<Expression>& arguments, int position);

// Operators over integers and floats that are no comparisons and none of + - * / %: & | # ~ << >> @ |/. `left` is empty for a
// prefix.
std::optional<Expression> bind_number_operator(const std::string& symbol, std::optional<Expression> left, Expression right,
                                               int position);

// Of dates, times and intervals: date_trunc, age, make_date, timezone ... Errors: 0A000, 22023 for fields and zones.
std::optional<Expression> bind_time_function(BindingContext& context, const std::string& name,
                                             const std::vector<Expression>& arguments, int position);

// extract(field FROM source). Errors: 0A000 for a field that the type does not have, 22023 for one that no type has.
std::optional<Expression> bind_extract_field(const std::string& field, const Expression& source, int position);

// CURRENT_DATE and its like, by libpg_query's name of them (SVFOP_CURRENT_DATE); nothing where it is not about time.
std::optional<Expression> bind_current_time(BindingContext& context, const std::string& name, int digits, int position);

}  // namespace saccade
