#include "sql/binder/grouping_sets.hpp"

#include <algorithm>
#include <utility>

namespace saccade {

namespace {

constexpr std::size_t kMostSets = 4096;
constexpr std::size_t kLargestCube = 12;

using Sets = std::vector<GroupingSet>;

GroupingSet united(const GroupingSet& a, const GroupingSet& b) {
  GroupingSet result = a;
  result.insert(result.end(), b.begin(), b.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

class SetExpander {
 public:
  SetExpander(const BindingContext& context, const std::function<std::size_t(const nlohmann::json&)>& bind_key)
      : context_(context), bind_key_(bind_key) {}

  Sets expand(const nlohmann::json& item) const {
    const auto [kind, fields] = syntax_node(item);
    if (kind != "GroupingSet") return {keys(item)};
    const std::string form = text_field(fields, "kind");
    if (form == "GROUPING_SET_EMPTY") return {{}};
    const nlohmann::json& content = fields.at("content");
    if (form == "GROUPING_SET_ROLLUP") return rollup(content);
    if (form == "GROUPING_SET_CUBE") return cube(content, context_.position(fields));
    Sets result;
    for (const nlohmann::json& part : content) {
      for (GroupingSet& set : expand(part)) result.push_back(std::move(set));
      check(result);
    }
    return result;
  }

  static void check(const Sets& sets) {
    if (sets.size() > kMostSets) throw Error(sqlstate::kStatementTooComplex, "too many grouping sets present (maximum 4096)");
  }

 private:
  // One key, or those of a list in parentheses.
  GroupingSet keys(const nlohmann::json& item) const {
    const auto [kind, fields] = syntax_node(item);
    if (kind != "RowExpr" || text_field(fields, "row_format") == "COERCE_EXPLICIT_CALL") return {bind_key_(item)};
    GroupingSet result;
    for (const nlohmann::json& part : fields.at("args")) result = united(result, keys(part));
    return result;
  }

  Sets rollup(const nlohmann::json& content) const {
    Sets result{{}};
    for (const nlohmann::json& part : content) result.push_back(united(result.back(), keys(part)));
    std::reverse(result.begin(), result.end());
    return result;
  }

  Sets cube(const nlohmann::json& content, int position) const {
    if (content.size() > kLargestCube) throw Error("54011", "CUBE is limited to 12 elements", position);
    Sets result{{}};
    for (const nlohmann::json& part : content) {
      const GroupingSet more = keys(part);
      const std::size_t known = result.size();
      for (std::size_t i = 0; i < known; ++i) result.push_back(united(result[i], more));
    }
    return result;
  }

  const BindingContext& context_;
  const std::function<std::size_t(const nlohmann::json&)>& bind_key_;
};

}  // namespace

std::vector<GroupingSet> grouping_sets(const BindingContext& context, const nlohmann::json& items,
                                       const std::function<std::size_t(const nlohmann::json&)>& bind_key) {
  const SetExpander expander(context, bind_key);
  Sets sets{{}};
  for (const nlohmann::json& item : items) {
    const Sets more = expander.expand(item);
    Sets combined;
    for (const GroupingSet& set : sets) {
      for (const GroupingSet& other : more) combined.push_back(united(set, other));
      SetExpander::check(combined);
    }
    sets = std::move(combined);
  }
  return sets;
}

}  // namespace saccade
