// SQL values as C++ values: what results give and parameters take.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace saccade {

// digits / 10^scale, exactly; at most 38 digits.
struct Decimal {
  __extension__ using Digits = __int128;
  Digits digits = 0;
  int scale = 0;
  bool operator==(const Decimal&) const = default;
};

struct Date {
  std::int32_t days = 0;  // since 1970-01-01
  bool operator==(const Date&) const = default;
};

struct TimeOfDay {
  std::int64_t microseconds = 0;  // since midnight
  bool operator==(const TimeOfDay&) const = default;
};

struct Timestamp {
  std::int64_t microseconds = 0;  // since 1970-01-01 00:00:00, without a zone
  bool operator==(const Timestamp&) const = default;
};

struct TimestampTz {
  std::int64_t microseconds = 0;  // since 1970-01-01 00:00:00 UTC
  bool operator==(const TimestampTz&) const = default;
};

struct TimeSpan {  // interval
  std::int32_t months = 0;
  std::int32_t days = 0;
  std::int64_t microseconds = 0;
  bool operator==(const TimeSpan&) const = default;
};

struct Bytes {  // bytea
  std::string data;
  bool operator==(const Bytes&) const = default;
};

struct Uuid {
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(const Uuid&) const = default;
};

// NULL is monostate; smallint, integer and bigint are int64_t; real and double precision are double; numeric is Decimal;
// text, varchar and char are std::string in UTF-8.
using SqlValue = std::variant<std::monostate, bool, std::int64_t, double, Decimal, std::string, Date, TimeOfDay, Timestamp,
                              TimestampTz, TimeSpan, Bytes, Uuid>;

inline bool is_null(const SqlValue& value) {
  return std::holds_alternative<std::monostate>(value);
}

}  // namespace saccade
