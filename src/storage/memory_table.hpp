// Tables in memory: encoded chunks of 131,072 rows per rank, made from the rows of a query (CREATE TABLE ... AS).
//
// A process holds the rows of its own ranks only. Encodings, bounds and row counts are agreed between processes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "data/row_set.hpp"
#include "storage/column_summary.hpp"

namespace saccade {

inline constexpr std::int64_t kMemoryChunkRows = 131072;

class MemoryTableBuilder {
 public:
  // `dictionaries`: by column, of text columns, null elsewhere; codes keep their dictionary. `ranks`: all, over all processes.
  // Chunks are counted in `pool`, which must outlive the table.
  MemoryTableBuilder(std::string name, std::vector<std::string> column_names, std::vector<DataType> types,
                     std::vector<std::shared_ptr<const Dictionary>> dictionaries, int ranks, MemoryPool& pool);

  // Appends to the rows of one rank. Thread-safe; the order of calls for one rank is the order of its rows.
  void add_rows(int rank, const RowSet& rows);

  // Merges this process's summaries (one a column, ranks in ascending order) with those of all others, in the order of ranks.
  using Agree = std::function<std::vector<ColumnSummary>(std::vector<ColumnSummary>)>;

  // Encodes on up to `threads` threads and frees the rows column by column; called once. Errors: 53200, and those of `agree`.
  std::shared_ptr<Table> finish(const Agree& agree, int threads);

 private:
  std::vector<ColumnSummary> summarize_columns(int threads) const;
  // By rank, column and chunk.
  std::vector<std::vector<std::vector<Column>>> encode_columns(const std::vector<ColumnInfo>& infos, int threads);

  std::string name_;
  std::vector<std::string> column_names_;
  std::vector<DataType> types_;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries_;
  MemoryPool& pool_;
  std::mutex mutex_;
  std::vector<std::vector<RowSet>> rows_;  // by rank
};

}  // namespace saccade
