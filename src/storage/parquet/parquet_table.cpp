#include "storage/parquet/parquet_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "common/error.hpp"
#include "storage/input_file.hpp"
#include "storage/parquet/column_decoder.hpp"
#include "storage/parquet/page_range.hpp"
#include "storage/parquet/parquet_file.hpp"
#include "storage/parquet/parquet_schema.hpp"
#include "storage/parquet/plain_text.hpp"
#include "storage/parquet/text_column.hpp"

namespace saccade {
namespace {

bool is_string(const DataType& type) {
  return type.is_text() || type.kind == TypeKind::kBytea;
}

// A large row group with a page index is read in pieces of so many rows; bitmaps are cut at whole words.
constexpr std::int64_t kPieceRows = 65536;

// A row group that has rows, or a piece of one.
struct Chunk {
  std::size_t file = 0;
  int row_group = 0;
  std::int64_t rows = 0;
  std::int64_t begin = 0;  // its first row within the row group
  std::size_t group = 0;   // the number of the row group among all

  RowRange range() const { return {row_group, begin, rows}; }
};

// Rows begin .. begin + rows - 1 of a column.
Column slice(const Column& whole, std::int64_t begin, std::int64_t rows) {
  SACCADE_CHECK(begin % 64 == 0 && begin + rows <= whole.length);
  Column part = whole;
  part.length = rows;
  part.values = static_cast<const std::byte*>(whole.values) + begin * whole.encoding.width;
  if (whole.validity != nullptr) part.validity = whole.validity + begin / 64;
  return part;
}

// The bounds over all chunks; nothing where one is unknown or no chunk has a value.
struct BoundsUnion {
  std::optional<Bounds> bounds;
  bool known = true;

  void add(const FooterStatistics& chunk) {
    if (chunk.all_null) return;
    if (!chunk.bounds) {
      known = false;
    } else if (!bounds) {
      bounds = chunk.bounds;
    } else {
      bounds = Bounds{std::min(bounds->low, chunk.bounds->low), std::max(bounds->high, chunk.bounds->high)};
    }
  }
  std::optional<Bounds> result() const { return known ? bounds : std::nullopt; }
};

class ParquetTable final : public Table {
 public:
  ParquetTable(std::string name, std::vector<std::shared_ptr<const ParquetFile>> files, MemoryPool& pool, int threads);

  std::string opener() const override { return "read_parquet"; }
  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return version_; }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return rows_; }
  void prepare(std::span<const int> columns, MemoryPool& pool) override;
  void demand_dictionary(int column) override;
  std::int64_t chunk_count(int rank, int ranks) const override {
    const auto chunks = static_cast<std::int64_t>(chunks_.size());
    return rank >= chunks ? 0 : (chunks - rank + ranks - 1) / ranks;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return chunks_[index_of(rank, ranks, chunk)].rows;
  }
  std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const override;
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                           MemoryPool& pool) const override;

 private:
  std::size_t index_of(int rank, int ranks, std::int64_t chunk) const {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return static_cast<std::size_t>(rank + chunk * ranks);
  }
  std::string where(const Chunk& chunk, std::size_t column) const {
    return fmt::format("file \"{}\", column \"{}\", row group {}", files_[chunk.file]->path(), columns_[column].name,
                       chunk.row_group);
  }
  void read_chunks();
  void add_pieces(const Chunk& group);
  void refine_bounds(std::size_t column, MemoryPool& pool);
  void read_column_statistics(std::size_t column);
  void prepare_text(std::size_t column, bool dictionary, MemoryPool& pool);
  std::vector<TextPart> text_parts(std::size_t column) const;
  bool is_plain_text(std::size_t column) const {
    return is_string(columns_[column].type) && columns_[column].encoding.form == Form::kPlain;
  }

  std::string name_;
  std::vector<std::shared_ptr<const ParquetFile>> files_;
  std::vector<std::vector<ParquetColumn>> schemas_;  // by file: nullability and physical types may differ
  std::uint64_t version_ = 0;
  std::int64_t rows_ = 0;
  std::vector<Chunk> groups_;  // row groups, and what they are read in
  std::vector<Chunk> chunks_;
  std::vector<ColumnInfo> columns_;
  std::vector<std::vector<std::optional<Bounds>>> chunk_bounds_;  // by column and chunk, from the footers and page indexes
  std::vector<bool> refined_;                                     // by column: page indexes have been read
  std::vector<TextColumn> text_;                                  // by column; of those with a dictionary
  std::mutex prepare_mutex_;
  MemoryPool& pool_;
  int threads_;
};

