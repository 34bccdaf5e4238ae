#include "engine/result_column.hpp"

#include "common/error.hpp"
#include "data/text.hpp"

namespace saccade {

namespace {

// The signed order of the int128 is that of the bytes.
Uuid uuid_of(int128 value) {
  const uint128 bits = static_cast<uint128>(value) ^ (uint128{1} << 127);
  Uuid uuid;
  for (int i = 0; i < 16; ++i) uuid.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(bits >> (8 * (15 - i)));
  return uuid;
}

}  // namespace

int128 ResultLane::integer(std::int64_t row) const {
  return lane.lane == Lane::kInt128 ? lane.as<int128>()[row] : lane.as<std::int64_t>()[row];
}

std::string_view ResultLane::text(std::int64_t row) const {
  if (lane.lane == Lane::kText) return lane.as<TextValue>()[row].view();
  const std::int64_t code = lane.as<std::int64_t>()[row];
  SACCADE_CHECK(dictionary && code >= 0 && code < dictionary->size());
  return dictionary->at(code);
}

Value ResultLane::value(std::int64_t row) const {
  if (is_null(row)) return Value::null(type);
  switch (lane.lane) {
    case Lane::kBoolean:
      return {type, lane.as<std::uint8_t>()[row] != 0};
    case Lane::kFloat64:
      return {type, lane.as<double>()[row]};
    case Lane::kInt128:
    case Lane::kInt64:
    case Lane::kText:
      break;
  }
  if (type.is_text() || type.kind == TypeKind::kBytea) return {type, std::string(text(row))};
  if (type.kind == TypeKind::kInterval) return {type, unpack_interval(integer(row))};
  return {type, integer(row)};
}

SqlValue to_sql_value(const Value& value) {
  if (value.is_null()) return {};
  switch (value.type.kind) {
    case TypeKind::kBoolean:
      return std::get<bool>(value.data);
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return static_cast<std::int64_t>(std::get<int128>(value.data));
    case TypeKind::kReal:
    case TypeKind::kDouble:
      return std::get<double>(value.data);
    case TypeKind::kNumeric:
      return Decimal{std::get<int128>(value.data), value.type.scale};
    case TypeKind::kDate:
      return Date{static_cast<std::int32_t>(std::get<int128>(value.data))};
    case TypeKind::kTime:
      return TimeOfDay{static_cast<std::int64_t>(std::get<int128>(value.data))};
    case TypeKind::kTimestamptz:
      return TimestampTz{static_cast<std::int64_t>(std::get<int128>(value.data))};
    case TypeKind::kUuid:
      return uuid_of(std::get<int128>(value.data));
    case TypeKind::kBytea:
      return Bytes{std::get<std::string>(value.data)};
    case TypeKind::kChar:
      return to_string(value);  // with its blanks
    case TypeKind::kTimestamp:
      return Timestamp{static_cast<std::int64_t>(std::get<int128>(value.data))};
    case TypeKind::kInterval: {
      const auto& interval = std::get<Interval>(value.data);
      return TimeSpan{interval.months, interval.days, interval.microseconds};
    }
    case TypeKind::kUnknown:
    case TypeKind::kText:
    case TypeKind::kVarchar:
      break;
  }
  return std::get<std::string>(value.data);
}

}  // namespace saccade
