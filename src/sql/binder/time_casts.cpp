#include "sql/binder/time_casts.hpp"

#include <array>
#include <utility>

#include "sql/binder/literals.hpp"

namespace saccade {

namespace {

constexpr DataType kTimestampType{TypeKind::kTimestamp};
constexpr DataType kTimestamptzType{TypeKind::kTimestamptz};

struct TimeCast {
  TypeKind from, to;
  bool implicit;
};

constexpr std::array<TimeCast, 10> kCasts = {{
    {TypeKind::kDate, TypeKind::kTimestamp, true},
    {TypeKind::kDate, TypeKind::kTimestamptz, true},
    {TypeKind::kTimestamp, TypeKind::kTimestamptz, true},
    {TypeKind::kTime, TypeKind::kInterval, true},
    {TypeKind::kTimestamp, TypeKind::kDate, false},
    {TypeKind::kTimestamp, TypeKind::kTime, false},
    {TypeKind::kTimestamptz, TypeKind::kDate, false},
    {TypeKind::kTimestamptz, TypeKind::kTimestamp, false},
    {TypeKind::kTimestamptz, TypeKind::kTime, false},
    {TypeKind::kInterval, TypeKind::kTime, false},
}};

Expression plain_cast(Expression expression, const DataType& type) {
  const int position = expression.position;
  Expression result = call_expression(Operation::kCast, type, {std::move(expression)});
  result.position = position;
  return result;
}

// The offset of a zone that has only one.
std::optional<std::int64_t> fixed_offset(const TimeZone& zone) {
  return zone.is_fixed() ? std::optional<std::int64_t>(zone.offset_at(0)) : std::nullopt;
}

// A plain cast between the two types takes the zone to be UTC.
Expression shift(Expression moment, const DataType& type, const TimeZone& zone, bool to_local) {
  const int position = moment.position;
  if (const auto offset = fixed_offset(zone)) {
    if (*offset == 0) return plain_cast(std::move(moment), type);
    const std::int64_t microseconds = *offset * 1000000 * (to_local ? 1 : -1);
    return function_call("add_microseconds_i64", type, {std::move(moment), integer_argument(microseconds)}, position);
  }
  Expression name = literal_expression({{TypeKind::kText}, zone.name()});
  Expression result = call_expression(Operation::kTextFunction, type, {std::move(moment), std::move(name)});
  result.name = to_local ? "local_of_utc" : "utc_of_local";
  result.position = position;
  return result;
}

}  // namespace

Expression function_call(const char* name, DataType type, std::vector<Expression> arguments, int position) {
  Expression result = call_expression(Operation::kFunction, type, std::move(arguments));
  result.name = name;
  result.position = position;
  return result;
}

Expression integer_argument(std::int64_t value) {
  return literal_expression({{TypeKind::kBigint}, int128{value}});
}

Expression local_timestamp(Expression timestamptz, const TimeZone& zone) {
  return shift(std::move(timestamptz), kTimestampType, zone, true);
}

Expression zoned_timestamp(Expression timestamp, const TimeZone& zone) {
  return shift(std::move(timestamp), kTimestamptzType, zone, false);
}

bool time_cast_exists(TypeKind from, TypeKind to, bool implicit) {
  for (const TimeCast& cast : kCasts) {
    if (cast.from == from && cast.to == to) return cast.implicit || !implicit;
  }
  return false;
}

std::optional<Expression> cast_time(const Expression& expression, const DataType& to) {
  const TypeKind from = expression.type.kind;
  if (!time_cast_exists(from, to.kind, false)) return std::nullopt;
  const TimeZone& zone = literal_times().time_zone();
  const int position = expression.position;
  if (from == TypeKind::kTimestamptz) {
    Expression local = local_timestamp(expression, zone);
    return to.kind == TypeKind::kTimestamp ? local : cast_time(local, to);
  }
  if (to.kind == TypeKind::kTimestamptz) {
    return zoned_timestamp(from == TypeKind::kDate ? plain_cast(expression, kTimestampType) : expression, zone);
  }
  if (from == TypeKind::kTime) {
    return function_call("make_interval_i64", to, {integer_argument(0), integer_argument(0), expression}, position);
  }
  if (from == TypeKind::kInterval) return function_call("time_of_interval_i128", to, {expression}, position);
  if (to.kind == TypeKind::kTime) return function_call("time_of_timestamp_i64", to, {expression}, position);
  return plain_cast(expression, to);
}

}  // namespace saccade
