// Tables without rows, and what opens them as files, for tests of the parser and the binder.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/error.hpp"
#include "memory/memory_pool.hpp"
#include "sql/binder/binder.hpp"

namespace saccade::test {

class FakeTable : public Table {
 public:
  FakeTable(std::string name, std::vector<std::pair<std::string, DataType>> columns) : name_(std::move(name)) {
    for (auto& [column, type] : columns) {
      ColumnInfo info;
      info.name = column;
      info.type = type;
      columns_.push_back(std::move(info));
    }
  }
  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return 1; }
  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  std::int64_t row_count() const override { return 0; }
  void prepare(std::span<const int> columns, MemoryPool&) override { prepared.assign(columns.begin(), columns.end()); }
  std::int64_t chunk_count(int, int) const override { return 0; }
  std::int64_t chunk_rows(int, int, std::int64_t) const override { return 0; }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t, int) const override { return std::nullopt; }
  std::vector<Column> load(int, int, std::int64_t, std::span<const int>, MemoryPool&) const override { return {}; }

  std::vector<int> prepared;  // by the last call

 private:
  std::string name_;
  std::vector<ColumnInfo> columns_;
};

class FakeOpener : public FileOpener {
 public:
  std::shared_ptr<Table> open(const std::string& function, const std::string& path) override {
    opened.emplace_back(function, path);
    if (path.find("missing") != std::string::npos) throw Error(sqlstate::kUndefinedFile, "no such file: " + path);
    return std::make_shared<FakeTable>(
        path, std::vector<std::pair<std::string, DataType>>{{"a", {TypeKind::kInteger}}, {"b", {TypeKind::kText}}});
  }
  std::vector<std::pair<std::string, std::string>> opened;
};

// The tables of TPC-H's Q1, Q3 and Q6, and "t" with a column of each type.
struct World {
  World() {
    const DataType integer{TypeKind::kInteger}, bigint{TypeKind::kBigint}, text{TypeKind::kText}, date{TypeKind::kDate};
    const DataType money = DataType::numeric(15, 2);
    catalog.create(std::make_shared<FakeTable>("lineitem", Columns{{"l_orderkey", bigint},
                                                                   {"l_quantity", money},
                                                                   {"l_extendedprice", money},
                                                                   {"l_discount", money},
                                                                   {"l_tax", money},
                                                                   {"l_returnflag", text},
                                                                   {"l_linestatus", text},
                                                                   {"l_shipdate", date}}));
    catalog.create(std::make_shared<FakeTable>(
        "orders", Columns{{"o_orderkey", bigint}, {"o_custkey", bigint}, {"o_orderdate", date}, {"o_shippriority", integer}}));
    catalog.create(std::make_shared<FakeTable>("customer", Columns{{"c_custkey", bigint}, {"c_mktsegment", text}}));
    t = std::make_shared<FakeTable>("t", Columns{{"b", {TypeKind::kBoolean}},
                                                 {"s", {TypeKind::kSmallint}},
                                                 {"i", integer},
                                                 {"l", bigint},
                                                 {"d", {TypeKind::kDouble}},
                                                 {"n", DataType::numeric(10, 2)},
                                                 {"m", DataType::numeric(20, 5)},
                                                 {"day", date},
                                                 {"ts", {TypeKind::kTimestamp}},
                                                 {"x", text},
                                                 {"UserID", bigint}});
    catalog.create(t);
    catalog.create(std::make_shared<FakeTable>("u", Columns{{"i", integer}, {"k", integer}, {"n", DataType::numeric(12, 4)}}));
  }
  using Columns = std::vector<std::pair<std::string, DataType>>;

  BoundStatement bind(const std::string& sql) { return bind_statement(sql, catalog, opener, pool); }
  std::string plan(const std::string& sql) { return to_string(bind(sql).plan); }
  // "42703@8 message", or the plan where no error is raised.
  std::string error(const std::string& sql) {
    try {
      return "no error:\n" + plan(sql);
    } catch (const Error& error) {
      return error.sqlstate() + "@" + std::to_string(error.position()) + " " + error.what();
    }
  }
  // "numeric(10,2)": the type of a single expression over t.
  std::string type(const std::string& expression) {
    return to_string(bind("select " + expression + " from t").plan.result.at(0).type);
  }

  Catalog catalog;
  FakeOpener opener;
  MemoryPool pool{"test", std::int64_t{1} << 20};
  std::shared_ptr<FakeTable> t;
};

}  // namespace saccade::test
