#include "storage/memory_table.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "storage/parallel.hpp"

namespace saccade {
namespace {

// By column and chunk.
using RankChunks = std::vector<std::vector<Column>>;

class MemoryTable final : public Table {
 public:
  MemoryTable(std::string name, std::uint64_t version, std::int64_t rows, std::vector<ColumnInfo> columns,
              std::vector<std::int64_t> rank_rows, std::vector<RankChunks> ranks)
      : name_(std::move(name)),
        version_(version),
        rows_(rows),
        columns_(std::move(columns)),
        rank_rows_(std::move(rank_rows)),
        ranks_(std::move(ranks)) {}

  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return version_; }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return rows_; }
  void prepare(std::span<const int> columns, MemoryPool&) override {
    for (const int column : columns) SACCADE_CHECK(column >= 0 && static_cast<std::size_t>(column) < columns_.size());
  }

  std::int64_t chunk_count(int rank, int ranks) const override {
    return (rows_of(rank, ranks) + kMemoryChunkRows - 1) / kMemoryChunkRows;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return std::min(kMemoryChunkRows, rows_of(rank, ranks) - chunk * kMemoryChunkRows);
  }
  std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const override {
    return stored(rank, ranks, chunk, column).bounds;
  }
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns, MemoryPool&) const override {
    std::vector<Column> result;
    result.reserve(columns.size());
    for (const int column : columns) result.push_back(stored(rank, ranks, chunk, column));
    return result;
  }

 private:
  std::int64_t rows_of(int rank, int ranks) const {
    SACCADE_CHECK(static_cast<std::size_t>(ranks) == ranks_.size() && rank >= 0 && rank < ranks);
    return rank_rows_[static_cast<std::size_t>(rank)];
  }
  const Column& stored(int rank, int ranks, std::int64_t chunk, int column) const {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return ranks_[static_cast<std::size_t>(rank)].at(static_cast<std::size_t>(column))[static_cast<std::size_t>(chunk)];
  }

  std::string name_;
  std::uint64_t version_;
  std::int64_t rows_;
  std::vector<ColumnInfo> columns_;
  std::vector<std::int64_t> rank_rows_;
  std::vector<RankChunks> ranks_;
};

// A part of one RowSet.
struct Slice {
  const LaneColumn* column = nullptr;
  std::int64_t begin = 0, end = 0;
};

// The slices of one column that make up rows begin .. end - 1 of a rank.
std::vector<Slice> slices_of(const std::vector<RowSet>& sets, std::size_t column, std::int64_t begin, std::int64_t end) {
  std::vector<Slice> slices;
  std::int64_t at = 0;
  for (const RowSet& set : sets) {
    const std::int64_t from = std::max(begin, at), to = std::min(end, at + set.rows);
    if (from < to) slices.push_back({&set.columns[column], from - at, to - at});
    at += set.rows;
  }
  return slices;
}

std::int64_t count_rows(const std::vector<RowSet>& sets) {
  std::int64_t rows = 0;
  for (const RowSet& set : sets) rows += set.rows;
  return rows;
}

// The bitmap of the slices' validity; null where nothing is null.
std::shared_ptr<const Buffer> gather_validity(const std::vector<Slice>& slices, std::int64_t rows, MemoryPool& pool) {
  const auto nullable = [](const Slice& slice) { return slice.column->valid != nullptr; };
  if (std::none_of(slices.begin(), slices.end(), nullable)) return nullptr;
  std::shared_ptr<Buffer> bitmap = Buffer::allocate_zeroed((rows + 63) / 64 * 8, pool);
  auto* words = bitmap->as<std::uint64_t>();
  std::int64_t at = 0, nulls = 0;
  for (const Slice& slice : slices) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row, ++at) {
      const std::uint64_t valid = slice.column->is_valid(row) ? 1 : 0;
      words[at / 64] |= valid << (at % 64);
      nulls += valid == 0 ? 1 : 0;
    }
  }
  return nulls == 0 ? nullptr : bitmap;
}

