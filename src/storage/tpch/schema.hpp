// The eight tables of TPC-H: names, columns, types and sizes (specification, clauses 1.4 and 4.2.5).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/data_type.hpp"

namespace saccade::tpch {

enum class TableId : std::uint8_t { kRegion, kNation, kSupplier, kCustomer, kPart, kPartsupp, kOrders, kLineitem };
inline constexpr int kTableCount = 8;

struct ColumnSpec {
  std::string_view name;
  DataType type;
  bool whole = false;  // a numeric that dbgen writes without its decimals
};

struct TableSpec {
  TableId id;
  std::string_view name;
  std::span<const ColumnSpec> columns;
};

std::span<const TableSpec> tables();  // by TableId
const TableSpec& table_spec(TableId id);
// Errors: 42P01 where no table has this name; the message names them all.
const TableSpec& table_spec(std::string_view name);

// How many rows of each kind a scale factor makes.
class Scale {
 public:
  static constexpr double kSmallest = 0.0001, kLargest = 100000;

  // Errors: 22023 where `factor` lies outside of kSmallest .. kLargest or is no number.
  explicit Scale(double factor);
  // Errors: 22023.
  static Scale parse(const std::string& text);

  std::int64_t suppliers() const { return rows(10000); }
  std::int64_t customers() const { return rows(150000); }
  std::int64_t parts() const { return rows(200000); }
  std::int64_t orders() const { return rows(1500000); }
  std::int64_t clerks() const;
  bool wide_keys() const { return factor_ >= 30000; }
  double factor() const { return factor_; }

 private:
  std::int64_t rows(std::int64_t at_one) const { return static_cast<std::int64_t>(static_cast<double>(at_one) * factor_); }

  double factor_;
};

// What a table is made and divided by: rows, but parts of which each makes four rows of partsupp, and orders of which each
// makes one to seven rows of lineitem.
std::int64_t unit_count(TableId id, const Scale& scale);

}  // namespace saccade::tpch
