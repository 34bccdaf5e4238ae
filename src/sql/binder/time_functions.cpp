#include <array>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/scalar_functions.hpp"
#include "sql/binder/time_casts.hpp"
#include "sql/binder/time_fields.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

namespace {

using Kind = TypeKind;
using Result = std::optional<Expression>;
using Arguments = std::vector<Expression>;

constexpr DataType kBigintType{Kind::kBigint};
constexpr DataType kDoubleType{Kind::kDouble};
constexpr DataType kDateType{Kind::kDate};
constexpr DataType kTimeType{Kind::kTime};
constexpr DataType kTimestampType{Kind::kTimestamp};
constexpr DataType kTimestamptzType{Kind::kTimestamptz};
constexpr DataType kIntervalType{Kind::kInterval};

// A constant string, in lower case.
std::optional<std::string> constant_word(const Expression& argument) {
  const auto* text = std::get_if<std::string>(&argument.literal.data);
  if (argument.operation != Operation::kLiteral || text == nullptr) return std::nullopt;
  std::string word = *text;
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word;
}

// ---- the zone -------------------------------------------------------------------------------------------------------------

// The zone that a constant names: a name, or an interval, which counts to the east.
const TimeZone* constant_zone(const Expression& zone) {
  if (zone.operation != Operation::kLiteral || zone.literal.is_null()) return nullptr;
  if (const auto* name = std::get_if<std::string>(&zone.literal.data)) return &find_time_zone(*name);
  const auto* interval = std::get_if<Interval>(&zone.literal.data);
  if (interval == nullptr) return nullptr;
  if (interval->months != 0 || interval->days != 0) {
    throw Error(sqlstate::kInvalidParameterValue,
                fmt::format("interval time zone \"{}\" must not include months or days", to_string(zone.literal)),
                zone.position);
  }
  return &find_time_zone(fmt::format("{}", static_cast<double>(interval->microseconds / 1000000) / 3600));
}

const TimeZone* positioned_zone(const Expression& zone) {
  try {
    return constant_zone(zone);
  } catch (const Error& error) {
    throw Error(error.sqlstate(), error.what(), zone.position, error.hint());
  }
}

// timezone(zone, x), which AT TIME ZONE is written as.
Result at_time_zone(const Expression& zone, const Expression& argument, int position) {
  const Expression moment = resolve_literal(argument, kTimestamptzType);
  const Kind kind = moment.type.kind;
  if (kind != Kind::kTimestamp && kind != Kind::kTimestamptz && kind != Kind::kDate) return std::nullopt;
  const bool to_local = kind != Kind::kTimestamp;
  const Expression value = kind == Kind::kDate ? coerce(moment, kTimestamptzType) : moment;
  if (zone.operation == Operation::kLiteral && zone.literal.is_null()) {
    return literal_expression(Value::null(to_local ? kTimestampType : kTimestamptzType));
  }
  if (const TimeZone* constant = positioned_zone(zone)) {
    return to_local ? local_timestamp(value, *constant) : zoned_timestamp(value, *constant);
  }
  if (!zone.type.is_text()) return std::nullopt;
  Expression result = call_expression(Operation::kTextFunction, to_local ? kTimestampType : kTimestamptzType, {value, zone});
  result.name = to_local ? "local_of_utc" : "utc_of_local";
  result.position = position;
  return result;
}

Expression in_session_zone(const Expression& timestamptz) {
  return local_timestamp(timestamptz, literal_times().time_zone());
}

// ---- date_trunc -----------------------------------------------------------------------------------------------------------

constexpr std::array<std::pair<std::string_view, DateField>, 13> kUnits = {{{"microseconds", DateField::kMicroseconds},
                                                                            {"milliseconds", DateField::kMilliseconds},
                                                                            {"second", DateField::kSecond},
                                                                            {"minute", DateField::kMinute},
                                                                            {"hour", DateField::kHour},
                                                                            {"day", DateField::kDay},
                                                                            {"week", DateField::kWeek},
                                                                            {"month", DateField::kMonth},
                                                                            {"quarter", DateField::kQuarter},
                                                                            {"year", DateField::kYear},
                                                                            {"decade", DateField::kDecade},
                                                                            {"century", DateField::kCentury},
                                                                            {"millennium", DateField::kMillennium}}};

std::optional<DateField> find_unit(std::string_view name) {
  for (const auto& [unit, field] : kUnits) {
    if (unit == name) return field;
  }
  return std::nullopt;
}

Expression truncate(Expression timestamp, DateField field, int position) {
  return function_call("truncate_timestamp_i64", kTimestampType, {std::move(timestamp), field_argument(field)}, position);
}

// Hours and less are cut off the moment itself: a local time that occurs twice stays the one that it was.
Expression truncate_in_zone(const Expression& moment, DateField field, const TimeZone& zone, int position) {
  Expression local = local_timestamp(moment, zone);
  if (field > DateField::kHour || zone.is_fixed()) return zoned_timestamp(truncate(std::move(local), field, position), zone);
  Expression cut = function_call("subtract_i64", kBigintType, {truncate(local, field, position), local}, position);
  return function_call("add_microseconds_i64", kTimestamptzType, {moment, std::move(cut)}, position);
}

Result date_trunc(BindingContext& context, const Arguments& arguments, int position) {
  const auto word = constant_word(arguments[0]);
  if (!word) {
    if (arguments[0].type.is_text()) context.unsupported("date_trunc by a field that is not a constant", position);
    return std::nullopt;
  }
  const bool zoned = arguments.size() == 3;
  Expression source = zoned ? resolve_literal(arguments[1], kTimestamptzType) : arguments[1];
  if (is_unknown_literal(source)) source = coerce(std::move(source), kTimestamptzType);
  if (source.type.kind == Kind::kTime) source = coerce(std::move(source), kIntervalType);
  if (source.type.kind == Kind::kDate || (zoned && source.type.kind == Kind::kTimestamp)) {
    source = coerce(std::move(source), kTimestamptzType);
  }
  const Kind kind = source.type.kind;
  if (kind != Kind::kTimestamp && kind != Kind::kTimestamptz && (kind != Kind::kInterval || zoned)) return std::nullopt;
  const auto field = find_unit(field_name(*word));
  if (!field) raise_field(false, *word, source.type, position);
  if (kind == Kind::kTimestamp) return truncate(std::move(source), *field, position);
  if (kind == Kind::kInterval) {
    if (*field == DateField::kWeek) raise_field(true, *word, source.type, position);
    return function_call("truncate_interval_i128", kIntervalType, {std::move(source), field_argument(*field)}, position);
  }
  const TimeZone* zone = zoned ? positioned_zone(arguments[2]) : &literal_times().time_zone();
  if (zone == nullptr) context.unsupported("date_trunc in a zone that is not a constant", position);
  return truncate_in_zone(source, *field, *zone, position);
}

// ---- the rest -------------------------------------------------------------------------------------------------------------

// All arguments as the types that are listed; nothing where one is no number or the counts differ.
std::optional<Arguments> coerced(const Arguments& arguments, const std::vector<DataType>& types) {
  if (arguments.size() != types.size()) return std::nullopt;
  Arguments result;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Expression argument = resolve_literal(arguments[i], types[i]);
    const bool integer = types[i].is_integer();
    if (integer ? !argument.type.is_integer() : !argument.type.is_number()) return std::nullopt;
    result.push_back(coerce(std::move(argument), types[i]));
  }
  return result;
}