// One chunk of one column, encoded from the plain lanes.
Column encode_chunk(const std::vector<Slice>& slices, std::int64_t rows, const ColumnInfo& info, MemoryPool& pool) {
  std::shared_ptr<const Buffer> validity = gather_validity(slices, rows, pool);
  const Lane lane = slices.front().column->lane;
  const std::int64_t width = lane_bytes(lane);
  const std::byte* values = slices.front().column->values->data() + slices.front().begin * width;
  std::unique_ptr<Buffer> joined;  // a chunk over several row sets is first copied together
  if (slices.size() > 1) {
    joined = Buffer::allocate(rows * width, pool);
    std::byte* out = joined->data();
    for (const Slice& slice : slices) {
      SACCADE_CHECK(slice.column->lane == lane);
      const std::int64_t bytes = (slice.end - slice.begin) * width;
      std::memcpy(out, slice.column->values->data() + slice.begin * width, static_cast<std::size_t>(bytes));
      out += bytes;
    }
    values = joined->data();
  }
  return encode_column(info.type, info.encoding, info.base, values, lane, rows, std::move(validity), info.dictionary, pool,
                       "column \"" + info.name + "\"");
}

ColumnInfo describe_column(std::string name, DataType type, std::shared_ptr<const Dictionary> dictionary,
                           const ColumnSummary& summary) {
  ColumnInfo info{std::move(name), type, {}, 0, {}, std::move(dictionary)};
  ColumnStatistics& statistics = info.statistics;
  statistics.may_be_null = summary.has_null;
  statistics.distinct = std::min(summary.distinct, static_cast<double>(summary.rows));
  if (summary.any) {
    statistics.bounds = Bounds{summary.low, summary.high};
    const double range = static_cast<double>(summary.high) - static_cast<double>(summary.low) + 1;
    statistics.distinct = std::min(statistics.distinct, range);
    statistics.sorted = summary.sorted;
    if (!summary.has_null && static_cast<double>(summary.rows) > range) statistics.unique = Uniqueness::kRefuted;
    if (summary.strictly) {
      statistics.unique = Uniqueness::kProven;
      statistics.distinct = static_cast<double>(summary.rows);
    }
  }
  if (type.kind == TypeKind::kText) {
    info.encoding = choose_encoding(type, Bounds{0, std::max<std::int64_t>(info.dictionary->size() - 1, 0)});
    return info;
  }
  info.encoding = choose_encoding(type, statistics.bounds);
  const bool has_base = info.encoding.form == Form::kNarrowed || info.encoding.form == Form::kConstant;
  if (has_base && summary.any) info.base = static_cast<std::int64_t>(summary.low);
  return info;
}

std::uint64_t version_of(const std::string& name, const std::vector<ColumnInfo>& columns,
                         const std::vector<ColumnSummary>& summaries) {
  std::uint64_t version = std::hash<std::string>()(name);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    version = version * 0x9e3779b97f4a7c15U + summaries[i].contents;
    if (columns[i].dictionary != nullptr) version = version * 0x9e3779b97f4a7c15U + columns[i].dictionary->identity();
  }
  return version;
}

}  // namespace

MemoryTableBuilder::MemoryTableBuilder(std::string name, std::vector<std::string> column_names, std::vector<DataType> types,
                                       std::vector<std::shared_ptr<const Dictionary>> dictionaries, int ranks, MemoryPool& pool)
    : name_(std::move(name)),
      column_names_(std::move(column_names)),
      types_(std::move(types)),
      dictionaries_(std::move(dictionaries)),
      pool_(pool),
      rows_(static_cast<std::size_t>(ranks)) {
  SACCADE_CHECK(types_.size() == column_names_.size() && dictionaries_.size() == column_names_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    SACCADE_CHECK((types_[i].kind == TypeKind::kText) == (dictionaries_[i] != nullptr));
  }
}

