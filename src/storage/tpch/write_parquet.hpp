// Generated rows as a Parquet file: one row group for each range of rows.
//
// The writer is used by one thread at a time; batches may be made by many.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "storage/tpch/generate.hpp"

namespace saccade::tpch {

class ParquetWriter {
 public:
  class RowGroup;  // rows in the writer's form
  using Sink = std::function<void(std::string_view)>;

  // `sink` takes the file's bytes in order; what it throws comes out of the call that caused it.
  ParquetWriter(TableId table, std::vector<int> columns, Sink sink);
  ~ParquetWriter();

  // Thread-safe. Errors: 53200.
  std::shared_ptr<const RowGroup> convert(const GeneratedRows& rows) const;
  void write(const RowGroup& rows);
  void finish();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace saccade::tpch
