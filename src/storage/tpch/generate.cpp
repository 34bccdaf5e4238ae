#include "storage/tpch/generate.hpp"

#include <algorithm>
#include <numeric>

#include "common/error.hpp"
#include "storage/tpch/table_columns.hpp"

namespace saccade::tpch {
namespace {

constexpr int kSuppliersPerPart = 4;

}  // namespace

GeneratedRows generate(TableId table, const Scale& scale, std::int64_t first, std::int64_t units,
                       std::span<const int> columns) {
  SACCADE_CHECK(first >= 0 && units >= 0 && units <= unit_count(table, scale) - first);
  const UnitRange range = UnitRange::of_rows(first, units);
  switch (table) {
    case TableId::kRegion:
      return {units, region_columns(range, columns)};
    case TableId::kNation:
      return {units, nation_columns(range, columns)};
    case TableId::kSupplier:
      return {units, supplier_columns(range, columns)};
    case TableId::kCustomer:
      return {units, customer_columns(range, columns)};
    case TableId::kPart:
      return {units, part_columns(range, columns)};
    case TableId::kPartsupp: {
      const std::int64_t rows = units * kSuppliersPerPart;
      return {rows, partsupp_columns(scale, {first, units, kSuppliersPerPart, {}, rows}, columns)};
    }
    case TableId::kOrders:
      return {units, orders_columns(scale, order_lines(first, units), columns)};
    case TableId::kLineitem: {
      const UnitRange lines = order_lines(first, units);
      return {lines.rows, lineitem_columns(scale, lines, columns)};
    }
  }
  SACCADE_CHECK(false);
  return {};
}

std::vector<int> all_columns(TableId table) {
  std::vector<int> columns(table_spec(table).columns.size());
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

Parts Parts::of(TableId table, const Scale& scale) {
  constexpr std::int64_t kManyRows = 131072, kManyLines = 32768;
  const bool few = table == TableId::kPartsupp || table == TableId::kOrders || table == TableId::kLineitem;
  return {unit_count(table, scale), few ? kManyLines : kManyRows};
}

std::int64_t Parts::size(std::int64_t part) const {
  return std::min(units_per_part, units - first(part));
}

}  // namespace saccade::tpch