ParquetTable::ParquetTable(std::string name, std::vector<std::shared_ptr<const ParquetFile>> files, MemoryPool& pool,
                           int threads)
    : name_(std::move(name)), files_(std::move(files)), pool_(pool), threads_(threads) {
  for (const auto& file : files_) {
    version_ = append_version(version_, file->identity());
    schemas_.push_back(read_schema(*file->metadata().schema()));
    const std::vector<ParquetColumn>&first = schemas_.front(), &current = schemas_.back();
    const bool same = std::equal(first.begin(), first.end(), current.begin(), current.end(),
                                 [](const auto& a, const auto& b) { return a.name == b.name && a.type == b.type; });
    if (!same) {
      throw Error(sqlstate::kDatatypeMismatch,
                  fmt::format("files \"{}\" and \"{}\" differ in the names or types of their columns", files_.front()->path(),
                              file->path()),
                  0, "Files that are read together must have the same columns in the same order.");
    }
  }
  for (const ParquetColumn& column : schemas_.front()) {
    columns_.push_back({column.name, column.type, choose_encoding(column.type, std::nullopt), 0, {}, nullptr});
  }
  text_.resize(columns_.size());
  chunk_bounds_.resize(columns_.size());
  refined_.resize(columns_.size());
  read_chunks();
  for (std::size_t column = 0; column < columns_.size(); ++column) read_column_statistics(column);
}

void ParquetTable::read_chunks() {
  for (std::size_t file = 0; file < files_.size(); ++file) {
    const parquet::FileMetaData& metadata = files_[file]->metadata();
    std::int64_t rows = 0;
    for (int group = 0; group < metadata.num_row_groups(); ++group) {
      const std::int64_t group_rows = metadata.RowGroup(group)->num_rows();
      if (group_rows < 0 || __builtin_add_overflow(rows, group_rows, &rows)) {
        raise_damaged(fmt::format("file \"{}\"", files_[file]->path()), "the number of rows of a row group is impossible");
      }
      if (group_rows > 0) add_pieces({file, group, group_rows, 0, groups_.size()});
    }
    if (rows != metadata.num_rows()) {
      raise_damaged(fmt::format("file \"{}\"", files_[file]->path()),
                    fmt::format("its row groups have {} rows, its footer says {}", rows, metadata.num_rows()));
    }
    if (__builtin_add_overflow(rows_, rows, &rows_)) raise_damaged("file \"" + name_ + '"', "it has too many rows");
  }
}

void ParquetTable::add_pieces(const Chunk& group) {
  groups_.push_back(group);
  const bool in_pieces =
      group.rows >= 2 * kPieceRows && has_page_index(*files_[group.file], group.row_group, schemas_[group.file]);
  const std::int64_t step = in_pieces ? kPieceRows : group.rows;
  for (std::int64_t begin = 0; begin < group.rows; begin += step) {
    chunks_.push_back(group);
    chunks_.back().begin = begin;
    chunks_.back().rows = std::min(step, group.rows - begin);
  }
}

// Pieces have the bounds of their row group until a statement uses the column.
void ParquetTable::refine_bounds(std::size_t column, MemoryPool& pool) {
  if (refined_[column] || columns_[column].type.is_float()) return;
  for (std::size_t first = 0, last = 0; first < chunks_.size(); first = last) {
    const Chunk& group = groups_[chunks_[first].group];
    std::vector<RowRange> ranges;
    for (; last < chunks_.size() && chunks_[last].group == group.group; ++last) ranges.push_back(chunks_[last].range());
    if (ranges.size() == 1) continue;
    try {
      const auto bounds = page_bounds(*files_[group.file], schemas_[group.file][column], ranges, pool);
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (bounds[i]) chunk_bounds_[column][first + i] = bounds[i];
      }
    } catch (...) {
      raise_arrow_error(where(group, column));
    }
  }
  refined_[column] = true;
}

