// Decodes one column chunk of a Parquet file straight into an encoded Column.
//
// Values, nulls and their number are checked against what the plan was made from; a difference is XX001.
#pragma once

#include <parquet/column_reader.h>

#include <string>

#include "data/column.hpp"
#include "storage/parquet/parquet_schema.hpp"

namespace saccade {

// What a column chunk is decoded into.
struct DecodeTarget {
  DataType type;
  Encoding encoding;
  std::int64_t base = 0;
  Bounds range;  // what the plan relies on; integer lanes
  bool may_be_null = true;
  std::int64_t rows = 0;
  std::string where;  // "file "x", column "y", row group 3", for errors
  bool more = false;  // a piece of a row group: rows may follow
};

// Not for text. Errors: XX001, 53200, 0A000 a timestamp finer than microseconds.
Column decode_column(parquet::ColumnReader& reader, const ParquetColumn& column, const DecodeTarget& target, MemoryPool& pool);

[[noreturn]] void raise_damaged(const std::string& where, const std::string& what);

// Collects validity while rows are read in batches; `def_levels` are 1 where a value is present (null: all are).
class ValidityBuilder {
 public:
  // Without `may_be_null` any null is an error (XX001 naming `where`).
  ValidityBuilder(std::int64_t rows, bool may_be_null, std::string where, MemoryPool& pool);
  // Appends `levels` rows of which `values` are present.
  void append(const std::int16_t* def_levels, std::int64_t levels, std::int64_t values);
  std::int64_t rows() const { return at_; }
  std::int64_t nulls() const { return nulls_; }
  // The bitmap; null where no row was null.
  std::shared_ptr<const Buffer> finish();

 private:
  std::int64_t rows_, at_ = 0, nulls_ = 0;
  std::string where_;
  std::shared_ptr<Buffer> bitmap_;
};

}  // namespace saccade
