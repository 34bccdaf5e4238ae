// A table of schema and statistics without rows, for tests of plans and rules.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/table.hpp"

namespace saccade::test {

class FakeTable : public Table {
 public:
  FakeTable(std::string name, std::int64_t rows, std::vector<ColumnInfo> columns)
      : name_(std::move(name)), rows_(rows), columns_(std::move(columns)) {}

  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return 1; }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return rows_; }
  void prepare(std::span<const int>, MemoryPool&) override {}
  std::int64_t chunk_count(int, int) const override { return 0; }
  std::int64_t chunk_rows(int, int, std::int64_t) const override { return 0; }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t, int) const override { return std::nullopt; }
  std::vector<Column> load(int, int, std::int64_t, std::span<const int>, MemoryPool&) const override { return {}; }

 private:
  std::string name_;
  std::int64_t rows_;
  std::vector<ColumnInfo> columns_;
};

inline ColumnInfo fake_column(std::string name, DataType type, int128 low, int128 high, double distinct,
                              Uniqueness unique = Uniqueness::kRefuted) {
  ColumnInfo info;
  info.name = std::move(name);
  info.type = type;
  info.statistics.bounds = Bounds{low, high};
  info.statistics.may_be_null = false;
  info.statistics.distinct = distinct;
  info.statistics.unique = unique;
  return info;
}

}  // namespace saccade::test
