// What the footers of one Parquet file, or of several read one after the other, say: columns, the chunks that rows are read in,
// and bounds. Kept between statements; holds no values.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "storage/parquet/page_range.hpp"
#include "storage/parquet/parquet_file.hpp"
#include "storage/parquet/parquet_schema.hpp"
#include "storage/parquet/text_column.hpp"

namespace saccade {

class ParquetLayout {
 public:
  // A row group that has rows, or a piece of one.
  struct Chunk {
    std::size_t file = 0;
    int row_group = 0;
    std::int64_t rows = 0;
    std::int64_t begin = 0;  // its first row within the row group
    std::size_t group = 0;   // the number of the row group among all

    RowRange range() const { return {row_group, begin, rows}; }
  };

  // Errors: XX001; 42804 where the files differ in their columns.
  ParquetLayout(std::string name, std::vector<std::shared_ptr<const ParquetFile>> files);

  const std::string& name() const { return name_; }
  std::uint64_t version() const { return version_; }
  std::int64_t rows() const { return rows_; }
  const std::vector<std::shared_ptr<const ParquetFile>>& files() const { return files_; }
  const ParquetFile& file(const Chunk& chunk) const { return *files_[chunk.file]; }
  const std::vector<Chunk>& groups() const { return groups_; }  // row groups
  const std::vector<Chunk>& chunks() const { return chunks_; }  // what they are read in
  // As far as the footers tell: text has no dictionary, and its encoding is not known yet.
  const std::vector<ColumnInfo>& columns() const { return columns_; }
  // A column as the chunk's file has it: nullability and physical types may differ by file.
  const ParquetColumn& stored(const Chunk& chunk, std::size_t column) const { return schemas_[chunk.file][column]; }
  const ParquetColumn& first_stored(std::size_t column) const { return schemas_.front()[column]; }
  std::string where(const Chunk& chunk, std::size_t column) const;
  // The column's part in a row group.
  TextPart text_part(const Chunk& group, std::size_t column) const;

  // Bounds of a column's chunk; of a piece those of its row group before refine_bounds().
  std::optional<Bounds> bounds(std::size_t column, std::size_t chunk) const;
  // Reads the page indexes of a column, once. Thread-safe. Errors: XX001, 58030, 53200.
  void refine_bounds(std::size_t column, MemoryPool& pool) const;

 private:
  void read_chunks();
  void add_pieces(const Chunk& group);
  void read_column_statistics(std::size_t column);

  std::string name_;
  std::vector<std::shared_ptr<const ParquetFile>> files_;
  std::vector<std::vector<ParquetColumn>> schemas_;  // by file
  std::uint64_t version_ = 0;
  std::int64_t rows_ = 0;
  std::vector<Chunk> groups_;
  std::vector<Chunk> chunks_;
  std::vector<ColumnInfo> columns_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::optional<Bounds>>> chunk_bounds_;  // by column and chunk, from footers and page indexes
  mutable std::vector<bool> refined_;                                     // by column: page indexes have been read
};

bool is_string(const DataType& type);

}  // namespace saccade
