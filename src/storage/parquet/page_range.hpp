// Parts of a row group's columns, found by the page index that newer files have behind their row groups: which rows each page
// holds, and its minimum and maximum. A large row group is then read, and skipped, in pieces.
#pragma once

#include <parquet/column_reader.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "data/column.hpp"
#include "storage/parquet/parquet_file.hpp"
#include "storage/parquet/parquet_schema.hpp"

namespace saccade {

// Rows begin .. begin + rows - 1 of a row group.
struct RowRange {
  int row_group = 0;
  std::int64_t begin = 0, rows = 0;
};

// Whether every flat column of the row group has an offset index: it can be read in pieces.
bool has_page_index(const ParquetFile& file, int row_group, const std::vector<ParquetColumn>& columns);

// A column's bounds within each range of one row group, by its column index; nothing where it does not say. Errors: XX001.
std::vector<std::optional<Bounds>> page_bounds(const ParquetFile& file, const ParquetColumn& column,
                                               const std::vector<RowRange>& ranges, MemoryPool& pool);

// Who decompresses pages.
enum class Unpacking : std::uint8_t { kByReader, kByCaller };

struct OpenedPages {
  std::unique_ptr<parquet::PageReader> pages;
  std::int64_t skipped = 0;  // rows of the first page that lie before the range
};

// The pages that hold the range's rows, and the dictionary page before them. `reader`: of `file`; `pool` must outlive the
// result. Errors: XX001, also where an index and its pages do not agree, 58030, 53200.
OpenedPages open_pages(const ParquetFile& file, parquet::ParquetFileReader& reader, const ParquetColumn& column,
                       const RowRange& range, Unpacking unpacking, CountedArrowPool& pool);

// The dictionary page of a row group alone: what stands before the first data page. Errors: XX001, 58030, 53200.
OpenedPages open_dictionary(const ParquetFile& file, const ParquetColumn& column, int row_group, Unpacking unpacking,
                            CountedArrowPool& pool);

// A reader that begins at the range's first row; pages before it and after it are not read. It may hold more rows than the
// range. `reader`: of `file`. Errors: XX001, also where an index and its pages do not agree.
std::shared_ptr<parquet::ColumnReader> open_range(const ParquetFile& file, parquet::ParquetFileReader& reader,
                                                  const ParquetColumn& column, const RowRange& range, CountedArrowPool& pool);

}  // namespace saccade
