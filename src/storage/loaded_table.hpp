// A table whose rows are read from files into memory columns: each column when a statement first uses it, then kept.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalog/table.hpp"

namespace saccade {

// What reads the columns.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  // Columns in the order asked for, as a table on one rank, counted in the pool that the source was made with; `pool` counts
  // what is needed on the way. Errors: those of the format.
  virtual std::shared_ptr<Table> read(std::span<const int> columns, MemoryPool& pool) = 0;
  // For a statement that reads rows but no column of them: fails where read() would fail for any column. Errors: those of rows.
  virtual void check_rows(MemoryPool& /*pool*/) {}
};

struct LoadedColumn {
  std::string name;
  DataType type;          // kUnknown where unsupported
  std::string file_type;  // for the error that says so
};

struct LoadedTableDescription {
  std::string name, opener;
  std::uint64_t version = 0;
  std::int64_t rows = 0;
  std::vector<LoadedColumn> columns;
};

std::shared_ptr<Table> make_loaded_table(LoadedTableDescription description, std::unique_ptr<ColumnSource> source);

}  // namespace saccade
