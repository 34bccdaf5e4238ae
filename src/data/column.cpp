#include "data/column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "data/value.hpp"

namespace saccade {
namespace {

bool fits_int64(const int128& value) {
  return value >= INT64_MIN && value <= INT64_MAX;
}

// The unsigned width that holds 0 .. range, 0 where 4 bytes are too few.
std::uint8_t narrow_width(uint128 range) {
  if (range <= 0xffU) return 1;
  if (range <= 0xffffU) return 2;
  return range <= 0xffffffffU ? 4 : 0;
}

Lane lane_of_encoding(const DataType& type, const Encoding& encoding) {
  if (type.kind == TypeKind::kBoolean) return Lane::kBoolean;
  if (type.is_float()) return Lane::kFloat64;
  const bool text = type.is_text() || type.kind == TypeKind::kBytea;
  if (text && encoding.form == Form::kPlain) return Lane::kText;
  return encoding.form == Form::kPlain && encoding.width == 16 ? Lane::kInt128 : Lane::kInt64;
}

std::uint64_t unsigned_at(const Column& column, std::int64_t row) {
  switch (column.encoding.width) {
    case 0:
      return 0;
    case 1:
      return static_cast<const std::uint8_t*>(column.values)[row];
    case 2:
      return static_cast<const std::uint16_t*>(column.values)[row];
    case 4:
      return static_cast<const std::uint32_t*>(column.values)[row];
    default:
      return static_cast<const std::uint64_t*>(column.values)[row];
  }
}

bool is_valid(const std::uint64_t* validity, std::int64_t row) {
  return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
}

template <class In>
std::optional<Bounds> bounds_of(const In* values, const std::uint64_t* validity, std::int64_t length) {
  In low = 0, high = 0;
  bool any = false;
  for (std::int64_t i = 0; i < length; ++i) {
    if (!is_valid(validity, i)) continue;
    low = any ? std::min(low, values[i]) : values[i];
    high = any ? std::max(high, values[i]) : values[i];
    any = true;
  }
  if (!any) return std::nullopt;
  return Bounds{low, high};
}

template <class In, class Out>
void store(const In* values, const std::uint64_t* validity, std::int64_t length, In base, Out* out) {
  if (validity == nullptr) {
    for (std::int64_t i = 0; i < length; ++i) out[i] = static_cast<Out>(values[i] - base);
  } else {
    for (std::int64_t i = 0; i < length; ++i) out[i] = is_valid(validity, i) ? static_cast<Out>(values[i] - base) : Out{0};
  }
}

// What an encoding can hold, for integer lanes.
Bounds range_of(const Encoding& encoding, std::int64_t base) {
  if (encoding.form == Form::kConstant) return {base, base};
  if (encoding.form == Form::kPlain) {
    return encoding.width == 16 ? Bounds{kInt128Min, kInt128Max} : Bounds{INT64_MIN, INT64_MAX};
  }
  return {base, static_cast<int128>(base) + ((static_cast<int128>(1) << (8 * encoding.width)) - 1)};
}

template <class In>
void encode_integers(Column& column, const In* values, MemoryPool& pool, const std::string& what) {
  column.bounds = bounds_of(values, column.validity, column.length);
  const Bounds range = range_of(column.encoding, column.base);
  if (column.bounds && (column.bounds->low < range.low || column.bounds->high > range.high)) {
    throw Error(sqlstate::kDataCorrupted,
                fmt::format("{}: values from {} to {} lie outside of the range {} to {} that its statistics state", what,
                            decimal_text(column.bounds->low, 0), decimal_text(column.bounds->high, 0),
                            decimal_text(range.low, 0), decimal_text(range.high, 0)),
                0, "The data does not match its statistics; write the data anew.");
  }
  std::shared_ptr<Buffer> buffer = Buffer::allocate(column.length * column.encoding.width, pool);
  const In base = column.encoding.form == Form::kNarrowed ? static_cast<In>(column.base) : In{0};
  switch (column.encoding.width) {
    case 0:
      break;
    case 1:
      store(values, column.validity, column.length, base, buffer->as<std::uint8_t>());
      break;
    case 2:
      store(values, column.validity, column.length, base, buffer->as<std::uint16_t>());
      break;
    case 4:
      store(values, column.validity, column.length, base, buffer->as<std::uint32_t>());
      break;
    case 8:
      store(values, column.validity, column.length, base, buffer->as<std::int64_t>());
      break;
    default:
      store(values, column.validity, column.length, base, buffer->as<int128>());
      break;
  }
  column.values = buffer->data();
  column.value_owner = std::move(buffer);
}

void verify_encoding(const Column& column) {
  const Encoding encoding = column.encoding;
  SACCADE_CHECK(column.lane == lane_of_encoding(column.type, encoding));
  const bool text = column.type.is_text() || column.type.kind == TypeKind::kBytea;
  const bool plain_text = text && encoding.form == Form::kPlain;
  SACCADE_CHECK(text == (encoding.form == Form::kDictionary || plain_text));
  SACCADE_CHECK(!text || (plain_text ? column.heap != nullptr : column.dictionary != nullptr));
  switch (encoding.form) {
    case Form::kConstant:
      SACCADE_CHECK(encoding.width == 0);
      break;
    case Form::kNarrowed:
    case Form::kDictionary:
      SACCADE_CHECK(encoding.width == 1 || encoding.width == 2 || encoding.width == 4);
      break;
    case Form::kPlain:
      SACCADE_CHECK(encoding.width == 8 || encoding.width == (plain_text ? 4 : 16));
      break;
  }
  if (column.value_owner != nullptr && encoding.width != 0) {
    const auto* begin = column.value_owner->data();
    const auto* values = static_cast<const std::byte*>(column.values);
    SACCADE_CHECK(values >= begin && values + column.length * encoding.width <= begin + column.value_owner->size());
  }
}

}  // namespace

std::string to_string(const Encoding& encoding) {
  switch (encoding.form) {
    case Form::kConstant:
      return "constant";
    case Form::kNarrowed:
      return fmt::format("narrowed {}", encoding.width);
    case Form::kDictionary:
      return fmt::format("dictionary {}", encoding.width);
    case Form::kPlain:
      return fmt::format("plain {}", encoding.width);
  }
  raise_internal("a known form", __FILE__, __LINE__);
}

Lane lane_of(const DataType& type, const std::optional<Bounds>& bounds) {
  if (type.kind == TypeKind::kBoolean) return Lane::kBoolean;
  if (type.is_float()) return Lane::kFloat64;
  if (type.kind == TypeKind::kInterval || type.kind == TypeKind::kUuid) return Lane::kInt128;
  if (type.kind != TypeKind::kNumeric || type.precision <= 18) return Lane::kInt64;
  return bounds && fits_int64(bounds->low) && fits_int64(bounds->high) ? Lane::kInt64 : Lane::kInt128;
}

Encoding choose_encoding(const DataType& type, const std::optional<Bounds>& bounds) {
  if (type.is_text() || type.kind == TypeKind::kBytea) {
    const std::uint8_t width = bounds ? narrow_width(static_cast<uint128>(std::max<int128>(bounds->high, 0))) : 4;
    SACCADE_CHECK(width != 0);
    return {Form::kDictionary, width};
  }
  const Lane lane = lane_of(type, bounds);
  if (lane == Lane::kFloat64) return {Form::kPlain, 8};
  if (lane == Lane::kInt128) return {Form::kPlain, 16};
  if (bounds && bounds->low == bounds->high) return {Form::kConstant, 0};
  if (lane == Lane::kBoolean) return {Form::kNarrowed, 1};
  if (!bounds) return {Form::kPlain, 8};
  SACCADE_CHECK(bounds->low <= bounds->high);
  const std::uint8_t width = narrow_width(static_cast<uint128>(bounds->high) - static_cast<uint128>(bounds->low));
  return width == 0 ? Encoding{Form::kPlain, 8} : Encoding{Form::kNarrowed, width};
}

int128 int128_at(const Column& column, std::int64_t row) {
  if (column.lane == Lane::kInt128) return static_cast<const int128*>(column.values)[row];
  return int64_at(column, row);
}

std::int64_t int64_at(const Column& column, std::int64_t row) {
  const std::uint64_t stored = unsigned_at(column, row);
  const bool has_base = column.encoding.form == Form::kConstant || column.encoding.form == Form::kNarrowed;
  return static_cast<std::int64_t>(stored + (has_base ? static_cast<std::uint64_t>(column.base) : 0));
}

TextValue text_at(const Column& column, std::int64_t row) {
  if (column.heap == nullptr) return column.dictionary->text(int64_at(column, row));
  return TextValue(column.heap + unsigned_at(column, row));
}

Value value_at(const Column& column, std::int64_t row) {
  SACCADE_CHECK(row >= 0 && row < column.length);
  if (!column.valid(row)) return Value::null(column.type);
  switch (column.type.kind) {
    case TypeKind::kBoolean:
      return {column.type, int64_at(column, row) != 0};
    case TypeKind::kReal:
    case TypeKind::kDouble:
      return {column.type, static_cast<const double*>(column.values)[row]};
    case TypeKind::kText:
    case TypeKind::kVarchar:
    case TypeKind::kChar:
    case TypeKind::kBytea:
      if (column.heap != nullptr) return {column.type, std::string(text_at(column, row).view())};
      return {column.type, std::string(column.dictionary->at(int64_at(column, row)))};
    case TypeKind::kInterval:
      return {column.type, unpack_interval(int128_at(column, row))};
    default:
      return {column.type, int128_at(column, row)};
  }
}

Column encode_column(const DataType& type, Encoding encoding, std::int64_t base, const void* lane_values, Lane lane,
                     std::int64_t length, std::shared_ptr<const Buffer> validity, std::shared_ptr<const Dictionary> dictionary,
                     MemoryPool& pool, const std::string& what) {
  Column column;
  column.type = type;
  column.lane = lane_of_encoding(type, encoding);
  column.encoding = encoding;
  column.base = base;
  column.length = length;
  column.validity = validity == nullptr ? nullptr : validity->as<std::uint64_t>();
  column.validity_owner = std::move(validity);
  column.dictionary = std::move(dictionary);
  switch (lane) {
    case Lane::kBoolean:
      encode_integers(column, static_cast<const std::uint8_t*>(lane_values), pool, what);
      break;
    case Lane::kInt64:
      encode_integers(column, static_cast<const std::int64_t*>(lane_values), pool, what);
      break;
    case Lane::kInt128:
      encode_integers(column, static_cast<const int128*>(lane_values), pool, what);
      break;
    case Lane::kFloat64: {
      SACCADE_CHECK(type.is_float());
      std::shared_ptr<Buffer> buffer = Buffer::allocate(length * 8, pool);
      store(static_cast<const double*>(lane_values), column.validity, length, 0.0, buffer->as<double>());
      column.values = buffer->data();
      column.value_owner = std::move(buffer);
      break;
    }
    case Lane::kText:
      raise_internal("a lane other than text", __FILE__, __LINE__);
  }
  return column;
}

namespace {

void verify_texts(const Column& column) {
  if (column.heap_owner == nullptr) return;
  const auto size = static_cast<std::uint64_t>(column.heap_owner->size());
  for (std::int64_t row = 0; row < column.length; ++row) {
    const std::uint64_t offset = unsigned_at(column, row);
    SACCADE_CHECK(offset + kTextPrefixBytes <= size);
    SACCADE_CHECK(offset + static_cast<std::uint64_t>(text_at(column, row).stored_bytes()) <= size);
  }
}

}  // namespace

void verify_column(const Column& column) {
  SACCADE_CHECK(column.length >= 0 && (column.values != nullptr || column.length == 0 || column.encoding.width == 0));
  verify_encoding(column);
  if (column.validity != nullptr && column.length % 64 != 0) {
    SACCADE_CHECK(column.validity[column.length / 64] >> (column.length % 64) == 0);
  }
  if (column.lane == Lane::kFloat64) return;
  if (column.lane == Lane::kText) return verify_texts(column);
  for (std::int64_t row = 0; row < column.length; ++row) {
    if (!column.valid(row)) continue;
    const int128 value = int128_at(column, row);
    SACCADE_CHECK(!column.bounds || (value >= column.bounds->low && value <= column.bounds->high));
    SACCADE_CHECK(column.lane != Lane::kBoolean || value == 0 || value == 1);
    SACCADE_CHECK(column.dictionary == nullptr || (value >= 0 && value < column.dictionary->size()));
  }
}

}  // namespace saccade
