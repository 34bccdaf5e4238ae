// The table in memory itself, and how its columns' forms are chosen: shared by the two ways to make one (from the rows of a
// query, and by appending to another).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "storage/memory_table.hpp"

namespace saccade {

// By column and chunk; the chunks of one rank's columns have the same rows.
using RankChunks = std::vector<std::vector<Column>>;

class MemoryTable final : public Table {
 public:
  struct Parts {
    std::string name;
    std::uint64_t version = 0;
    std::int64_t rows = 0;  // over all ranks
    std::vector<ColumnInfo> columns;
    std::vector<ColumnSummary> summaries;  // by column; in the order in which rows came, not that of ranks
    std::vector<RankChunks> ranks;         // without chunks where they lie in other processes
    MemoryPool* pool = nullptr;            // what the chunks are counted in
  };
  explicit MemoryTable(Parts parts) : parts_(std::move(parts)) {}

  const Parts& parts() const { return parts_; }

  const std::string& name() const override { return parts_.name; }
  std::uint64_t version() const override { return parts_.version; }
  const std::vector<ColumnInfo>& columns() const override { return parts_.columns; }
  std::int64_t row_count() const override { return parts_.rows; }
  void prepare(std::span<const int> columns, MemoryPool&) override {
    for (const int column : columns) SACCADE_CHECK(column >= 0 && static_cast<std::size_t>(column) < parts_.columns.size());
  }

  void demand_dictionary(int column) override;

  std::int64_t chunk_count(int rank, int ranks) const override {
    return static_cast<std::int64_t>(share(rank, ranks).front().size());
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return stored(rank, ranks, chunk, 0).length;
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
  const RankChunks& share(int rank, int ranks) const {
    SACCADE_CHECK(static_cast<std::size_t>(ranks) == parts_.ranks.size() && rank >= 0 && rank < ranks);
    return parts_.ranks[static_cast<std::size_t>(rank)];
  }
  const Column& stored(int rank, int ranks, std::int64_t chunk, int column) const {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return share(rank, ranks).at(static_cast<std::size_t>(column))[static_cast<std::size_t>(chunk)];
  }

  Parts parts_;
};

// What the summary of a column says of it, and the form that holds its values best.
ColumnInfo describe_column(const ColumnDefinition& definition, std::shared_ptr<const Dictionary> dictionary,
                           const ColumnSummary& summary);

// Strings (lane kText) as a chunk in the plain form of `info`.
Column encode_text_column(const LaneColumn& texts, std::int64_t rows, const ColumnInfo& info, MemoryPool& pool);

// The form for `base`'s column once it holds what `summary` says as well: its old one where that is wide enough, so that its
// chunks can be shared; else a wider one with room on both sides, so that a column that grows does so a few times only.
void keep_form(ColumnInfo& info, const ColumnInfo& base);

}  // namespace saccade
