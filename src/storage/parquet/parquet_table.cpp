#include "storage/parquet/parquet_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "common/error.hpp"
#include "storage/parquet/code_column.hpp"
#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/number_pages.hpp"
#include "storage/parquet/plain_text.hpp"
#include "storage/parquet/text_pages.hpp"

namespace saccade {
namespace {

using Chunk = ParquetLayout::Chunk;

// Rows begin .. begin + rows - 1 of a column.
Column slice(const Column& whole, std::int64_t begin, std::int64_t rows) {
  SACCADE_CHECK(begin % 64 == 0 && begin + rows <= whole.length);
  Column part = whole;
  part.length = rows;
  part.values = static_cast<const std::byte*>(whole.values) + begin * whole.encoding.width;
  if (whole.validity != nullptr) part.validity = whole.validity + begin / 64;
  return part;
}

class ParquetTable final : public Table {
 public:
  ParquetTable(std::shared_ptr<const ParquetLayout> layout, MemoryPool& pool, int threads)
      : layout_(std::move(layout)),
        columns_(layout_->columns()),
        codes_(columns_.size()),
        text_(columns_.size()),
        pool_(pool),
        threads_(threads) {}

  std::string opener() const override { return "read_parquet"; }
  const std::string& name() const override { return layout_->name(); }
  std::uint64_t version() const override { return layout_->version(); }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return layout_->rows(); }
  void prepare(std::span<const int> columns, MemoryPool& pool) override;
  void demand_dictionary(int column) override;
  std::int64_t chunk_count(int rank, int ranks) const override {
    const auto chunks = static_cast<std::int64_t>(layout_->chunks().size());
    return rank >= chunks ? 0 : (chunks - rank + ranks - 1) / ranks;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return layout_->chunks()[index_of(rank, ranks, chunk)].rows;
  }
  std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const override;
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                           MemoryPool& pool) const override;

 private:
  std::size_t index_of(int rank, int ranks, std::int64_t chunk) const {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return static_cast<std::size_t>(rank + chunk * ranks);
  }
  bool is_plain_text(std::size_t column) const {
    return is_string(columns_[column].type) && columns_[column].encoding.form == Form::kPlain;
  }
  void prepare_text(std::size_t column, MemoryPool& pool);
  void prepare_plain_text(std::size_t column, const std::vector<TextPart>& parts);
  void read_whole_column(std::size_t column, const std::vector<TextPart>& parts, MemoryPool& pool);
  std::vector<TextPart> text_parts(std::size_t column) const;
  void set_dictionary(std::size_t column, std::shared_ptr<const Dictionary> dictionary);
  Column load_column(std::size_t index, std::size_t column, parquet::ParquetFileReader& reader, MemoryPool& pool) const;
  Column load_text(std::size_t column, const TextPart& part, const RowRange& range, parquet::ParquetFileReader& reader,
                   MemoryPool& pool) const;
  Column load_numbers(std::size_t index, std::size_t column, const DecodeTarget& target, parquet::ParquetFileReader& reader,
                      MemoryPool& pool) const;

  std::shared_ptr<const ParquetLayout> layout_;
  std::vector<ColumnInfo> columns_;
  std::vector<CodeColumn> codes_;  // by column: text that is decoded to codes of a dictionary chunk by chunk
  std::vector<TextColumn> text_;   // by column: text of which all codes were made before
  std::mutex prepare_mutex_;
  MemoryPool& pool_;
  int threads_;
};

void ParquetTable::prepare(std::span<const int> columns, MemoryPool& pool) {
  const std::scoped_lock lock(prepare_mutex_);
  for (const int column : columns) {
    const auto at = static_cast<std::size_t>(column);
    SACCADE_CHECK(at < columns_.size());
    const ColumnInfo& info = columns_[at];
    if (info.type.kind == TypeKind::kUnknown) {
      throw Error(sqlstate::kFeatureNotSupported,
                  fmt::format("column \"{}\" of \"{}\" has a type that is not supported: {}", info.name, name(),
                              layout_->first_stored(at).file_type),
                  0, "Leave the column out, or write the file with one of the supported types.");
    }
    const bool known = info.dictionary != nullptr || is_plain_text(at);
    if (!is_string(info.type)) {
      layout_->refine_bounds(at, pool);
    } else if (!known) {
      prepare_text(at, pool);
    }
  }
}

