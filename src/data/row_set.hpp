// Rows on the host as dense plain lanes: what pipelines hand to exchanges, sorts, tables and the user.
//
// Each column holds `rows` values of its lane (int64, int128, double, one byte for boolean) and, where it may be null, one
// byte a row (1 valid). Filled by one thread, immutable afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/column.hpp"

namespace saccade {

struct LaneColumn {
  Lane lane = Lane::kInt64;
  std::shared_ptr<const Buffer> values;
  std::shared_ptr<const Buffer> valid;  // null: no nulls

  template <class T>
  const T* as() const {
    return values->as<T>();
  }
  bool is_valid(std::int64_t row) const { return valid == nullptr || valid->as<std::uint8_t>()[row] != 0; }
};

struct RowSet {
  std::int64_t rows = 0;
  std::vector<LaneColumn> columns;
};

}  // namespace saccade
