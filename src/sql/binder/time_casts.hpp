// Casts between dates, times, timestamps and intervals, some of which depend on the session's time zone.
//
// Pure functions but for literal_times().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/expression.hpp"

namespace saccade {

// A registered scalar function over arguments that are carried in its lanes.
Expression function_call(const char* name, DataType type, std::vector<Expression> arguments, int position);

// The same for integer arguments that are part of a function's call, such as a scale.
Expression integer_argument(std::int64_t value);

// Whether PostgreSQL casts between two such types: explicitly, or only without being told to.
bool time_cast_exists(TypeKind from, TypeKind to, bool implicit);

// Such a cast of a value of type `from`; nothing where another type is involved. Needs time_cast_exists.
std::optional<Expression> cast_time(const Expression& expression, const DataType& to);

// A timestamptz as a timestamp of the zone, and back. Errors: 22023.
Expression local_timestamp(Expression timestamptz, const TimeZone& zone);
Expression zoned_timestamp(Expression timestamp, const TimeZone& zone);

}  // namespace saccade
