// Tables in memory: encoded chunks of at most 131,072 rows per rank, made from the rows of a query or by appending rows to
// another table, whose chunks are shared where they can be.
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
#include "catalog/table_definition.hpp"
#include "data/row_set.hpp"
#include "storage/column_summary.hpp"

namespace saccade {

inline constexpr std::int64_t kMemoryChunkRows = 131072;

class MemoryTable;

// Errors: 23502, always.
[[noreturn]] void raise_null_value(const std::string& table, const std::string& column);

// Types whose values are strings.
inline bool holds_strings(const DataType& type) {
  return type.is_text() || type.kind == TypeKind::kBytea;
}

class MemoryTableBuilder {
 public:
  // `dictionaries`: by column, of text columns that come as codes, null elsewhere; codes keep their dictionary. Text without
  // one comes in lane kText; its strings must live until finish(). `ranks`: all, over all processes. Chunks are counted in
  // `pool`, which must outlive the table.
  MemoryTableBuilder(std::string name, std::vector<std::string> column_names, std::vector<DataType> types,
                     std::vector<std::shared_ptr<const Dictionary>> dictionaries, int ranks, MemoryPool& pool);

  // The table has the names and declarations of `definition`, which has as many columns of the same types.
  void declare(const TableDefinition& definition);
  // The rows come after those of `base`, a table in memory with the same columns.
  void append_to(const std::shared_ptr<const Table>& base);
  // Tells versions of a table apart that have equal rows in other forms; the same in all processes.
  void set_serial(std::uint64_t serial) { serial_ = serial; }

  // Strings may become codes of a dictionary, where few are distinct: for tables of which this process holds all rows.
  void allow_dictionaries() { may_code_texts_ = true; }

  // Appends to the rows of one rank. Thread-safe; the order of calls for one rank is the order of its rows.
  void add_rows(int rank, const RowSet& rows);

  // Merges this process's summaries (one a column, ranks in ascending order) with those of all others, in the order of ranks.
  using Agree = std::function<std::vector<ColumnSummary>(std::vector<ColumnSummary>)>;

  // Encodes on up to `threads` threads and frees the rows column by column; called once. Errors: 23502 NULL where it is
  // declared that there is none, 53200, and those of `agree`.
  std::shared_ptr<Table> finish(const Agree& agree, int threads);

 private:
  using Chunks = std::vector<std::vector<std::vector<Column>>>;  // by rank, column and chunk

  ColumnSummary summarize_column(std::size_t column, int threads) const;
  // Text: the new rows get the form (codes or strings) that the column will have. (memory_table_texts.cpp)
  void settle_texts(std::size_t column, int threads);
  void take_strings(std::size_t column);
  void check_not_null(const std::vector<ColumnSummary>& summaries) const;
  ColumnInfo choose_form(std::size_t column, ColumnSummary& summary) const;
  Chunks encode_columns(const std::vector<ColumnInfo>& infos, int threads);
  // Appending: one dictionary for the rows of both tables.
  void unify_dictionaries();
  // Takes the last chunks of the base that are small beside the new rows into the rows; returns how many are left, by rank.
  std::vector<std::size_t> take_small_chunks();
  // The chunks of the base that are left, in the forms of `infos`: shared where these are their own.
  void keep_chunks(const std::vector<ColumnInfo>& infos, const std::vector<std::size_t>& kept, int threads,
                   Chunks& chunks) const;
  LaneColumn decoded(const Column& chunk, std::size_t column) const;

  TableDefinition definition_;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries_;
  std::vector<std::shared_ptr<const Dictionary>> strings_;  // what strings of rows lie in that came as codes
  MemoryPool& pool_;
  bool may_code_texts_ = false;
  std::mutex mutex_;
  std::vector<std::vector<RowSet>> rows_;  // by rank
  std::shared_ptr<const MemoryTable> base_;
  std::vector<std::vector<std::int64_t>>
      code_maps_;  // by column: codes of the base's dictionary in the common one; empty: equal
  std::uint64_t serial_ = 0;
};

// A table without rows. `ranks` as above.
std::shared_ptr<Table> make_empty_table(const TableDefinition& definition, int ranks, std::uint64_t serial, MemoryPool& pool);

// The rows of `base`, a table in memory, and after them `rows`, values of its columns' types, of which each rank gets a run.
// `local_ranks`: of this process, ascending; all processes are given equal rows. Errors: those of MemoryTableBuilder::finish.
struct AppendRequest {
  std::shared_ptr<const Table> base;
  const std::vector<std::vector<Value>>& rows;  // by row and column
  std::vector<int> local_ranks = {0};
  int ranks = 1;
  std::uint64_t serial = 0;
  int threads = 1;
};
std::shared_ptr<Table> append_values(const AppendRequest& request, const MemoryTableBuilder::Agree& agree, MemoryPool& pool);

}  // namespace saccade
