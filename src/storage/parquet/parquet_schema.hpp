// How the columns of a Parquet file become SQL columns: types, and the bounds that its footer states.
#pragma once

#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/column.hpp"

namespace saccade {

// How stored values are turned into lane values.
enum class ParquetSource : std::uint8_t {
  kUnsupported,
  kBoolean,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kMilliseconds,  // int64 or (of the day) int32, times and timestamps
  kNanoseconds,   // int64, times and timestamps
  kInt96,         // nanoseconds of the day and Julian day: timestamps of older Spark and Impala
  kFloat,
  kDouble,
  kHalfFloat,     // two bytes
  kDecimalFixed,  // big-endian two's complement of a fixed length
  kDecimalBytes,  // the same of any length
  kUuid,          // sixteen bytes
  kInterval,      // twelve bytes: months, days, milliseconds, unsigned
  kText,
  kBytes,  // of any length
  kFixedBytes,
};

struct ParquetColumn {
  std::string name;
  DataType type;  // kUnknown where unsupported
  ParquetSource source = ParquetSource::kUnsupported;
  int leaf = 0;  // the file's own number of the column
  bool optional = false;
  bool ordered = true;    // the file says that its statistics follow the order of the type
  int fixed_bytes = 0;    // kDecimalFixed
  std::string file_type;  // as the file names it, for errors
};

// The top-level columns in order; nested and repeated ones are unsupported.
std::vector<ParquetColumn> read_schema(const parquet::SchemaDescriptor& schema);

// What values a type admits at all, on an integer lane.
Bounds natural_bounds(const DataType& type);

// What the footer says of one column chunk.
struct FooterStatistics {
  std::optional<Bounds> bounds;  // lane values; nothing where unknown (or without values: see all_null)
  std::optional<std::int64_t> nulls;
  bool all_null = false;
};

FooterStatistics footer_statistics(const ParquetColumn& column, const parquet::ColumnChunkMetaData& chunk);

// Bounds from a minimum and a maximum as the file stores them; nothing where they say nothing that can be relied on.
std::optional<Bounds> stated_bounds(const ParquetColumn& column, const std::string& least, const std::string& greatest);

// A big-endian two's complement integer; nothing where it does not fit.
std::optional<int128> big_endian_integer(const std::uint8_t* bytes, std::int64_t length);

}  // namespace saccade