void ParquetTable::read_column_statistics(std::size_t column) {
  ColumnInfo& info = columns_[column];
  chunk_bounds_[column].resize(chunks_.size());
  if (info.type.kind == TypeKind::kUnknown) return;
  BoundsUnion bounds;
  bool may_be_null = false;
  std::vector<std::optional<Bounds>> group_bounds;
  for (const Chunk& chunk : groups_) {
    const ParquetColumn& source = schemas_[chunk.file][column];
    const auto metadata = files_[chunk.file]->metadata().RowGroup(chunk.row_group)->ColumnChunk(source.leaf);
    if (metadata->num_values() != chunk.rows) {
      raise_damaged(where(chunk, column), fmt::format("it has {} values for {} rows", metadata->num_values(), chunk.rows));
    }
    const FooterStatistics statistics = footer_statistics(source, *metadata);
    bounds.add(statistics);
    may_be_null = may_be_null || statistics.nulls.value_or(1) != 0;
    group_bounds.push_back(statistics.bounds);
  }
  for (std::size_t i = 0; i < chunks_.size(); ++i) chunk_bounds_[column][i] = group_bounds[chunks_[i].group];
  ColumnStatistics& statistics = info.statistics;
  statistics.may_be_null = may_be_null;
  if (is_string(info.type) || info.type.is_float()) return;
  statistics.bounds = bounds.result();
  info.encoding = choose_encoding(info.type, statistics.bounds);
  const bool has_base = info.encoding.form == Form::kNarrowed || info.encoding.form == Form::kConstant;
  if (has_base && statistics.bounds) info.base = static_cast<std::int64_t>(statistics.bounds->low);
  if (!statistics.bounds) return;
  const double range = static_cast<double>(statistics.bounds->high) - static_cast<double>(statistics.bounds->low) + 1;
  statistics.distinct = std::min(range, static_cast<double>(rows_));
  if (!may_be_null && static_cast<double>(rows_) > range) statistics.unique = Uniqueness::kRefuted;
}

void ParquetTable::prepare(std::span<const int> columns, MemoryPool& pool) {
  const std::scoped_lock lock(prepare_mutex_);
  for (const int column : columns) {
    const auto at = static_cast<std::size_t>(column);
    SACCADE_CHECK(at < columns_.size());
    const ColumnInfo& info = columns_[at];
    if (info.type.kind == TypeKind::kUnknown) {
      throw Error(sqlstate::kFeatureNotSupported,
                  fmt::format("column \"{}\" of \"{}\" has a type that is not supported: {}", info.name, name_,
                              schemas_.front()[at].file_type),
                  0, "Leave the column out, or write the file with one of the supported types.");
    }
    const bool known = info.dictionary != nullptr || is_plain_text(at);
    if (is_string(info.type)) {
      if (!known) prepare_text(at, false, pool);
    } else {
      refine_bounds(at, pool);
    }
  }
}

void ParquetTable::demand_dictionary(int column) {
  const std::scoped_lock lock(prepare_mutex_);
  const auto at = static_cast<std::size_t>(column);
  if (is_plain_text(at)) prepare_text(at, true, pool_);
}

std::vector<TextPart> ParquetTable::text_parts(std::size_t column) const {
  std::vector<TextPart> parts;
  for (const Chunk& group : groups_) {
    parts.push_back({files_[group.file].get(), group.row_group, &schemas_[group.file][column],
                     columns_[column].statistics.may_be_null, group.rows, where(group, column)});
  }
  return parts;
}

