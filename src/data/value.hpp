// One SQL value with its type: literals, bounds, results shown to a person.
#pragma once

#include <string>
#include <variant>

#include "common/int128.hpp"
#include "data/data_type.hpp"

namespace saccade {

struct Interval {
  std::int32_t months = 0;
  std::int32_t days = 0;
  std::int64_t microseconds = 0;
  bool operator==(const Interval&) const = default;
};

// `data` holds: monostate for NULL; bool; int128 for integers, numerics (value * 10^scale), dates (days) and timestamps
// (microseconds); double; string for text and for untyped literals; Interval.
struct Value {
  DataType type;
  std::variant<std::monostate, bool, int128, double, std::string, Interval> data;

  static Value null(DataType type = {}) { return {type, std::monostate{}}; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data); }
  bool operator==(const Value&) const = default;
};

// As PostgreSQL prints it (dates in ISO form, doubles in the shortest form that reads back, booleans t and f; NULL is "").
std::string to_string(const Value& value);

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, and back. Errors of parse_date: 22007, 22008.
std::int64_t days_from_civil(std::int64_t year, int month, int day);
void civil_from_days(std::int64_t days, std::int64_t& year, int& month, int& day);
std::int64_t parse_date(std::string_view text);
// '1998-12-01', '1998-12-01 10:00:00.5': microseconds. Errors: 22007, 22008.
std::int64_t parse_timestamp(std::string_view text);
// '90 days', '1 month', '1 year 2 mons 03:04:05', and '90' with a field given ("day", "month", "year" ...). Errors: 22007.
Interval parse_interval(std::string_view text, std::string_view field = {});
// timestamp + interval: months first with the day clamped to the month's end, then days, then microseconds. Errors: 22008.
std::int64_t add_interval(std::int64_t timestamp, const Interval& interval);
// A decimal literal such as 0.06 or 1e3: exact, with the precision and scale it is written with. Errors: 22003, 22P02.
Value parse_numeric(std::string_view text);

}  // namespace saccade
