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
  kDouble,
  kNumeric,
  kDate,       // days since 1970-01-01
  kTimestamp,  // microseconds since 1970-01-01 00:00:00
  kInterval,   // literals only: months, days, microseconds
  kText,
};

struct DataType {
  TypeKind kind = TypeKind::kUnknown;
  std::uint8_t precision = 0;  // numeric only, 1..38
  std::uint8_t scale = 0;      // numeric only, 0..precision

  static DataType numeric(int precision, int scale) {
    return {TypeKind::kNumeric, static_cast<std::uint8_t>(precision), static_cast<std::uint8_t>(scale)};
  }
  bool is_integer() const { return kind >= TypeKind::kSmallint && kind <= TypeKind::kBigint; }
  bool is_number() const { return kind >= TypeKind::kSmallint && kind <= TypeKind::kNumeric; }
  bool operator==(const DataType&) const = default;
};

// How a value of a type is carried while it is computed with. Text is carried as its code in a sorted dictionary (int64) or as
// the string itself (kText: a TextValue, data/text.hpp); a numeric as value * 10^scale, in int64 or int128 as its bounds allow;
// integers, dates and timestamps as int64.
enum class Lane : std::uint8_t { kBoolean, kInt64, kInt128, kFloat64, kText };

inline constexpr int lane_bytes(Lane lane) {
  return lane == Lane::kBoolean ? 1 : lane == Lane::kInt128 ? 16 : 8;
}

std::string to_string(const DataType& type);  // PostgreSQL's name: "numeric(15,2)", "double precision"
std::string_view to_string(Lane lane);        // "boolean", "int64", "int128", "float64", "text"

}  // namespace saccade
