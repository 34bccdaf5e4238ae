#include "sql/binder/time_fields.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "sql/binder/literals.hpp"
#include "sql/binder/scalar_functions.hpp"
#include "sql/binder/time_casts.hpp"
#include "sql/binder/type_rules.hpp"

namespace saccade {

std::string_view field_name(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 51> kNames = {{{"microsecond", "microseconds"},
                                                                                     {"microsecon", "microseconds"},
                                                                                     {"usec", "microseconds"},
                                                                                     {"usecs", "microseconds"},
                                                                                     {"usecond", "microseconds"},
                                                                                     {"useconds", "microseconds"},
                                                                                     {"us", "microseconds"},
                                                                                     {"millisecond", "milliseconds"},
                                                                                     {"millisecon", "milliseconds"},
                                                                                     {"msec", "milliseconds"},
                                                                                     {"msecs", "milliseconds"},
                                                                                     {"msecond", "milliseconds"},
                                                                                     {"mseconds", "milliseconds"},
                                                                                     {"ms", "milliseconds"},
                                                                                     {"seconds", "second"},
                                                                                     {"sec", "second"},
                                                                                     {"secs", "second"},
                                                                                     {"s", "second"},
                                                                                     {"minutes", "minute"},
                                                                                     {"min", "minute"},
                                                                                     {"mins", "minute"},
                                                                                     {"m", "minute"},
                                                                                     {"hours", "hour"},
                                                                                     {"hr", "hour"},
                                                                                     {"hrs", "hour"},
                                                                                     {"h", "hour"},
                                                                                     {"days", "day"},
                                                                                     {"d", "day"},
                                                                                     {"weeks", "week"},
                                                                                     {"w", "week"},
                                                                                     {"months", "month"},
                                                                                     {"mon", "month"},
                                                                                     {"mons", "month"},
                                                                                     {"qtr", "quarter"},
                                                                                     {"years", "year"},
                                                                                     {"yr", "year"},
                                                                                     {"yrs", "year"},
                                                                                     {"y", "year"},
                                                                                     {"decades", "decade"},
                                                                                     {"dec", "decade"},
                                                                                     {"decs", "decade"},
                                                                                     {"centuries", "century"},
                                                                                     {"cent", "century"},
                                                                                     {"c", "century"},
                                                                                     {"millennia", "millennium"},
                                                                                     {"mil", "millennium"},
                                                                                     {"mils", "millennium"},
                                                                                     {"jd", "julian"},
                                                                                     {"isoy", "isoyear"},
                                                                                     {"timezone_h", "timezone_hour"},
                                                                                     {"timezone_m", "timezone_minute"}}};
  for (const auto& [name, field] : kNames) {
    if (name == word) return field;
  }
  return word;
}

Expression field_argument(DateField field) {
  return integer_argument(static_cast<std::int64_t>(field));
}

[[noreturn]] void raise_field(bool known, std::string_view field, const DataType& type, int position) {
  throw Error(known ? sqlstate::kFeatureNotSupported : sqlstate::kInvalidParameterValue,
              fmt::format("unit \"{}\" not {} for type {}", field, known ? "supported" : "recognized", to_string(type)),
              position);
}

namespace {

using Kind = TypeKind;
using Result = std::optional<Expression>;

constexpr DataType kBigintType{Kind::kBigint};
constexpr DataType kDateType{Kind::kDate};
constexpr DataType kTimeType{Kind::kTime};

struct ExtractField {
  std::string_view name;
  DateField field;
  int digits;  // at most, of a date's field; 0: no date has it
  bool of_interval;
};

constexpr std::array<ExtractField, 18> kFields = {{
    {"year", DateField::kYear, 7, true},
    {"month", DateField::kMonth, 2, true},
    {"day", DateField::kDay, 2, true},
    {"quarter", DateField::kQuarter, 1, true},
    {"decade", DateField::kDecade, 6, true},
    {"century", DateField::kCentury, 5, true},
    {"millennium", DateField::kMillennium, 4, true},
    {"week", DateField::kWeek, 2, false},
    {"isoyear", DateField::kIsoYear, 7, false},
    {"dow", DateField::kDayOfWeek, 1, false},
    {"isodow", DateField::kIsoDayOfWeek, 1, false},
    {"doy", DateField::kDayOfYear, 3, false},
    {"julian", DateField::kJulian, 10, false},
    {"hour", DateField::kHour, 0, true},
    {"minute", DateField::kMinute, 0, true},
    {"second", DateField::kSecond, 0, true},
    {"milliseconds", DateField::kMilliseconds, 0, true},
    {"microseconds", DateField::kMicroseconds, 0, true},
}};

const ExtractField* find_field(std::string_view name) {
  for (const ExtractField& field : kFields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// Seconds have six digits behind the point, milliseconds three: the same number with another point.
DataType time_field_type(DateField field) {
  switch (field) {
    case DateField::kSecond:
      return DataType::numeric(8, 6);
    case DateField::kMilliseconds:
      return DataType::numeric(8, 3);
    case DateField::kMicroseconds:
      return DataType::numeric(8, 0);
    case DateField::kMinute:
      return DataType::numeric(2, 0);
    default:
      return DataType::numeric(10, 0);  // an interval's hours
  }
}

// Microseconds as seconds.
Expression seconds_of(const Expression& microseconds, int position) {
  return function_call("add_i64", DataType::numeric(19, 6), {microseconds, integer_argument(0)}, position);
}

Result extract_from_interval(std::string_view name, const Expression& source, int position) {
  if (name == "epoch") return function_call("interval_epoch_i128", DataType::numeric(28, 6), {source}, position);
  const ExtractField* field = find_field(name);
  if (field == nullptr) return std::nullopt;
  if (!field->of_interval) raise_field(true, name, source.type, position);
  const DataType type = field->digits > 0 ? DataType::numeric(10, 0) : time_field_type(field->field);
  return function_call("interval_field_i128", type, {source, field_argument(field->field)}, position);
}

Result extract_from_time(std::string_view name, const Expression& source, int position) {
  if (name == "epoch") return seconds_of(source, position);
  const ExtractField* field = find_field(name);
  if (field == nullptr) return std::nullopt;
  if (field->digits > 0) raise_field(true, name, source.type, position);
  const DataType type = field->field == DateField::kHour ? DataType::numeric(2, 0) : time_field_type(field->field);
  return function_call("time_field_i64", type, {source, field_argument(field->field)}, position);
}

Result extract_from_date(std::string_view name, const Expression& source, int position) {
  if (name == "epoch") {
    return function_call("date_field_i64", DataType::numeric(15, 0), {source, field_argument(DateField::kEpoch)}, position);
  }
  const ExtractField* field = find_field(name);
  if (field == nullptr) return std::nullopt;
  if (field->digits == 0) raise_field(true, name, source.type, position);
  const DataType type = DataType::numeric(field->digits, 0);
  if (name == "year" || name == "month" || name == "day") {  // the optimizer knows their ranges
    Expression result = call_expression(Operation::kExtract, type, {source});
    result.name = name;
    result.position = position;
    return result;
  }
  return function_call("date_field_i64", type, {source, field_argument(field->field)}, position);
}

Result extract_from_timestamp(std::string_view name, const Expression& source, int position) {
  if (name == "epoch") return seconds_of(source, position);
  if (name == "julian") return function_call("julian_timestamp_i64", DataType::numeric(24, 16), {source}, position);
  const ExtractField* field = find_field(name);
  if (field == nullptr) return std::nullopt;
  if (field->digits == 0) {
    return extract_from_time(name, function_call("time_of_timestamp_i64", kTimeType, {source}, position), position);
  }
  if (name == "year" || name == "month" || name == "day") return extract_from_date(name, source, position);
  return extract_from_date(name, function_call("date_of_timestamp_i64", kDateType, {source}, position), position);
}

Result extract_from_timestamptz(std::string_view name, const Expression& source, int position) {
  if (name == "epoch") return seconds_of(source, position);
  const Expression local = local_timestamp(source, literal_times().time_zone());
  if (name != "timezone" && name != "timezone_hour" && name != "timezone_minute") {
    return extract_from_timestamp(name, local, position);
  }
  Expression offset = function_call("subtract_i64", kBigintType, {local, source}, position);
  const std::int64_t unit = name == "timezone" ? 1000000 : name == "timezone_hour" ? 3600000000 : 60000000;
  offset = call_expression(Operation::kDivide, kBigintType, {std::move(offset), integer_argument(unit)});
  if (name == "timezone_minute")
    offset = call_expression(Operation::kModulo, kBigintType, {std::move(offset), integer_argument(60)});
  return coerce(std::move(offset), DataType::numeric(19, 0));
}

}  // namespace

Result bind_extract_field(const std::string& field, const Expression& source, int position) {
  std::string word = field;
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string_view name = field_name(word);
  Result result;
  switch (source.type.kind) {
    case Kind::kDate:
      result = extract_from_date(name, source, position);
      break;
    case Kind::kTime:
      result = extract_from_time(name, source, position);
      break;
    case Kind::kTimestamp:
      result = extract_from_timestamp(name, source, position);
      break;
    case Kind::kTimestamptz:
      result = extract_from_timestamptz(name, source, position);
      break;
    case Kind::kInterval:
      result = extract_from_interval(name, source, position);
      break;
    default:
      return std::nullopt;
  }
  const bool zone = name.starts_with("timezone");
  if (!result) raise_field(zone, word, source.type, position);
  return result;
}

}  // namespace saccade
