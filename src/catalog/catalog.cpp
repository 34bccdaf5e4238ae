#include "catalog/catalog.hpp"

#include <utility>

#include "common/error.hpp"

namespace saccade {

std::shared_ptr<Table> Catalog::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

void Catalog::create(std::shared_ptr<Table> table) {
  const std::string name = table->name();
  const std::lock_guard lock(mutex_);
  if (!tables_.emplace(name, std::move(table)).second) {
    throw Error(sqlstate::kDuplicateTable, "relation \"" + name + "\" already exists", 0,
                "Choose another name, or drop the table first: DROP TABLE " + name + ".");
  }
}

bool Catalog::drop(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return tables_.erase(name) != 0;
}

std::vector<std::string> Catalog::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

}  // namespace saccade
