#include "data/data_type.hpp"

#include <fmt/format.h>

#include "common/error.hpp"

namespace saccade {

std::string to_string(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kUnknown:
      return "unknown";
    case TypeKind::kBoolean:
      return "boolean";
    case TypeKind::kSmallint:
      return "smallint";
    case TypeKind::kInteger:
      return "integer";
    case TypeKind::kBigint:
      return "bigint";
    case TypeKind::kReal:
      return "real";
    case TypeKind::kDouble:
      return "double precision";
    case TypeKind::kNumeric:
      return fmt::format("numeric({},{})", type.precision, type.scale);
    case TypeKind::kDate:
      return "date";
    case TypeKind::kTime:
      return "time without time zone";
    case TypeKind::kTimestamptz:
      return "timestamp with time zone";
    case TypeKind::kTimestamp:
      return "timestamp without time zone";
    case TypeKind::kInterval:
      return "interval";
    case TypeKind::kUuid:
      return "uuid";
    case TypeKind::kText:
      return "text";
    case TypeKind::kVarchar:
      return type.length == 0 ? "character varying" : fmt::format("character varying({})", type.length);
    case TypeKind::kChar:
      return type.length == 0 ? "bpchar" : fmt::format("character({})", type.length);
    case TypeKind::kBytea:
      return "bytea";
  }
  raise_internal("a known type", __FILE__, __LINE__);
}

std::string_view to_string(Lane lane) {
  switch (lane) {
    case Lane::kBoolean:
      return "boolean";
    case Lane::kInt64:
      return "int64";
    case Lane::kInt128:
      return "int128";
    case Lane::kFloat64:
      return "float64";
    case Lane::kText:
      return "text";
  }
  raise_internal("a known lane", __FILE__, __LINE__);
}

}  // namespace saccade