void ParquetTable::demand_dictionary(int column) {
  const std::scoped_lock lock(prepare_mutex_);
  const auto at = static_cast<std::size_t>(column);
  if (is_plain_text(at)) read_whole_column(at, text_parts(at), pool_);
}

std::vector<TextPart> ParquetTable::text_parts(std::size_t column) const {
  std::vector<TextPart> parts;
  for (const Chunk& group : layout_->groups()) parts.push_back(layout_->text_part(group, column));
  return parts;
}

void ParquetTable::prepare_text(std::size_t column, MemoryPool& pool) {
  const std::vector<TextPart> parts = text_parts(column);
  for (const auto& file : layout_->files()) file->check_unchanged();
  if (layout_->first_stored(column).source == ParquetSource::kFixedBytes) {
    read_whole_column(column, parts, pool);
  } else if (prefers_plain_text(parts)) {
    prepare_plain_text(column, parts);
  } else {
    codes_[column] = read_dictionaries(parts, threads_, pool_, pool);
    set_dictionary(column, codes_[column].dictionary);
  }
}

void ParquetTable::prepare_plain_text(std::size_t column, const std::vector<TextPart>& parts) {
  std::int64_t largest = 0;  // bytes of strings in one row group, as far as the footer tells
  for (const TextPart& part : parts) {
    const auto chunk = part.file->metadata().RowGroup(part.row_group)->ColumnChunk(part.column->leaf);
    largest = std::max(largest, chunk->total_uncompressed_size());
  }
  columns_[column].encoding = {Form::kPlain, static_cast<std::uint8_t>(largest > kMaxNarrowHeap / 2 ? 8 : 4)};
  columns_[column].statistics.unique = Uniqueness::kRefuted;  // nothing is known: a wrong assumption would cost a second run
}

void ParquetTable::read_whole_column(std::size_t column, const std::vector<TextPart>& parts, MemoryPool& pool) {
  for (const auto& file : layout_->files()) file->check_unchanged();
  text_[column] = read_text_column(parts, threads_, pool_, pool);
  columns_[column].statistics.may_be_null = text_[column].nulls > 0;
  set_dictionary(column, text_[column].dictionary);
}

void ParquetTable::set_dictionary(std::size_t column, std::shared_ptr<const Dictionary> dictionary) {
  ColumnInfo& info = columns_[column];
  ColumnStatistics& statistics = info.statistics;
  const std::int64_t strings = dictionary->size();
  statistics.distinct = static_cast<double>(strings);
  if (strings > 0) statistics.bounds = Bounds{0, strings - 1};
  if (!statistics.may_be_null && layout_->rows() > strings) statistics.unique = Uniqueness::kRefuted;
  info.encoding = choose_encoding(info.type, Bounds{0, std::max<std::int64_t>(strings - 1, 0)});
  info.dictionary = std::move(dictionary);
}

std::optional<Bounds> ParquetTable::chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const {
  const auto at = static_cast<std::size_t>(column);
  const std::size_t index = index_of(rank, ranks, chunk), group = layout_->chunks()[index].group;
  if (!is_string(columns_[at].type) || is_plain_text(at)) return layout_->bounds(at, index);
  if (text_[at].dictionary != nullptr) return text_[at].parts[group].bounds;
  return codes_[at].dictionary == nullptr ? std::nullopt : codes_[at].groups[group].bounds;
}

std::vector<Column> ParquetTable::load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                                       MemoryPool& pool) const {
  const std::size_t index = index_of(rank, ranks, chunk);
  const ParquetFile& file = layout_->file(layout_->chunks()[index]);
  std::vector<Column> result;
  if (columns.empty()) return result;
  file.check_unchanged();
  CountedArrowPool arrow_pool(pool);
  const std::unique_ptr<parquet::ParquetFileReader> reader = file.reader(arrow_pool);
  for (const int column : columns) {
    const auto at = static_cast<std::size_t>(column);
    try {
      result.push_back(load_column(index, at, *reader, pool));
    } catch (...) {
      raise_arrow_error(layout_->where(layout_->chunks()[index], at));
    }
  }
  return result;
}

