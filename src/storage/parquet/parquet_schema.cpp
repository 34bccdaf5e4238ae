#include "storage/parquet/parquet_schema.hpp"

#include <parquet/statistics.h>
#include <parquet/types.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "function/scalar/arithmetic.hpp"

namespace saccade {
namespace {

using parquet::LogicalType;
using parquet::Type;

struct Mapping {
  DataType type;
  ParquetSource source = ParquetSource::kUnsupported;
};

constexpr int kMaximumDigits = 38;
constexpr std::int64_t kMicrosecondsPerDay = 86400000000;

Mapping map_integer(const LogicalType& logical, Type::type physical) {
  if (!logical.is_int()) {
    if (physical == Type::INT32) return {{TypeKind::kInteger}, ParquetSource::kInt32};
    return {{TypeKind::kBigint}, ParquetSource::kInt64};
  }
  const auto& integer = static_cast<const parquet::IntLogicalType&>(logical);
  const int bits = integer.bit_width();
  if (integer.is_signed()) {
    if (bits == 64) return {{TypeKind::kBigint}, ParquetSource::kInt64};
    return {{bits <= 16 ? TypeKind::kSmallint : TypeKind::kInteger}, ParquetSource::kInt32};
  }
  if (bits == 64) return {DataType::numeric(20, 0), ParquetSource::kUint64};
  return {{bits == 8 ? TypeKind::kSmallint : bits == 16 ? TypeKind::kInteger : TypeKind::kBigint}, ParquetSource::kUint32};
}

Mapping map_timestamp(const parquet::TimestampLogicalType& timestamp) {
  // Files of before 2018 could not say whether their timestamps have a zone; theirs are taken as written.
  const bool zone = timestamp.is_adjusted_to_utc() && !timestamp.is_from_converted_type();
  const DataType type{zone ? TypeKind::kTimestamptz : TypeKind::kTimestamp};
  switch (timestamp.time_unit()) {
    case LogicalType::TimeUnit::MILLIS:
      return {type, ParquetSource::kMilliseconds};
    case LogicalType::TimeUnit::MICROS:
      return {type, ParquetSource::kInt64};
    case LogicalType::TimeUnit::NANOS:
      return {type, ParquetSource::kNanoseconds};
    default:
      return {};
  }
}

Mapping map_time(const parquet::TimeLogicalType& time, Type::type physical) {
  switch (time.time_unit()) {
    case LogicalType::TimeUnit::MILLIS:
      return physical == Type::INT32 ? Mapping{{TypeKind::kTime}, ParquetSource::kMilliseconds} : Mapping{};
    case LogicalType::TimeUnit::MICROS:
      return physical == Type::INT64 ? Mapping{{TypeKind::kTime}, ParquetSource::kInt64} : Mapping{};
    case LogicalType::TimeUnit::NANOS:
      return physical == Type::INT64 ? Mapping{{TypeKind::kTime}, ParquetSource::kNanoseconds} : Mapping{};
    default:
      return {};
  }
}

Mapping map_decimal(const parquet::DecimalLogicalType& decimal, Type::type physical) {
  const int precision = decimal.precision(), scale = decimal.scale();
  if (precision < 1 || precision > kMaximumDigits || scale < 0 || scale > precision) return {};
  const DataType type = DataType::numeric(precision, scale);
  switch (physical) {
    case Type::INT32:
      return {type, ParquetSource::kInt32};
    case Type::INT64:
      return {type, ParquetSource::kInt64};
    case Type::FIXED_LEN_BYTE_ARRAY:
      return {type, ParquetSource::kDecimalFixed};
    case Type::BYTE_ARRAY:
      return {type, ParquetSource::kDecimalBytes};
    default:
      return {};
  }
}

Mapping map_fixed_bytes(const LogicalType& logical, int length) {
  if (logical.is_UUID() && length == 16) return {{TypeKind::kUuid}, ParquetSource::kUuid};
  if (logical.is_interval() && length == 12) return {{TypeKind::kInterval}, ParquetSource::kInterval};
  if (logical.is_float16() && length == 2) return {{TypeKind::kReal}, ParquetSource::kHalfFloat};
  if (logical.is_none() || !logical.is_valid()) return {{TypeKind::kBytea}, ParquetSource::kFixedBytes};
  return {};
}

Mapping map_column(const parquet::schema::PrimitiveNode& node) {
  const LogicalType& logical = *node.logical_type();
  const Type::type physical = node.physical_type();
  if (logical.is_decimal()) return map_decimal(static_cast<const parquet::DecimalLogicalType&>(logical), physical);
  const bool plain = logical.is_none() || !logical.is_valid();
  switch (physical) {
    case Type::BOOLEAN:
      return plain ? Mapping{{TypeKind::kBoolean}, ParquetSource::kBoolean} : Mapping{};
    case Type::FLOAT:
      return plain ? Mapping{{TypeKind::kReal}, ParquetSource::kFloat} : Mapping{};
    case Type::DOUBLE:
      return plain ? Mapping{{TypeKind::kDouble}, ParquetSource::kDouble} : Mapping{};
    case Type::INT32:
    case Type::INT64:
      if (logical.is_date() && physical == Type::INT32) return {{TypeKind::kDate}, ParquetSource::kInt32};
      if (logical.is_time()) return map_time(static_cast<const parquet::TimeLogicalType&>(logical), physical);
      if (logical.is_timestamp() && physical == Type::INT64) {
        return map_timestamp(static_cast<const parquet::TimestampLogicalType&>(logical));
      }
      return plain || logical.is_int() ? map_integer(logical, physical) : Mapping{};
    case Type::INT96:
      return plain ? Mapping{{TypeKind::kTimestamp}, ParquetSource::kInt96} : Mapping{};
    case Type::BYTE_ARRAY:
      if (logical.is_string() || logical.is_enum() || logical.is_JSON()) return {{TypeKind::kText}, ParquetSource::kText};
      return plain || logical.is_BSON() ? Mapping{{TypeKind::kBytea}, ParquetSource::kBytes} : Mapping{};
    case Type::FIXED_LEN_BYTE_ARRAY:
      return map_fixed_bytes(logical, node.type_length());
    default:
      return {};
  }
}

std::string file_type(const parquet::schema::PrimitiveNode& node) {
  const std::string physical = parquet::TypeToString(node.physical_type());
  const LogicalType& logical = *node.logical_type();
  return logical.is_none() ? physical : physical + " " + logical.ToString();
}

int count_leaves(const parquet::schema::Node& node) {
  if (node.is_primitive()) return 1;
  const auto& group = static_cast<const parquet::schema::GroupNode&>(node);
  int leaves = 0;
  for (int i = 0; i < group.field_count(); ++i) leaves += count_leaves(*group.field(i));
  return leaves;
}

template <class T>
std::optional<int128> little_endian(const std::string& bytes) {
  T value = 0;
  if (bytes.size() != sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

int128 divide_down(const int128& value, int divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// The lane value of a plain-encoded minimum (`round_up` false) or maximum.
std::optional<int128> lane_value(const ParquetColumn& column, const std::string& bytes, bool round_up) {
  switch (column.source) {
    case ParquetSource::kBoolean:
      return little_endian<std::uint8_t>(bytes);
    case ParquetSource::kInt32:
      return little_endian<std::int32_t>(bytes);
    case ParquetSource::kUint32:
      return little_endian<std::uint32_t>(bytes);
    case ParquetSource::kInt64:
      return little_endian<std::int64_t>(bytes);
    case ParquetSource::kUint64:
      return little_endian<std::uint64_t>(bytes);
    case ParquetSource::kMilliseconds: {
      const bool day = column.type.kind == TypeKind::kTime;
      const std::optional<int128> value = day ? little_endian<std::int32_t>(bytes) : little_endian<std::int64_t>(bytes);
      return value ? std::optional<int128>(*value * 1000) : std::nullopt;
    }
    case ParquetSource::kNanoseconds: {
      const std::optional<int128> value = little_endian<std::int64_t>(bytes);
      return value ? std::optional<int128>(divide_down(*value + (round_up ? 999 : 0), 1000)) : std::nullopt;
    }
    case ParquetSource::kDecimalFixed:
    case ParquetSource::kDecimalBytes:
      return big_endian_integer(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::int64_t>(bytes.size()));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<ParquetColumn> read_schema(const parquet::SchemaDescriptor& schema) {
  std::vector<ParquetColumn> columns;
  int leaf = 0;
  const parquet::schema::GroupNode& root = *schema.group_node();
  for (int i = 0; i < root.field_count(); ++i) {
    const parquet::schema::Node& node = *root.field(i);
    ParquetColumn column;
    column.name = node.name();
    column.leaf = leaf;
    column.optional = node.is_optional();
    column.file_type = "nested or repeated values";
    if (node.is_primitive() && !node.is_repeated()) {
      const auto& primitive = static_cast<const parquet::schema::PrimitiveNode&>(node);
      const Mapping mapping = map_column(primitive);
      column.type = mapping.type;
      column.source = mapping.source;
      column.fixed_bytes = primitive.type_length();
      column.file_type = file_type(primitive);
    }
    if (column.source != ParquetSource::kUnsupported) {
      column.ordered = schema.Column(leaf)->column_order().get_order() == parquet::ColumnOrder::TYPE_DEFINED_ORDER;
    }
    leaf += count_leaves(node);
    columns.push_back(std::move(column));
  }
  return columns;
}

Bounds natural_bounds(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return {0, 1};
    case TypeKind::kSmallint:
      return {INT16_MIN, INT16_MAX};
    case TypeKind::kInteger:
      return {INT32_MIN, INT32_MAX};
    case TypeKind::kDate:
      return {kFirstDate, kLastDate};
    case TypeKind::kTime:
      return {0, kMicrosecondsPerDay};
    case TypeKind::kInterval:
    case TypeKind::kUuid:
      return {kInt128Min, kInt128Max};
    case TypeKind::kNumeric:
      return {-(power_of_ten(type.precision) - 1), power_of_ten(type.precision) - 1};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

FooterStatistics footer_statistics(const ParquetColumn& column, const parquet::ColumnChunkMetaData& chunk) {
  FooterStatistics result;
  if (!column.optional) result.nulls = 0;
  if (!chunk.is_stats_set()) return result;
  const std::shared_ptr<parquet::Statistics> statistics = chunk.statistics();
  if (statistics == nullptr) return result;
  if (column.optional && statistics->HasNullCount()) result.nulls = statistics->null_count();
  result.all_null = result.nulls && *result.nulls == chunk.num_values();
  if (result.all_null || !statistics->HasMinMax()) return result;
  result.bounds = stated_bounds(column, statistics->EncodeMin(), statistics->EncodeMax());
  return result;
}

std::optional<Bounds> stated_bounds(const ParquetColumn& column, const std::string& least, const std::string& greatest) {
  // Writers of before 2018 have compared decimals stored as bytes in more than one way.
  const bool bytes = column.source == ParquetSource::kDecimalFixed || column.source == ParquetSource::kDecimalBytes;
  if (bytes && !column.ordered) return std::nullopt;
  const std::optional<int128> low = lane_value(column, least, false);
  const std::optional<int128> high = lane_value(column, greatest, true);
  if (!low || !high || *low > *high) return std::nullopt;
  const Bounds natural = natural_bounds(column.type);
  const Bounds bounds{std::max(*low, natural.low), std::min(*high, natural.high)};
  if (bounds.low > bounds.high) return std::nullopt;
  return bounds;
}

std::optional<int128> big_endian_integer(const std::uint8_t* bytes, std::int64_t length) {
  if (length <= 0) return std::nullopt;
  const std::uint8_t sign = (bytes[0] & 0x80U) != 0 ? 0xff : 0;
  for (; length > 16; --length, ++bytes) {
    if (*bytes != sign) return std::nullopt;
  }
  if (((bytes[0] & 0x80U) != 0) != (sign != 0)) return std::nullopt;
  uint128 value = sign != 0 ? ~static_cast<uint128>(0) : 0;
  for (std::int64_t i = 0; i < length; ++i) value = value << 8 | bytes[i];
  return static_cast<int128>(value);
}

}  // namespace saccade
