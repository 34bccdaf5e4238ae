// Any range of rows of TPC-H's tables, bit for bit the standard dbgen's.
//
// Pure functions of their arguments; any thread may call them, many at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "storage/tpch/generated_column.hpp"
#include "storage/tpch/schema.hpp"

namespace saccade::tpch {

struct GeneratedRows {
  std::int64_t rows = 0;
  std::vector<GeneratedColumn> columns;  // in the order asked for
};

// The rows of units first .. first + units - 1 (see unit_count), only the columns asked for, by their place in the schema.
// From scale factor 30,000 on: as dbgen's part that begins with `first`.
GeneratedRows generate(TableId table, const Scale& scale, std::int64_t first, std::int64_t units, std::span<const int> columns);

std::vector<int> all_columns(TableId table);

// The division of a table into ranges of units of up to about 130,000 rows, in which it is made. Orders and their lines are
// divided alike: from scale factor 30,000 on their keys depend on the beginnings of ranges, as dbgen's depend on its parts.
struct Parts {
  std::int64_t units = 0, units_per_part = 1;

  static Parts of(TableId table, const Scale& scale);
  std::int64_t count() const { return (units + units_per_part - 1) / units_per_part; }
  std::int64_t first(std::int64_t part) const { return part * units_per_part; }
  std::int64_t size(std::int64_t part) const;
};

}  // namespace saccade::tpch