Column ParquetTable::load_column(std::size_t index, std::size_t column, parquet::ParquetFileReader& reader,
                                 MemoryPool& pool) const {
  const Chunk& chunk = layout_->chunks()[index];
  const ColumnInfo& info = columns_[column];
  SACCADE_CHECK(info.type.kind != TypeKind::kUnknown);
  if (text_[column].dictionary != nullptr) return slice(text_[column].parts[chunk.group], chunk.begin, chunk.rows);
  TextPart part = layout_->text_part(chunk, column);
  part.more = chunk.rows != layout_->groups()[chunk.group].rows;
  if (is_plain_text(column)) return load_text(column, part, chunk.range(), reader, pool);
  DecodeTarget target{info.type, info.encoding, info.base, {}, info.statistics.may_be_null, chunk.rows, part.where, part.more};
  if (!is_string(info.type)) return load_numbers(index, column, target, reader, pool);
  SACCADE_CHECK(codes_[column].dictionary != nullptr);
  const CodeColumn::Group& group = codes_[column].groups[chunk.group];
  PageStream pages(*part.file, reader, *part.column, chunk.range(), part.where, pool);
  Column result = decode_code_pages(pages, group.codes, target, pool);
  result.dictionary = info.dictionary;
  result.bounds = group.bounds;
  return result;
}

Column ParquetTable::load_text(std::size_t column, const TextPart& part, const RowRange& range,
                               parquet::ParquetFileReader& reader, MemoryPool& pool) const {
  const int width = columns_[column].encoding.width;
  PageStream pages(*part.file, reader, *part.column, range, part.where, pool);
  if (std::optional<Column> result = decode_text_pages(pages, part, width, pool)) return *std::move(result);
  CountedArrowPool arrow_pool(pool);
  return decode_plain_text(*open_range(*part.file, reader, *part.column, range, arrow_pool), part, width, pool);
}

Column ParquetTable::load_numbers(std::size_t index, std::size_t column, const DecodeTarget& target,
                                  parquet::ParquetFileReader& reader, MemoryPool& pool) const {
  const Chunk& chunk = layout_->chunks()[index];
  const ParquetFile& file = layout_->file(chunk);
  const ParquetColumn& stored = layout_->stored(chunk, column);
  // A chunk's own bounds are relied on by scans that skip, the table's by all else.
  const std::optional<Bounds> stated = layout_->bounds(column, index);
  DecodeTarget bounded = target;
  bounded.range = stated ? *stated : columns_[column].statistics.bounds.value_or(natural_bounds(target.type));
  if (has_number_pages(stored, bounded)) {
    PageStream pages(file, reader, stored, chunk.range(), target.where, pool);
    if (std::optional<Column> result = decode_number_pages(pages, stored, bounded, pool)) return *std::move(result);
  }
  CountedArrowPool arrow_pool(pool);
  return decode_column(*open_range(file, reader, stored, chunk.range(), arrow_pool), stored, bounded, pool);
}

}  // namespace

std::shared_ptr<const ParquetLayout> read_parquet_layout(const std::string& path, MemoryPool& pool) {
  std::vector<std::shared_ptr<const ParquetFile>> files;
  for (const std::string& file : expand_paths(path)) files.push_back(ParquetFile::open(file, pool));
  try {
    return std::make_shared<ParquetLayout>(path, std::move(files));
  } catch (...) {
    raise_arrow_error(fmt::format("file \"{}\"", path));
  }
}

std::shared_ptr<Table> make_parquet_table(std::shared_ptr<const ParquetLayout> layout, MemoryPool& pool, int threads) {
  return std::make_shared<ParquetTable>(std::move(layout), pool, threads);
}

std::shared_ptr<Table> open_parquet(const std::string& path, MemoryPool& pool, int threads) {
  return make_parquet_table(read_parquet_layout(path, pool), pool, threads);
}

}  // namespace saccade
