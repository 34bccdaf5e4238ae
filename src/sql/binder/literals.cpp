#include "sql/binder/literals.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "common/error.hpp"
#include "data/parse_value.hpp"

namespace saccade {

namespace {

thread_local TimeContext times;

}  // namespace

LiteralTimes::LiteralTimes(const StatementTime& time) {
  times = {time.now, &find_time_zone(time.time_zone)};
}

LiteralTimes::~LiteralTimes() {
  times = {};
}

const TimeContext& literal_times() {
  return times;
}

Value parse_literal(std::string_view text, const DataType& type, int position) {
  try {
    return parse_value(text, type, times);
  } catch (const Error& error) {
    if (error.position() != 0) throw;
    throw Error(error.sqlstate(), error.what(), position, error.hint());
  }
}

std::optional<Value> convert_exactly(const Value& value, const DataType& type) {
  if (value.type == type) return value;
  if (value.is_null()) return Value::null(type);
  const TypeKind from = value.type.kind;
  if (type.kind == TypeKind::kTimestamp && from == TypeKind::kDate) {
    const int128 microseconds = std::get<int128>(value.data) * 86'400'000'000;
    if (!fits(microseconds, {TypeKind::kBigint})) return std::nullopt;
    return Value{type, microseconds};
  }
  if (from == TypeKind::kReal && type.kind == TypeKind::kDouble) return Value{type, value.data};
  if (!value.type.is_number() || !type.is_number() || value.type.is_float()) return std::nullopt;
  const int128 digits = std::get<int128>(value.data);
  if (type.is_float()) {
    // The nearest double or float of the decimal text: value / 10^scale would round twice.
    return parse_value(decimal_text(digits, value.type.scale), type);
  }
  if (type.scale < value.type.scale) return std::nullopt;
  const int128 factor = power_of_ten(type.scale - value.type.scale);
  int128 scaled = 0;
  if (__builtin_mul_overflow(digits, factor, &scaled) || !fits(scaled, type)) return std::nullopt;
  return Value{type, scaled};
}

Value number_literal(std::string_view text, int position) {
  constexpr std::array<TypeKind, 2> kIntegers = {TypeKind::kInteger, TypeKind::kBigint};
  if (text.find_first_not_of("-0123456789") == std::string_view::npos && text.size() <= 20) {
    int128 value = 0;
    for (const char c : text) value = c == '-' ? value : value * 10 + (c - '0');
    if (text.starts_with('-')) value = -value;
    for (const TypeKind kind : kIntegers) {
      if (fits(value, {kind})) return {{kind}, value};
    }
  }
  return parse_literal(text, {TypeKind::kNumeric}, position);
}

}  // namespace saccade
