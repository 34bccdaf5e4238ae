// A table as the plan sees it: schema, statistics, and chunks of encoded columns to scan.
//
// A Table is an immutable version; a change of rows makes a new one. Scans may run on many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/column.hpp"
#include "data/value.hpp"
#include "memory/memory_pool.hpp"

namespace saccade {

// What is known of repeated values. kPossible: a plan may assume unique values and must check them while it runs.
enum class Uniqueness : std::uint8_t { kProven, kPossible, kRefuted };

struct ColumnStatistics {
  std::optional<Bounds> bounds;  // over all chunks; never narrower than the data (scans check and raise XX001)
  bool may_be_null = true;
  double distinct = 0;  // estimate; 0: unknown
  bool sorted = false;  // ascending over all chunks in order
  Uniqueness unique = Uniqueness::kPossible;
};

struct ColumnInfo {
  std::string name;
  DataType type;
  Encoding encoding;  // of every chunk
  std::int64_t base = 0;
  ColumnStatistics statistics;
  std::shared_ptr<const Dictionary> dictionary;  // text, after prepare()
  bool not_null = false;                         // declared: INSERT and UPDATE refuse NULL
  std::optional<Value> default_value = {};       // declared: what INSERT puts where it is given no value
};

class Table {
 public:
  virtual ~Table() = default;

  virtual const std::string& name() const = 0;  // as the user wrote it: a table's name or a file's path
  // The call that opens it by name() on any rank (read_parquet, ...; see file_call.hpp); empty for a table of the catalog.
  virtual std::string opener() const { return {}; }
  // Equal on every rank for the same rows: contents' version for a memory table; path, size and time of change for a file.
  virtual std::uint64_t version() const = 0;
  virtual const std::vector<ColumnInfo>& columns() const = 0;
  virtual std::int64_t row_count() const = 0;  // over all ranks

  // Makes the encodings and dictionaries of these columns known (a file's text columns are read once for it and kept).
  // Called by the binder for every column a statement uses, before columns() is relied on; with no column where it uses only
  // the rows' number. Errors: 0A000 where a column's type is not supported, and any error of reading.
  virtual void prepare(std::span<const int> columns, MemoryPool& pool) = 0;

  // Gives a text column in plain form (Form::kPlain) a dictionary, for a device that works on codes only; columns() tells
  // whether it could. Called after prepare() and before columns() is relied on. Errors: as of prepare().
  virtual void demand_dictionary(int /*column*/) {}

  // The share of one rank: chunks 0 .. chunk_count(rank, ranks) - 1.
  virtual std::int64_t chunk_count(int rank, int ranks) const = 0;
  virtual std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const = 0;
  // Bounds of one column in one chunk, for skipping; nothing where none are known.
  virtual std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const = 0;
  // The chunk's columns, in the order asked for, each of chunk_rows() values. Memory is counted in `pool`.
  // Errors: 58030, 58P01, XX001 (damaged file, statistics that don't hold), 53200.
  virtual std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                                   MemoryPool& pool) const = 0;
};

}  // namespace saccade
