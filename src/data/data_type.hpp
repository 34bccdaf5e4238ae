// The SQL types, and the five lanes in which expressions over them are computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace saccade {

enum class TypeKind : std::uint8_t {
  kUnknown,  // an untyped literal before binding has settled it, and NULL
  kBoolean,
  kSmallint,
  kInteger,
  kBigint,
  kReal,  // in lane float64: every value is one that a float has
  kDouble,
  kNumeric,
  kDate,         // days since 1970-01-01
  kTime,         // microseconds since midnight, 24:00:00 included
  kTimestamp,    // microseconds since 1970-01-01 00:00:00
  kTimestamptz,  // microseconds since 1970-01-01 00:00:00 UTC
  kInterval,     // months, days, microseconds, packed into an int128 (function/scalar/interval.hpp)
  kUuid,         // int128 whose signed order is that of the bytes
  kText,
  kVarchar,  // text of at most `length` characters
  kChar,     // the same, kept without its trailing blanks and printed with them
  kBytea,
};

struct DataType {
  TypeKind kind = TypeKind::kUnknown;
  std::uint8_t precision = 0;  // numeric only, 1..38
  std::uint8_t scale = 0;      // numeric only, 0..precision
  std::int32_t length = 0;     // varchar, char: characters; 0: any number of them (varchar only)

  static DataType numeric(int precision, int scale) {
    return {TypeKind::kNumeric, static_cast<std::uint8_t>(precision), static_cast<std::uint8_t>(scale), 0};
  }
  bool is_integer() const { return kind >= TypeKind::kSmallint && kind <= TypeKind::kBigint; }
  bool is_number() const { return kind >= TypeKind::kSmallint && kind <= TypeKind::kNumeric; }
  bool is_float() const { return kind == TypeKind::kReal || kind == TypeKind::kDouble; }
  bool is_text() const { return kind >= TypeKind::kText && kind <= TypeKind::kChar; }
  bool is_string() const { return kind >= TypeKind::kText && kind <= TypeKind::kBytea; }
  bool operator==(const DataType&) const = default;
};

// How a value of a type is carried while it is computed with. Text is carried as its code in a sorted dictionary (int64) or as
// the string itself (kText: a TextValue, data/text.hpp); a numeric as value * 10^scale, in int64 or int128 as its bounds allow;
// integers, dates, times and timestamps as int64; intervals and uuids as int128.
enum class Lane : std::uint8_t { kBoolean, kInt64, kInt128, kFloat64, kText };

inline constexpr int lane_bytes(Lane lane) {
  return lane == Lane::kBoolean ? 1 : lane == Lane::kInt128 ? 16 : 8;
}

std::string to_string(const DataType& type);  // PostgreSQL's name: "numeric(15,2)", "double precision"
std::string_view to_string(Lane lane);        // "boolean", "int64", "int128", "float64", "text"

}  // namespace saccade
