// The columns of each table, by their place in the table's schema, for a range of its units (specification, clause 4.2.3).
//
// Pure functions of their arguments; any thread may call them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/tpch/column_maker.hpp"
#include "storage/tpch/generated_column.hpp"
#include "storage/tpch/schema.hpp"

namespace saccade::tpch {

using ColumnNumbers = std::span<const int>;

std::vector<GeneratedColumn> region_columns(const UnitRange& range, ColumnNumbers columns);
std::vector<GeneratedColumn> nation_columns(const UnitRange& range, ColumnNumbers columns);
std::vector<GeneratedColumn> supplier_columns(const UnitRange& range, ColumnNumbers columns);
std::vector<GeneratedColumn> customer_columns(const UnitRange& range, ColumnNumbers columns);
std::vector<GeneratedColumn> part_columns(const UnitRange& range, ColumnNumbers columns);
std::vector<GeneratedColumn> partsupp_columns(const Scale& scale, const UnitRange& range, ColumnNumbers columns);
// Units are orders in both; `lines`: order_lines() of the range, with the rows of each order.
UnitRange order_lines(std::int64_t first, std::int64_t orders);
std::vector<GeneratedColumn> orders_columns(const Scale& scale, const UnitRange& lines, ColumnNumbers columns);
std::vector<GeneratedColumn> lineitem_columns(const Scale& scale, const UnitRange& lines, ColumnNumbers columns);

// Cents.
std::int64_t retail_price(std::int64_t part);
// The `which` of the four suppliers of a part, from 0.
std::int64_t supplier_of_part(std::int64_t part, std::int64_t which, std::int64_t suppliers);

}  // namespace saccade::tpch
