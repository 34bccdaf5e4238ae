// One SQL value with its type: literals, bounds, results shown to a person.
#pragma once

#include <string>
#include <variant>

#include "common/int128.hpp"
#include "data/data_type.hpp"
#include "data/time_zone.hpp"

namespace saccade {

struct Interval {
  std::int32_t months = 0;
  std::int32_t days = 0;
  std::int64_t microseconds = 0;
  bool operator==(const Interval&) const = default;
};

// `data` holds: monostate for NULL; bool; int128 for integers, numerics (value * 10^scale), dates (days), times and timestamps
// (microseconds) and uuids; double; string for text (a char without its trailing blanks), bytea and untyped literals; Interval.
struct Value {
  DataType type;
  std::variant<std::monostate, bool, int128, double, std::string, Interval> data;

  static Value null(DataType type = {}) { return {type, std::monostate{}}; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data); }
  bool operator==(const Value&) const = default;
};

// As PostgreSQL prints it (dates in ISO form, doubles in the shortest form that reads back, booleans t and f, a char with its
// blanks; NULL is ""). Times with a zone are shown in `zone`.
std::string to_string(const Value& value, const TimeZone& zone = utc_zone());

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, and back.
std::int64_t days_from_civil(std::int64_t year, int month, int day);
void civil_from_days(std::int64_t days, std::int64_t& year, int& month, int& day);
// The forms that PostgreSQL reads with DateStyle ISO, MDY: '1998-12-01', 'Dec 1, 1998', '10:00:00.5', '1998-12-01 10:00:00+02',
// 'today'; `context` says what now and the local zone are. A zone that stands where the type has none is passed over. Errors:
// 22007, 22008, 22009, 22023 (a zone that is not known), 0A000 (infinity).
std::int64_t parse_date(std::string_view text, const TimeContext& context = {});
std::int64_t parse_time(std::string_view text, const TimeContext& context = {});
std::int64_t parse_timestamp(std::string_view text, const TimeContext& context = {});
std::int64_t parse_timestamptz(std::string_view text, const TimeContext& context = {});
// '90 days', '1 year 2 mons 03:04:05', '1-2 3 4:05', 'P1Y2M3DT4H5M6S', '@ 1 day ago'; a number without a unit counts in `field`
// ("day", "day to second" ..., else seconds), and what is finer than the field is cut off. Errors: 22007, 22008, 22015.
Interval parse_interval(std::string_view text, std::string_view field = {});
// As the int128 lane has it (function/scalar/interval.hpp), and back. Errors of pack_interval: 22008.
int128 pack_interval(const Interval& interval);
Interval unpack_interval(int128 packed);
// 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' in PostgreSQL's forms. Errors: 22P02.
int128 parse_uuid(std::string_view text);
// '\xdeadbeef', or the escape form in which \ and \ooo stand for bytes. Errors: 22P02.
std::string parse_bytea(std::string_view text);
// A decimal literal such as 0.06 or 1e3: exact, with the precision and scale it is written with. Errors: 22003, 22P02.
Value parse_numeric(std::string_view text);

}  // namespace saccade