void MemoryTableBuilder::add_rows(int rank, const RowSet& rows) {
  SACCADE_CHECK(rows.columns.size() == types_.size());
  if (rows.rows == 0) return;
  const std::scoped_lock lock(mutex_);
  rows_.at(static_cast<std::size_t>(rank)).push_back(rows);
}

std::vector<ColumnSummary> MemoryTableBuilder::summarize_columns(int threads) const {
  struct Task {
    const RowSet* set;
    std::int64_t begin, end;
  };
  std::vector<Task> tasks;
  for (const std::vector<RowSet>& sets : rows_) {
    for (const RowSet& set : sets) {
      for (std::int64_t begin = 0; begin < set.rows; begin += kMemoryChunkRows) {
        tasks.push_back({&set, begin, std::min(set.rows, begin + kMemoryChunkRows)});
      }
    }
  }
  std::vector<ColumnSummary> summaries;
  for (std::size_t column = 0; column < types_.size(); ++column) {
    std::vector<SummarizedColumn> parts(tasks.size());
    parallel_for(static_cast<std::int64_t>(tasks.size()), threads, [&](std::int64_t i) {
      const Task& task = tasks[static_cast<std::size_t>(i)];
      parts[static_cast<std::size_t>(i)] = summarize(task.set->columns[column], task.begin, task.end);
    });
    SummarizedColumn whole;
    for (const SummarizedColumn& part : parts) whole.append(part);
    whole.summary.distinct = whole.distinct.estimate();
    summaries.push_back(whole.summary);
  }
  return summaries;
}

std::vector<std::vector<std::vector<Column>>> MemoryTableBuilder::encode_columns(const std::vector<ColumnInfo>& infos,
                                                                                 int threads) {
  struct Task {
    std::size_t rank, chunk;
    std::int64_t begin, end;
  };
  std::vector<Task> tasks;
  std::vector<RankChunks> chunks(rows_.size(), RankChunks(infos.size()));
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    const std::int64_t rows = count_rows(rows_[rank]);
    std::size_t count = 0;
    for (std::int64_t begin = 0; begin < rows; begin += kMemoryChunkRows) {
      tasks.push_back({rank, count++, begin, std::min(rows, begin + kMemoryChunkRows)});
    }
    for (std::vector<Column>& column : chunks[rank]) column.resize(count);
  }
  for (std::size_t column = 0; column < infos.size(); ++column) {
    parallel_for(static_cast<std::int64_t>(tasks.size()), threads, [&](std::int64_t i) {
      const Task& task = tasks[static_cast<std::size_t>(i)];
      const std::vector<Slice> slices = slices_of(rows_[task.rank], column, task.begin, task.end);
      chunks[task.rank][column][task.chunk] = encode_chunk(slices, task.end - task.begin, infos[column], pool_);
    });
    for (std::vector<RowSet>& sets : rows_) {
      for (RowSet& set : sets) set.columns[column] = {};
    }
  }
  return chunks;
}

std::shared_ptr<Table> MemoryTableBuilder::finish(const Agree& agree, int threads) {
  const std::vector<ColumnSummary> summaries = agree(summarize_columns(threads));
  SACCADE_CHECK(summaries.size() == types_.size());
  std::vector<ColumnInfo> infos;
  for (std::size_t column = 0; column < types_.size(); ++column) {
    infos.push_back(describe_column(column_names_[column], types_[column], dictionaries_[column], summaries[column]));
  }
  std::vector<std::int64_t> rank_rows;
  for (const std::vector<RowSet>& sets : rows_) rank_rows.push_back(count_rows(sets));
  const std::int64_t total = summaries.empty() ? 0 : summaries.front().rows;
  const std::uint64_t version = version_of(name_, infos, summaries);
  std::vector<RankChunks> chunks = encode_columns(infos, threads);
  return std::make_shared<MemoryTable>(name_, version, total, std::move(infos), std::move(rank_rows), std::move(chunks));
}

}  // namespace saccade
