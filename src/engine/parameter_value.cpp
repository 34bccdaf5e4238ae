// Values of the public interface as values of a parameter's type.
#include <fmt/format.h>

#include <array>

#include "common/error.hpp"
#include "engine/prepared_statement.hpp"
#include "sql/binder/literals.hpp"

namespace saccade {

namespace {

constexpr std::array<const char*, std::variant_size_v<SqlValue>> kGivenNames = {
    "null",     "boolean", "integer", "double precision", "numeric",
    "text",     "date",    "time",    "timestamp",        "timestamp with time zone",
    "interval", "bytea",   "uuid"};

[[noreturn]] void wrong_type(const SqlValue& given, const DataType& type, int number) {
  throw Error(sqlstate::kDatatypeMismatch,
              fmt::format("parameter ${} is of type {} but the value is of type {}", number,
                          type.kind == TypeKind::kNumeric ? "numeric" : to_string(type), kGivenNames.at(given.index())),
              0, "Give a value of the parameter's type, or cast it in the statement.");
}

[[noreturn]] void out_of_range(const Value& value, const DataType& type, int number) {
  throw Error(sqlstate::kNumericValueOutOfRange,
              fmt::format("value {} of parameter ${} is out of range for type {}", to_string(value), number, to_string(type)));
}

// An exact number: of an integer, or of a numeric with its own scale.
Value exact_number(const Value& value, const DataType& type, int number) {
  if (type.kind == TypeKind::kNumeric && value.type.kind == TypeKind::kNumeric) return value;
  const DataType target = type.kind == TypeKind::kNumeric ? DataType::numeric(19, 0) : type;
  const std::optional<Value> converted = convert_exactly(value, target);
  if (!converted) out_of_range(value, target, number);
  return *converted;
}

Value decimal_value(const Decimal& decimal, int number) {
  const int128 limit = power_of_ten(38);
  if (decimal.scale < 0 || decimal.scale > 38 || decimal.digits <= -limit || decimal.digits >= limit) {
    throw Error(sqlstate::kNumericValueOutOfRange, fmt::format("the decimal given for parameter ${} is out of range", number),
                0, "A decimal has at most 38 digits and a scale of 0 to 38.");
  }
  return {DataType::numeric(38, decimal.scale), decimal.digits};
}

bool in_day(std::int64_t microseconds) {
  return microseconds >= 0 && microseconds <= 86'400'000'000;
}

// In the signed order of the bytes.
int128 uuid_integer(const Uuid& uuid) {
  uint128 bits = 0;
  for (const std::uint8_t byte : uuid.bytes) bits = bits << 8 | byte;
  return static_cast<int128>(bits ^ (uint128{1} << 127));
}

}  // namespace

Value parameter_value(const SqlValue& given, const DataType& type, int number) {
  if (is_null(given)) return Value::null(type);
  if (const auto* text = std::get_if<std::string>(&given)) return parse_literal(*text, type, 0);
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (const auto* truth = std::get_if<bool>(&given)) return {type, *truth};
      break;
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      if (const auto* integer = std::get_if<std::int64_t>(&given))
        return exact_number({{TypeKind::kBigint}, int128{*integer}}, type, number);
      break;
    case TypeKind::kReal:
    case TypeKind::kNumeric:
    case TypeKind::kDouble:
      if (const auto* integer = std::get_if<std::int64_t>(&given))
        return exact_number({{TypeKind::kBigint}, int128{*integer}}, type, number);
      if (const auto* decimal = std::get_if<Decimal>(&given))
        return exact_number(decimal_value(*decimal, number), type, number);
      if (const auto* real = std::get_if<double>(&given); real != nullptr && type.is_float())
        return {type, type.kind == TypeKind::kReal ? static_cast<float>(*real) : *real};
      break;
    case TypeKind::kDate:
      if (const auto* date = std::get_if<Date>(&given)) return {type, int128{date->days}};
      break;
    case TypeKind::kTimestamp:
      if (const auto* timestamp = std::get_if<Timestamp>(&given)) return {type, int128{timestamp->microseconds}};
      if (const auto* date = std::get_if<Date>(&given)) return {type, int128{date->days} * 86'400'000'000};
      break;
    case TypeKind::kTime:
      if (const auto* time = std::get_if<TimeOfDay>(&given); time != nullptr && in_day(time->microseconds))
        return {type, int128{time->microseconds}};
      break;
    case TypeKind::kTimestamptz:
      if (const auto* timestamp = std::get_if<TimestampTz>(&given)) return {type, int128{timestamp->microseconds}};
      break;
    case TypeKind::kUuid:
      if (const auto* uuid = std::get_if<Uuid>(&given)) return {type, uuid_integer(*uuid)};
      break;
    case TypeKind::kBytea:
      if (const auto* bytes = std::get_if<Bytes>(&given)) return {type, bytes->data};
      break;
    case TypeKind::kInterval:
      if (const auto* span = std::get_if<TimeSpan>(&given))
        return {type, Interval{span->months, span->days, span->microseconds}};
      break;
    case TypeKind::kUnknown:
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kChar:
      break;
  }
  wrong_type(given, type, number);
}

}  // namespace saccade