Result make_moment(const std::string& name, const Arguments& arguments, int position) {
  const bool date = name == "make_date", time = name == "make_time";
  std::vector<DataType> types(date ? 3 : time ? 2 : 5, kBigintType);
  if (!date) types.push_back(kDoubleType);
  const auto values = coerced(arguments, types);
  if (!values) return std::nullopt;
  const auto part = [&](const char* function, const DataType& type, std::size_t first) {
    return function_call(function, type, {(*values)[first], (*values)[first + 1], (*values)[first + 2]}, position);
  };
  if (date) return part("make_date_i64", kDateType, 0);
  if (time) return part("make_time_i64", kTimeType, 0);
  Expression timestamp = function_call("timestamp_of_date_and_time_i64", kTimestampType,
                                       {part("make_date_i64", kDateType, 0), part("make_time_i64", kTimeType, 3)}, position);
  return name == "make_timestamptz" ? zoned_timestamp(std::move(timestamp), literal_times().time_zone()) : timestamp;
}

// years, months, weeks, days, hours, mins, secs
Result make_interval(const Arguments& arguments, int position) {
  if (arguments.size() > 7) return std::nullopt;
  Arguments given = arguments;
  while (given.size() < 7) given.push_back(integer_argument(0));
  std::vector<DataType> types(6, kBigintType);
  types.push_back(kDoubleType);
  const auto values = coerced(given, types);
  if (!values) return std::nullopt;
  const auto times = [&](std::size_t i, std::int64_t unit) {
    return call_expression(Operation::kMultiply, kBigintType, {(*values)[i], integer_argument(unit)});
  };
  const auto sum = [](Expression a, Expression b) {
    return call_expression(Operation::kAdd, kBigintType, {std::move(a), std::move(b)});
  };
  Expression seconds =
      call_expression(Operation::kMultiply, kDoubleType, {(*values)[6], literal_expression({kDoubleType, 1000000.0})});
  Expression time = sum(sum(times(4, 3600000000), times(5, 60000000)), coerce(std::move(seconds), kBigintType));
  return function_call("make_interval_i64", kIntervalType,
                       {sum(times(0, 12), (*values)[1]), sum(times(2, 7), (*values)[3]), std::move(time)}, position);
}

