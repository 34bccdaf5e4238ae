// A plan may assume that a column holds no value twice (catalog/table.hpp, Uniqueness). The build that finds one throws this;
// the session marks the column as refuted, plans again and runs again. Users never see it.
#pragma once

#include <stdexcept>
#include <string>

namespace saccade {

struct AssumptionFailed : std::runtime_error {
  AssumptionFailed(std::string table_name, int column_number)
      : std::runtime_error("assumed unique column repeats a value"), table(std::move(table_name)), column(column_number) {}
  std::string table;
  int column;
};

}  // namespace saccade
