#include "storage/loaded_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "common/error.hpp"
#include "storage/memory_table.hpp"

namespace saccade {
namespace {

// Chunks are dealt out to ranks in turn.
class LoadedTable final : public Table {
 public:
  LoadedTable(LoadedTableDescription description, std::unique_ptr<ColumnSource> source)
      : description_(std::move(description)), source_(std::move(source)), places_(description_.columns.size()) {
    for (const LoadedColumn& column : description_.columns) {
      columns_.push_back({column.name, column.type, choose_encoding(column.type, std::nullopt), 0, {}, nullptr});
    }
  }

  const std::string& name() const override { return description_.name; }
  std::string opener() const override { return description_.opener; }
  std::uint64_t version() const override { return description_.version; }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return description_.rows; }

  void prepare(std::span<const int> columns, MemoryPool& pool) override {
    const std::scoped_lock lock(mutex_);
    std::vector<int> missing;
    for (const int column : columns) {
      const auto at = static_cast<std::size_t>(column);
      SACCADE_CHECK(at < columns_.size());
      if (columns_[at].type.kind == TypeKind::kUnknown) refuse(at);
      const bool known = places_[at].table != nullptr || std::find(missing.begin(), missing.end(), column) != missing.end();
      if (!known) missing.push_back(column);
    }
    if (missing.empty()) {
      if (!rows_checked_) source_->check_rows(pool);
      rows_checked_ = true;
      return;
    }
    const std::shared_ptr<Table> table = source_->read(missing, pool);
    SACCADE_CHECK(table->row_count() == description_.rows);
    rows_checked_ = true;
    for (std::size_t i = 0; i < missing.size(); ++i) {
      const auto at = static_cast<std::size_t>(missing[i]);
      places_[at] = {table, static_cast<int>(i)};
      columns_[at] = table->columns()[i];
    }
  }

  void demand_dictionary(int column) override {
    const std::scoped_lock lock(mutex_);
    const auto at = static_cast<std::size_t>(column);
    const Place& place = places_[at];
    if (place.table == nullptr) return;
    place.table->demand_dictionary(place.column);
    columns_[at] = place.table->columns()[static_cast<std::size_t>(place.column)];
  }

  std::int64_t chunk_count(int rank, int ranks) const override {
    const std::int64_t chunks = (description_.rows + kMemoryChunkRows - 1) / kMemoryChunkRows;
    return rank >= chunks ? 0 : (chunks - rank + ranks - 1) / ranks;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return std::min(kMemoryChunkRows, description_.rows - whole(rank, ranks, chunk) * kMemoryChunkRows);
  }
  std::optional<Bounds> chunk_bounds(int rank, int ranks, std::int64_t chunk, int column) const override {
    const Place& place = places_[static_cast<std::size_t>(column)];
    if (place.table == nullptr) return std::nullopt;
    return place.table->chunk_bounds(0, 1, whole(rank, ranks, chunk), place.column);
  }
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                           MemoryPool& pool) const override {
    std::vector<Column> result;
    for (const int column : columns) {
      const Place& place = places_[static_cast<std::size_t>(column)];
      SACCADE_CHECK(place.table != nullptr);
      result.push_back(place.table->load(0, 1, whole(rank, ranks, chunk), std::span(&place.column, 1), pool).front());
    }
    return result;
  }

 private:
  struct Place {
    std::shared_ptr<Table> table;
    int column = 0;
  };

  // The number of a rank's chunk among all.
  std::int64_t whole(int rank, int ranks, std::int64_t chunk) const {
    SACCADE_CHECK(chunk >= 0 && chunk < chunk_count(rank, ranks));
    return rank + chunk * ranks;
  }

  [[noreturn]] void refuse(std::size_t column) const {
    const LoadedColumn& described = description_.columns[column];
    throw Error(sqlstate::kFeatureNotSupported,
                fmt::format("column \"{}\" of \"{}\" has a type that is not supported: {}", described.name, description_.name,
                            described.file_type),
                0, "Leave the column out, or write the file with one of the supported types.");
  }

  LoadedTableDescription description_;
  std::unique_ptr<ColumnSource> source_;
  std::mutex mutex_;
  bool rows_checked_ = false;
  std::vector<ColumnInfo> columns_;
  std::vector<Place> places_;  // by column
};

}  // namespace

std::shared_ptr<Table> make_loaded_table(LoadedTableDescription description, std::unique_ptr<ColumnSource> source) {
  return std::make_shared<LoadedTable>(std::move(description), std::move(source));
}

}  // namespace saccade