Result age(const Arguments& arguments, int position) {
  Arguments moments;
  bool zoned = false;
  for (const Expression& argument : arguments) {
    moments.push_back(resolve_literal(argument, kTimestamptzType));
    const Kind kind = moments.back().type.kind;
    if (kind != Kind::kDate && kind != Kind::kTimestamp && kind != Kind::kTimestamptz) return std::nullopt;
    zoned |= kind == Kind::kTimestamptz || (kind == Kind::kDate && arguments.size() == 2);
  }
  for (Expression& moment : moments) {
    if (zoned) moment = coerce(std::move(moment), kTimestamptzType);
    moment = zoned ? in_session_zone(moment) : coerce(std::move(moment), kTimestampType);
  }
  if (moments.size() == 1) {  // since midnight of today
    const std::int64_t now = literal_times().time_zone().to_local(literal_times().now);
    FunctionError none = FunctionError::kNone;
    const i64 midnight = truncate_timestamp_i64(now, static_cast<i64>(DateField::kDay), none);
    moments.insert(moments.begin(), literal_expression({kTimestampType, int128{midnight}}));
  }
  return function_call("age_i64", kIntervalType, std::move(moments), position);
}

Result justify(const std::string& name, const Expression& argument, int position) {
  const Expression interval = coerce(resolve_literal(argument, kIntervalType), kIntervalType);
  if (argument.type.kind != Kind::kInterval && argument.type.kind != Kind::kTime && !is_unknown_literal(argument))
    return std::nullopt;
  return function_call((name + "_i128").c_str(), kIntervalType, {interval}, position);
}

// Dates and timestamps are never infinite here.
Result is_finite(const Expression& argument, int position) {
  const Kind kind = argument.type.kind;
  const bool fits = kind == Kind::kDate || kind == Kind::kTimestamp || kind == Kind::kTimestamptz || kind == Kind::kInterval;
  if (!fits) return std::nullopt;
  constexpr DataType kBooleanType{Kind::kBoolean};
  Expression known = call_expression(Operation::kIsNotNull, kBooleanType, {argument});
  Expression result = call_expression(
      Operation::kCase, kBooleanType,
      {std::move(known), literal_expression({kBooleanType, true}), literal_expression(Value::null(kBooleanType))});
  result.position = position;
  return result;
}

Expression now_literal(const BindingContext& context) {
  return literal_expression({kTimestamptzType, int128{context.time.now}});
}

}  // namespace

Result bind_time_function(BindingContext& context, const std::string& name, const Arguments& arguments, int position) {
  const std::size_t count = arguments.size();
  if (name == "date_trunc" && (count == 2 || count == 3)) return date_trunc(context, arguments, position);
  if (name == "timezone" && count == 2) return at_time_zone(arguments[0], arguments[1], position);
  if (name == "make_date" || name == "make_time" || name == "make_timestamp" || name == "make_timestamptz") {
    return make_moment(name, arguments, position);
  }
  if (name == "make_interval") return make_interval(arguments, position);
  if (name == "age" && (count == 1 || count == 2)) return age(arguments, position);
  if (count == 1 && name.starts_with("justify_")) {
    const bool known = name == "justify_hours" || name == "justify_days" || name == "justify_interval";
    return known ? justify(name, arguments[0], position) : std::nullopt;
  }
  if (name == "isfinite" && count == 1) return is_finite(arguments[0], position);
  if (name == "to_timestamp" && count == 1) {
    const auto seconds = coerced(arguments, {kDoubleType});
    return seconds ? Result(function_call("timestamp_of_epoch_f64", kTimestamptzType, *seconds, position)) : std::nullopt;
  }
  const bool now =
      name == "now" || name == "transaction_timestamp" || name == "statement_timestamp" || name == "clock_timestamp";
  return now && count == 0 ? Result(now_literal(context)) : std::nullopt;
}

Result bind_current_time(BindingContext& context, const std::string& name, int digits, int position) {
  Expression now = now_literal(context);
  if (digits >= 0 && digits < 6) {
    std::int64_t unit = 1;
    for (int i = digits; i < 6; ++i) unit *= 10;
    now.literal.data = int128{(context.time.now + unit / 2) / unit * unit};
  }
  now.position = position;
  if (name == "SVFOP_CURRENT_TIMESTAMP" || name == "SVFOP_CURRENT_TIMESTAMP_N") return now;
  const std::int64_t local =
      literal_times().time_zone().to_local(static_cast<std::int64_t>(std::get<int128>(now.literal.data)));
  if (name == "SVFOP_CURRENT_DATE") {
    return literal_expression({kDateType, int128{date_of_timestamp_i64(local)}});
  }
  if (name == "SVFOP_LOCALTIMESTAMP" || name == "SVFOP_LOCALTIMESTAMP_N") {
    return literal_expression({kTimestampType, int128{local}});
  }
  if (name == "SVFOP_LOCALTIME" || name == "SVFOP_LOCALTIME_N") {
    return literal_expression({kTimeType, int128{time_of_timestamp_i64(local)}});
  }
  if (name == "SVFOP_CURRENT_TIME" || name == "SVFOP_CURRENT_TIME_N") {
    throw Error(sqlstate::kFeatureNotSupported, "the type time with time zone of CURRENT_TIME is not supported", position,
                "Use LOCALTIME.");
  }
  return std::nullopt;
}

Result bind_scalar_function(BindingContext& context, const std::string& name, const Arguments& arguments, int position) {
  if (Result result = bind_number_function(name, arguments, position)) return result;
  return bind_time_function(context, name, arguments, position);
}

}  // namespace saccade
