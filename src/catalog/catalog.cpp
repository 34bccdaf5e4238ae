#include "catalog/catalog.hpp"

#include <algorithm>
#include <utility>

#include "common/error.hpp"

namespace saccade {

namespace {

template <class Map>
auto find_in(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

template <class Map>
std::vector<std::string> names_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return names;
}

}  // namespace

std::shared_ptr<Table> Catalog::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return find_in(tables_, name);
}

void Catalog::create(std::shared_ptr<Table> table) {
  const std::string name = table->name();
  const std::lock_guard lock(mutex_);
  if (views_.contains(name) || !tables_.emplace(name, std::move(table)).second) {
    throw Error(sqlstate::kDuplicateTable, "relation \"" + name + "\" already exists", 0,
                "Choose another name, or drop the table first: DROP TABLE " + name + ".");
  }
}

void Catalog::replace(std::shared_ptr<Table> table) {
  const std::string name = table->name();
  const std::lock_guard lock(mutex_);
  tables_[name] = std::move(table);
}

bool Catalog::drop(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return tables_.erase(name) + views_.erase(name) != 0;
}

std::vector<std::string> Catalog::names() const {
  const std::lock_guard lock(mutex_);
  return names_of(tables_);
}

std::shared_ptr<const View> Catalog::find_view(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return find_in(views_, name);
}

void Catalog::put_view(View view) {
  const std::string name = view.name;
  const std::lock_guard lock(mutex_);
  views_[name] = std::make_shared<const View>(std::move(view));
}

std::vector<std::string> Catalog::view_names() const {
  const std::lock_guard lock(mutex_);
  return names_of(views_);
}

std::vector<std::string> Catalog::dependents(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> result;
  for (const auto& [view_name, view] : views_) {
    if (std::find(view->depends_on.begin(), view->depends_on.end(), name) != view->depends_on.end())
      result.push_back(view_name);
  }
  return result;
}

bool Catalog::depends_on(const std::vector<std::string>& names, const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(names.begin(), names.end(), [&](const std::string& from) { return reaches(from, name); });
}

bool Catalog::reaches(const std::string& from, const std::string& name) const {
  if (from == name) return true;
  const std::shared_ptr<const View> view = find_in(views_, from);
  if (view == nullptr) return false;
  return std::any_of(view->depends_on.begin(), view->depends_on.end(),
                     [&](const std::string& next) { return reaches(next, name); });
}

}  // namespace saccade
