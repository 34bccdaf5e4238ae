// Queries from text to optimized plans, over tables of statistics without rows: TPC-H's at scale factor 1, and small ones whose
// columns may hold NULLs.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "optimizer/optimizer.hpp"
#include "plan/walk.hpp"
#include "sql/binder/binder.hpp"
#include "unit/plan/fake_table.hpp"

namespace saccade::test {

class NoFiles : public FileOpener {
 public:
  std::shared_ptr<Table> open(const std::string&, const std::string& path) override {
    throw Error(sqlstate::kUndefinedFile, "no such file: " + path);
  }
};

class BoundQueries {
 public:
  BoundQueries() {
    const std::vector<ColumnInfo> small = {nullable("id"), nullable("a"), nullable("b"), nullable("c")};
    for (const char* name : {"t", "u", "v", "w"}) add(name, 1000, small);
    add_tpch();
  }

  LogicalPlan optimized(const std::string& sql) { return optimize(bind_statement(sql, catalog_, opener_, pool_).plan); }

  // "" where every node names only columns that its children make; else the node that does not.
  static std::string open_node(const LogicalPlan& plan) {
    std::string open;
    const auto check = [&](const LogicalNode& node) {
      std::vector<ColumnId> made;
      for (const LogicalNode& child : node.children) {
        // Conditions of a semi join see the columns of its right child too.
        const std::vector<ColumnId> columns = output_columns(child);
        made.insert(made.end(), columns.begin(), columns.end());
      }
      for_each_expression(node, [&](const Expression& expression) {
        for (const ColumnId id : columns_of(expression)) {
          if (std::find(made.begin(), made.end(), id) == made.end() && open.empty()) {
            open = plan.names.at(static_cast<std::size_t>(id)) + " in " + to_string(expression, plan.names);
          }
        }
      });
    };
    for (const SharedPlan& shared : plan.shared) for_each_node(shared.root, check);
    for_each_node(plan.root, check);
    return open;
  }

 private:
  static ColumnInfo nullable(const char* name) {
    ColumnInfo info = fake_column(name, {TypeKind::kInteger}, 0, 1000, 1000);
    info.statistics.may_be_null = true;
    return info;
  }
  static ColumnInfo key(const char* name, int128 high) {
    return fake_column(name, {TypeKind::kBigint}, 1, high, static_cast<double>(high), Uniqueness::kPossible);
  }
  static ColumnInfo reference(const char* name, int128 high) {
    return fake_column(name, {TypeKind::kBigint}, 1, high, static_cast<double>(high));
  }
  static ColumnInfo number(const char* name, int128 low, int128 high) {
    return fake_column(name, {TypeKind::kInteger}, low, high, static_cast<double>(high - low + 1));
  }
  static ColumnInfo money(const char* name, int128 low, int128 high) {
    return fake_column(name, DataType::numeric(15, 2), low, high, std::min(1e5, static_cast<double>(high - low + 1)));
  }
  static ColumnInfo date(const char* name) { return fake_column(name, {TypeKind::kDate}, 8035, 10591, 2500); }
  static ColumnInfo text(const char* name, std::vector<std::string> values) {
    ColumnInfo info;
    info.name = name;
    info.type = {TypeKind::kText};
    std::sort(values.begin(), values.end());
    info.dictionary = Dictionary::from_strings(values);
    info.statistics.bounds = Bounds{0, static_cast<int128>(values.size()) - 1};
    info.statistics.may_be_null = false;
    info.statistics.distinct = static_cast<double>(values.size());
    return info;
  }
  static ColumnInfo names(const char* name, int count) {
    std::vector<std::string> values;
    for (int i = 0; i < count; ++i) values.push_back(std::to_string(100000 + i));
    return text(name, values);
  }

  void add(const std::string& name, std::int64_t rows, std::vector<ColumnInfo> columns) {
    catalog_.create(std::make_shared<FakeTable>(name, rows, std::move(columns)));
  }

  void add_tpch() {
    add("region", 5, {key("r_regionkey", 5), text("r_name", {"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"})});
    add("nation", 25, {key("n_nationkey", 25), reference("n_regionkey", 5), names("n_name", 25)});
    add("supplier", 10000,
        {key("s_suppkey", 10000), reference("s_nationkey", 25), names("s_name", 100), names("s_address", 100),
         names("s_phone", 100), names("s_comment", 100), money("s_acctbal", -99999, 999999)});
    add("customer", 150000,
        {key("c_custkey", 150000), reference("c_nationkey", 25), names("c_name", 100), names("c_address", 100),
         names("c_phone", 100), names("c_comment", 100), money("c_acctbal", -99999, 999999), names("c_mktsegment", 5)});
    add("part", 200000,
        {key("p_partkey", 200000), names("p_name", 1000), names("p_mfgr", 5), names("p_brand", 25), names("p_type", 150),
         number("p_size", 1, 50), names("p_container", 40)});
    add("partsupp", 800000,
        {reference("ps_partkey", 200000), reference("ps_suppkey", 10000), number("ps_availqty", 1, 9999),
         money("ps_supplycost", 100, 100000)});
    add("orders", 1500000,
        {key("o_orderkey", 6000000), reference("o_custkey", 150000), text("o_orderstatus", {"F", "O", "P"}),
         money("o_totalprice", 80000, 60000000), date("o_orderdate"), names("o_orderpriority", 5), names("o_comment", 100),
         number("o_shippriority", 0, 0)});
    add("lineitem", 6000000,
        {reference("l_orderkey", 6000000), reference("l_partkey", 200000), reference("l_suppkey", 10000),
         number("l_linenumber", 1, 7), money("l_quantity", 100, 5000), money("l_extendedprice", 90000, 10500000),
         money("l_discount", 0, 10), money("l_tax", 0, 8), text("l_returnflag", {"A", "N", "R"}),
         text("l_linestatus", {"F", "O"}), date("l_shipdate"), date("l_commitdate"), date("l_receiptdate"),
         names("l_shipinstruct", 4), names("l_shipmode", 7)});
  }

  Catalog catalog_;
  NoFiles opener_;
  MemoryPool pool_{"test", std::int64_t{1} << 24};
};

}  // namespace saccade::test
