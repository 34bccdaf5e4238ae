#include "storage/parquet/page_range.hpp"

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/result.h>
#include <fmt/format.h>
#include <parquet/page_index.h>

#include <algorithm>

#include "common/error.hpp"
#include "storage/arrow/arrow_input.hpp"
#include "storage/parquet/column_decoder.hpp"

namespace saccade {
namespace {

// The pages of one column chunk, checked against its metadata.
struct ColumnPages {
  std::vector<parquet::PageLocation> pages;
  std::int64_t start = 0;  // of the chunk: a dictionary page may stand before the first data page
  std::int64_t rows = 0;   // of the row group
  std::string where;

  std::int64_t end_row(std::size_t page) const { return page + 1 < pages.size() ? pages[page + 1].first_row_index : rows; }
  // The first page that holds rows at or behind `row`.
  std::size_t page_of(std::int64_t row) const {
    const auto after = std::upper_bound(pages.begin(), pages.end(), row,
                                        [](std::int64_t wanted, const auto& page) { return wanted < page.first_row_index; });
    return static_cast<std::size_t>(after - pages.begin()) - 1;
  }
};

std::string where_is(const ParquetFile& file, const ParquetColumn& column, int row_group) {
  return fmt::format("file \"{}\", column \"{}\", row group {}", file.path(), column.name, row_group);
}

std::int64_t first_byte(const parquet::ColumnChunkMetaData& chunk) {
  const std::int64_t data = chunk.data_page_offset();
  const bool dictionary = chunk.has_dictionary_page() && chunk.dictionary_page_offset() > 0;
  return dictionary ? std::min(data, chunk.dictionary_page_offset()) : data;
}

// So many bytes of a column chunk from its first on, or those that the file has.
std::shared_ptr<arrow::Buffer> read_chunk(const ParquetFile& file, const parquet::ColumnChunkMetaData& chunk,
                                          std::int64_t bytes, const std::string& where, CountedArrowPool& pool) {
  const std::int64_t start = first_byte(chunk), stated = chunk.total_compressed_size(), size = file.input().size();
  if (start < 0 || stated < 0 || start > size || stated > size - start || bytes < 0) {
    raise_damaged(where, "its pages lie behind the end of the file");
  }
  bytes = std::min(bytes, size - start);
  arrow::Result<std::unique_ptr<arrow::Buffer>> buffer = arrow::AllocateBuffer(bytes, &pool);
  if (!buffer.ok()) raise_arrow_status(where, buffer.status());
  file.input().read(start, bytes, reinterpret_cast<char*>((*buffer)->mutable_data()));
  return std::move(buffer).ValueUnsafe();
}

std::unique_ptr<parquet::PageReader> read_pages_of(std::shared_ptr<arrow::Buffer> bytes, std::int64_t values,
                                                   const parquet::ColumnChunkMetaData& chunk,
                                                   const parquet::ColumnDescriptor& descriptor, Unpacking unpacking,
                                                   CountedArrowPool& pool) {
  const auto codec = unpacking == Unpacking::kByCaller ? parquet::Compression::UNCOMPRESSED : chunk.compression();
  return parquet::PageReader::Open(std::make_shared<arrow::io::BufferReader>(std::move(bytes)), values, codec,
                                   ParquetFile::properties(pool), descriptor);
}

ColumnPages read_pages(const ParquetFile& file, parquet::RowGroupPageIndexReader& index, const ParquetColumn& column,
                       int row_group) {
  ColumnPages result;
  result.where = where_is(file, column, row_group);
  const auto group = file.metadata().RowGroup(row_group);
  const auto chunk = group->ColumnChunk(column.leaf);
  const std::shared_ptr<parquet::OffsetIndex> offsets = index.GetOffsetIndex(column.leaf);
  if (offsets == nullptr) raise_damaged(result.where, "its page index is missing");
  result.pages = offsets->page_locations();
  result.rows = group->num_rows();
  result.start = first_byte(*chunk);
  const std::int64_t size = chunk->total_compressed_size();
  std::int64_t at = result.start, row = -1;
  bool fits = !result.pages.empty() && result.pages.front().first_row_index == 0 && at >= 0 && size >= 0;
  for (const parquet::PageLocation& page : result.pages) {
    fits = fits && page.offset >= at && page.compressed_page_size > 0 && page.first_row_index > row &&
           page.first_row_index < result.rows && page.offset - result.start <= size - page.compressed_page_size;
    at = page.offset + page.compressed_page_size;
    row = page.first_row_index;
  }
  if (!fits) raise_damaged(result.where, "its page index is impossible");
  return result;
}

// The bytes of the dictionary page, where there is one, and of pages first .. last.
std::shared_ptr<arrow::Buffer> read_bytes(const ParquetFile& file, const ColumnPages& column, std::size_t first,
                                          std::size_t last, CountedArrowPool& pool) {
  const std::int64_t dictionary = column.pages.front().offset - column.start;
  const std::int64_t begin = column.pages[first].offset;
  const std::int64_t bytes = column.pages[last].offset + column.pages[last].compressed_page_size - begin;
  const InputFile& input = file.input();
  if (column.start + dictionary > input.size() || begin + bytes > input.size()) {
    raise_damaged(column.where, "its pages lie behind the end of the file");
  }
  arrow::Result<std::unique_ptr<arrow::Buffer>> buffer = arrow::AllocateBuffer(dictionary + bytes, &pool);
  if (!buffer.ok()) raise_arrow_status(column.where, buffer.status());
  char* data = reinterpret_cast<char*>((*buffer)->mutable_data());
  input.read(column.start, dictionary, data);
  input.read(begin, bytes, data + dictionary);
  return std::move(buffer).ValueUnsafe();
}

template <class Physical>
std::int64_t skip_typed(parquet::ColumnReader& reader, std::int64_t rows) {
  return static_cast<parquet::TypedColumnReader<Physical>&>(reader).Skip(rows);
}

// Values of a flat column are its rows. Returns how many there were.
std::int64_t skip_rows(parquet::ColumnReader& reader, std::int64_t rows) {
  switch (reader.type()) {
    case parquet::Type::BOOLEAN:
      return skip_typed<parquet::BooleanType>(reader, rows);
    case parquet::Type::INT32:
      return skip_typed<parquet::Int32Type>(reader, rows);
    case parquet::Type::INT64:
      return skip_typed<parquet::Int64Type>(reader, rows);
    case parquet::Type::INT96:
      return skip_typed<parquet::Int96Type>(reader, rows);
    case parquet::Type::FLOAT:
      return skip_typed<parquet::FloatType>(reader, rows);
    case parquet::Type::DOUBLE:
      return skip_typed<parquet::DoubleType>(reader, rows);
    case parquet::Type::BYTE_ARRAY:
      return skip_typed<parquet::ByteArrayType>(reader, rows);
    default:
      return skip_typed<parquet::FLBAType>(reader, rows);
  }
}

}  // namespace

bool has_page_index(const ParquetFile& file, int row_group, const std::vector<ParquetColumn>& columns) {
  const auto group = file.metadata().RowGroup(row_group);
  return std::all_of(columns.begin(), columns.end(), [&](const ParquetColumn& column) {
    return column.source == ParquetSource::kUnsupported ||
           group->ColumnChunk(column.leaf)->GetOffsetIndexLocation().has_value();
  });
}

std::vector<std::optional<Bounds>> page_bounds(const ParquetFile& file, const ParquetColumn& column,
                                               const std::vector<RowRange>& ranges, MemoryPool& pool) {
  std::vector<std::optional<Bounds>> result(ranges.size());
  const int row_group = ranges.front().row_group;
  CountedArrowPool arrow_pool(pool);
  const auto reader = file.reader(arrow_pool);
  const auto index = reader->GetPageIndexReader()->RowGroup(row_group);
  if (!file.metadata().RowGroup(row_group)->ColumnChunk(column.leaf)->GetColumnIndexLocation()) return result;
  const std::shared_ptr<parquet::ColumnIndex> bounds = index->GetColumnIndex(column.leaf);
  const ColumnPages pages = read_pages(file, *index, column, row_group);
  const std::size_t count = pages.pages.size();
  if (bounds == nullptr || bounds->null_pages().size() != count || bounds->encoded_min_values().size() != count ||
      bounds->encoded_max_values().size() != count) {
    return result;
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t last = pages.page_of(ranges[i].begin + ranges[i].rows - 1);
    std::optional<Bounds> whole;
    bool known = true;
    for (std::size_t page = pages.page_of(ranges[i].begin); page <= last; ++page) {
      if (bounds->null_pages()[page]) continue;
      const auto own = stated_bounds(column, bounds->encoded_min_values()[page], bounds->encoded_max_values()[page]);
      known = known && own.has_value();
      if (!known) break;
      whole = whole ? Bounds{std::min(whole->low, own->low), std::max(whole->high, own->high)} : *own;
    }
    if (known) result[i] = whole;
  }
  return result;
}

OpenedPages open_pages(const ParquetFile& file, parquet::ParquetFileReader& reader, const ParquetColumn& column,
                       const RowRange& range, Unpacking unpacking, CountedArrowPool& pool) {
  const auto group = file.metadata().RowGroup(range.row_group);
  const auto chunk = group->ColumnChunk(column.leaf);
  const parquet::ColumnDescriptor& descriptor = *file.metadata().schema()->Column(column.leaf);
  if (range.begin == 0 && range.rows == group->num_rows()) {
    // Some old writers state a size without the header of the dictionary page: a few more bytes are read.
    constexpr std::int64_t kMissingHeader = 100;
    const std::int64_t bytes = std::min(chunk->total_compressed_size(), file.input().size()) + kMissingHeader;
    auto all = read_chunk(file, *chunk, bytes, where_is(file, column, range.row_group), pool);
    return {read_pages_of(std::move(all), chunk->num_values(), *chunk, descriptor, unpacking, pool)};
  }
  const auto index = reader.GetPageIndexReader()->RowGroup(range.row_group);
  if (index == nullptr) raise_damaged(fmt::format("file \"{}\"", file.path()), "its page index is missing");
  const ColumnPages pages = read_pages(file, *index, column, range.row_group);
  const std::size_t first = pages.page_of(range.begin), last = pages.page_of(range.begin + range.rows - 1);
  const std::int64_t first_row = pages.pages[first].first_row_index;
  OpenedPages result{read_pages_of(read_bytes(file, pages, first, last, pool), pages.end_row(last) - first_row, *chunk,
                                   descriptor, unpacking, pool),
                     range.begin - first_row};
  result.pages->set_data_page_filter([pages, page = first](const parquet::DataPageStats& page_header) mutable {
    const std::int64_t rows = page < pages.pages.size() ? pages.end_row(page) - pages.pages[page].first_row_index : -1;
    if (page_header.num_values != rows) raise_damaged(pages.where, "its page index and its pages have other numbers of rows");
    ++page;
    return false;
  });
  return result;
}

OpenedPages open_dictionary(const ParquetFile& file, const ParquetColumn& column, int row_group, Unpacking unpacking,
                            CountedArrowPool& pool) {
  const auto chunk = file.metadata().RowGroup(row_group)->ColumnChunk(column.leaf);
  const std::int64_t bytes = chunk->data_page_offset() - first_byte(*chunk);
  auto page = read_chunk(file, *chunk, bytes, where_is(file, column, row_group), pool);
  const parquet::ColumnDescriptor& descriptor = *file.metadata().schema()->Column(column.leaf);
  return {read_pages_of(std::move(page), chunk->num_values(), *chunk, descriptor, unpacking, pool)};
}

std::shared_ptr<parquet::ColumnReader> open_range(const ParquetFile& file, parquet::ParquetFileReader& reader,
                                                  const ParquetColumn& column, const RowRange& range, CountedArrowPool& pool) {
  if (range.begin == 0 && range.rows == file.metadata().RowGroup(range.row_group)->num_rows()) {
    return reader.RowGroup(range.row_group)->Column(column.leaf);
  }
  OpenedPages opened = open_pages(file, reader, column, range, Unpacking::kByReader, pool);
  const parquet::ColumnDescriptor* descriptor = file.metadata().schema()->Column(column.leaf);
  std::shared_ptr<parquet::ColumnReader> result = parquet::ColumnReader::Make(descriptor, std::move(opened.pages), &pool);
  if (opened.skipped > 0 && skip_rows(*result, opened.skipped) != opened.skipped) {
    raise_damaged(where_is(file, column, range.row_group), "it has too few values");
  }
  return result;
}

}  // namespace saccade