void ParquetTable::prepare_text(std::size_t column, bool dictionary, MemoryPool& pool) {
  ColumnInfo& info = columns_[column];
  const std::vector<TextPart> parts = text_parts(column);
  const bool fixed = schemas_.front()[column].source == ParquetSource::kFixedBytes;
  if (!dictionary && !fixed && prefers_plain_text(parts)) {
    std::int64_t largest = 0;  // bytes of strings in one row group, as far as the footer tells
    for (const TextPart& part : parts) {
      const auto chunk = part.file->metadata().RowGroup(part.row_group)->ColumnChunk(part.column->leaf);
      largest = std::max(largest, chunk->total_uncompressed_size());
    }
    info.encoding = {Form::kPlain, static_cast<std::uint8_t>(largest > kMaxNarrowHeap / 2 ? 8 : 4)};
    info.statistics.unique = Uniqueness::kRefuted;  // nothing is known: a wrong assumption would cost a second run
    return;
  }
  for (const auto& file : files_) file->check_unchanged();
  TextColumn text = read_text_column(parts, threads_, pool_, pool);
  const std::int64_t strings = text.dictionary->size();
  ColumnStatistics& statistics = info.statistics;
  statistics.may_be_null = text.nulls > 0;
  statistics.distinct = static_cast<double>(strings);
  if (strings > 0) statistics.bounds = Bounds{0, strings - 1};
  if (rows_ - text.nulls > strings) statistics.unique = Uniqueness::kRefuted;
  info.encoding = choose_encoding(info.type, Bounds{0, std::max<std::int64_t>(strings - 1, 0)});
  info.dictionary = text.dictionary;
  text_[column] = std::move(text);
}

std::optional<Bounds> ParquetTable::chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const {
  const auto at = static_cast<std::size_t>(column);
  const std::size_t index = index_of(rank, ranks, chunk);
  if (!is_string(columns_[at].type) || is_plain_text(at)) return chunk_bounds_[at][index];
  return text_[at].dictionary == nullptr ? std::nullopt : text_[at].parts[chunks_[index].group].bounds;
}

std::vector<Column> ParquetTable::load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                                       MemoryPool& pool) const {
  const std::size_t index = index_of(rank, ranks, chunk);
  const Chunk& source = chunks_[index];
  const ParquetFile& file = *files_[source.file];
  std::vector<Column> result;
  CountedArrowPool arrow_pool(pool);
  std::unique_ptr<parquet::ParquetFileReader> reader;
  for (const int column : columns) {
    const auto at = static_cast<std::size_t>(column);
    const ColumnInfo& info = columns_[at];
    SACCADE_CHECK(info.type.kind != TypeKind::kUnknown);
    if (is_string(info.type) && !is_plain_text(at)) {
      SACCADE_CHECK(text_[at].dictionary != nullptr);
      result.push_back(slice(text_[at].parts[source.group], source.begin, source.rows));
      continue;
    }
    const std::string place = where(source, at);
    try {
      if (reader == nullptr) {
        file.check_unchanged();
        reader = file.reader(arrow_pool);
      }
      const ParquetColumn& stored = schemas_[source.file][at];
      const auto values = open_range(file, *reader, stored, source.range(), arrow_pool);
      const bool piece = source.rows != groups_[source.group].rows;
      if (is_plain_text(at)) {
        const TextPart part{&file, source.row_group, &stored, info.statistics.may_be_null, source.rows, place, piece};
        result.push_back(decode_plain_text(*values, part, info.encoding.width, pool));
        continue;
      }
      // A chunk's own bounds are relied on by scans that skip, the table's by all else.
      const std::optional<Bounds>& stated = chunk_bounds_[at][index];
      const Bounds range = stated ? *stated : info.statistics.bounds.value_or(natural_bounds(info.type));
      const DecodeTarget target{info.type,   info.encoding, info.base, range, info.statistics.may_be_null,
                                source.rows, place,         piece};
      result.push_back(decode_column(*values, stored, target, pool));
    } catch (...) {
      raise_arrow_error(place);
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<Table> open_parquet(const std::string& path, MemoryPool& pool, int threads) {
  std::vector<std::shared_ptr<const ParquetFile>> files;
  for (const std::string& file : expand_paths(path)) files.push_back(ParquetFile::open(file, pool));
  try {
    return std::make_shared<ParquetTable>(path, std::move(files), pool, threads);
  } catch (...) {
    raise_arrow_error(fmt::format("file \"{}\"", path));
  }
}

}  // namespace saccade
