// What CREATE TABLE declares of a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "data/value.hpp"

namespace saccade {

struct ColumnDefinition {
  std::string name;
  DataType type;
  bool not_null = false;
  std::optional<Value> default_value = {};  // of the column's type
};

struct TableDefinition {
  std::string name;
  std::vector<ColumnDefinition> columns;
};

inline TableDefinition definition_of(const Table& table) {
  TableDefinition definition{table.name(), {}};
  for (const ColumnInfo& column : table.columns())
    definition.columns.push_back({column.name, column.type, column.not_null, column.default_value});
  return definition;
}

}  // namespace saccade
