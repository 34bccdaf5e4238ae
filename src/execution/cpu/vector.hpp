// Values of one slot or expression for the rows of a batch. A view: the memory belongs to an arena, a column or the program.
#pragma once

#include <cstdint>

#include "data/data_type.hpp"

namespace saccade::cpu {

// Rows that are computed on together: their vectors stay in the second-level cache.
inline constexpr std::int64_t kBatchRows = 2048;

struct Vector {
  Lane lane = Lane::kInt64;
  bool constant = false;                // one value (and validity byte) for all rows
  const void* values = nullptr;         // int64, int128, double, or bytes 0 and 1; undefined where not valid
  const std::uint8_t* valid = nullptr;  // a byte a row, 1: not null; null pointer: no nulls

  template <class T>
  const T* as() const {
    return static_cast<const T*>(values);
  }
  bool is_null_constant() const { return constant && valid != nullptr && valid[0] == 0; }
};

}  // namespace saccade::cpu
