// A table of a few values in chunks, for tests: values as 128-bit integers or doubles, encoded as the plan wants them.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table.hpp"

namespace saccade::test {

// One value of any lane; booleans are 0 and 1.
struct Cell {
  bool null = false;
  int128 integer = 0;
  double real = 0;
};
inline Cell cell(int128 value) {
  return {false, value, 0};
}
inline Cell real_cell(double value) {
  return {false, 0, value};
}
inline Cell null_cell() {
  return {true, 0, 0};
}

struct ArrayColumn {
  std::string name;
  DataType type;
  Lane lane = Lane::kInt64;
  Encoding encoding;
  std::int64_t base = 0;
  std::vector<Cell> cells;
  std::int64_t odd_base = 0;  // what is added to the base of every second chunk (values must still fit)
};

class ArrayTable final : public Table {
 public:
  ArrayTable(std::string name, std::vector<ArrayColumn> columns, std::vector<std::int64_t> chunks)
      : name_(std::move(name)), columns_(std::move(columns)), chunks_(std::move(chunks)) {
    for (const ArrayColumn& column : columns_) {
      ColumnInfo info;
      info.name = column.name;
      info.type = column.type;
      info.encoding = column.encoding;
      info.base = column.base;
      infos_.push_back(info);
    }
  }
  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return version_; }
  const std::vector<ColumnInfo>& columns() const override { return infos_; }
  std::int64_t row_count() const override {
    std::int64_t rows = 0;
    for (const std::int64_t chunk : chunks_) rows += chunk;
    return rows;
  }
  void prepare(std::span<const int>, MemoryPool&) override {}
  // Chunk c belongs to rank c % ranks.
  std::int64_t chunk_count(int rank, int ranks) const override {
    return static_cast<std::int64_t>(chunks_.size() + static_cast<std::size_t>(ranks - 1 - rank)) / ranks;
  }
  std::int64_t chunk_rows(int rank, int ranks, std::int64_t chunk) const override {
    return chunks_.at(number(rank, ranks, chunk));
  }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t, int) const override { return std::nullopt; }
  std::vector<Column> load(int rank, int ranks, std::int64_t chunk, std::span<const int> columns,
                           MemoryPool& pool) const override {
    ++loads;
    std::vector<Column> result;
    for (const int column : columns)
      result.push_back(encode(columns_.at(static_cast<std::size_t>(column)), number(rank, ranks, chunk), pool));
    return result;
  }
  const std::vector<ArrayColumn>& arrays() const { return columns_; }
  // The rows of one rank, by number.
  std::vector<std::int64_t> rows_of(int rank, int ranks) const {
    std::vector<std::int64_t> rows;
    for (std::int64_t chunk = 0; chunk < chunk_count(rank, ranks); ++chunk) {
      const std::int64_t first = first_row(number(rank, ranks, chunk));
      for (std::int64_t row = 0; row < chunk_rows(rank, ranks, chunk); ++row) rows.push_back(first + row);
    }
    return rows;
  }

  mutable int loads = 0;

 private:
  static std::size_t number(int rank, int ranks, std::int64_t chunk) { return static_cast<std::size_t>(chunk * ranks + rank); }
  std::int64_t first_row(std::size_t chunk) const {
    std::int64_t first = 0;
    for (std::size_t i = 0; i < chunk; ++i) first += chunks_[i];
    return first;
  }

  Column encode(const ArrayColumn& column, std::size_t chunk, MemoryPool& pool) const {
    const std::int64_t rows = chunks_.at(chunk), first = first_row(chunk);
    const std::int64_t base = column.base + (chunk % 2 == 1 && column.encoding.form == Form::kNarrowed ? column.odd_base : 0);
    Column result;
    result.type = column.type;
    result.lane = column.lane;
    result.encoding = column.encoding;
    result.base = base;
    result.length = rows;
    std::shared_ptr<Buffer> values = Buffer::allocate_zeroed(rows * column.encoding.width, pool);
    std::shared_ptr<Buffer> validity = Buffer::allocate_zeroed((rows + 63) / 64 * 8, pool);
    bool nulls = false;
    for (std::int64_t row = 0; row < rows; ++row) {
      const Cell& value = column.cells.at(static_cast<std::size_t>(first + row));
      nulls = nulls || value.null;
      if (value.null) continue;
      validity->as<std::uint64_t>()[row / 64] |= std::uint64_t{1} << row % 64;
      const bool counted = column.encoding.form == Form::kNarrowed;
      const int128 bits = column.lane == Lane::kFloat64 ? int128{std::bit_cast<std::int64_t>(value.real)}
                                                        : value.integer - (counted ? base : 0);
      std::memcpy(values->data() + row * column.encoding.width, &bits, column.encoding.width);
    }
    result.values = values->data();
    result.value_owner = values;
    if (nulls) {
      result.validity = validity->as<std::uint64_t>();
      result.validity_owner = validity;
    }
    return result;
  }

  // No two tables of a test program have one version.
  static std::uint64_t next_version() {
    static std::uint64_t version = 0;
    return ++version;
  }

  std::string name_;
  std::uint64_t version_ = next_version();
  std::vector<ArrayColumn> columns_;
  std::vector<std::int64_t> chunks_;
  std::vector<ColumnInfo> infos_;
};

}  // namespace saccade::test
