#include "storage/parquet/parquet_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"
#include "storage/parquet/column_decoder.hpp"

namespace saccade {
namespace {

// A large row group with a page index is read in pieces of so many rows; bitmaps are cut at whole words.
constexpr std::int64_t kPieceRows = 65536;

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

}  // namespace

ParquetLayout::ParquetLayout(std::string name, std::vector<std::shared_ptr<const ParquetFile>> files)
    : name_(std::move(name)), files_(std::move(files)) {
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
  chunk_bounds_.resize(columns_.size());
  refined_.resize(columns_.size());
  read_chunks();
  for (std::size_t column = 0; column < columns_.size(); ++column) read_column_statistics(column);
}

void ParquetLayout::read_chunks() {
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

void ParquetLayout::add_pieces(const Chunk& group) {
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
void ParquetLayout::refine_bounds(std::size_t column, MemoryPool& pool) const {
  const std::scoped_lock lock(mutex_);
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

void ParquetLayout::read_column_statistics(std::size_t column) {
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

std::optional<Bounds> ParquetLayout::bounds(std::size_t column, std::size_t chunk) const {
  const std::scoped_lock lock(mutex_);
  return chunk_bounds_[column][chunk];
}

std::string ParquetLayout::where(const Chunk& chunk, std::size_t column) const {
  return fmt::format("file \"{}\", column \"{}\", row group {}", files_[chunk.file]->path(), columns_[column].name,
                     chunk.row_group);
}

TextPart ParquetLayout::text_part(const Chunk& group, std::size_t column) const {
  return {files_[group.file].get(),
          group.row_group,
          &schemas_[group.file][column],
          columns_[column].statistics.may_be_null,
          group.rows,
          where(group, column)};
}

bool is_string(const DataType& type) {
  return type.is_text() || type.kind == TypeKind::kBytea;
}

}  // namespace saccade
