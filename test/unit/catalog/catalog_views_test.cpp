// Views in the catalog: names shared with tables, and what depends on what.
#include <gtest/gtest.h>

#include "catalog/catalog.hpp"

namespace saccade {
namespace {

View view(std::string name, std::vector<std::string> depends_on) {
  return {std::move(name), "SELECT 1", {{"one", {TypeKind::kInteger}}}, std::move(depends_on)};
}

TEST(CatalogViews, AreFoundReplacedAndDropped) {
  Catalog catalog;
  EXPECT_EQ(catalog.find_view("v"), nullptr);
  catalog.put_view(view("v", {"t"}));
  EXPECT_EQ(catalog.find_view("v")->depends_on, (std::vector<std::string>{"t"}));
  const std::shared_ptr<const View> old = catalog.find_view("v");
  catalog.put_view(view("v", {"u"}));
  EXPECT_EQ(catalog.find_view("v")->depends_on, (std::vector<std::string>{"u"}));
  EXPECT_EQ(old->depends_on, (std::vector<std::string>{"t"}));
  EXPECT_TRUE(catalog.drop("v"));
  EXPECT_FALSE(catalog.drop("v"));
}

TEST(CatalogViews, DependOnEachOther) {
  Catalog catalog;
  catalog.put_view(view("a", {"t"}));
  catalog.put_view(view("b", {"a"}));
  catalog.put_view(view("c", {"b", "u"}));
  EXPECT_EQ(catalog.dependents("a"), (std::vector<std::string>{"b"}));
  EXPECT_EQ(catalog.dependents("u"), (std::vector<std::string>{"c"}));
  EXPECT_TRUE(catalog.dependents("c").empty());
  EXPECT_TRUE(catalog.depends_on({"c"}, "t"));
  EXPECT_TRUE(catalog.depends_on({"a"}, "a"));
  EXPECT_FALSE(catalog.depends_on({"a"}, "b"));
  EXPECT_FALSE(catalog.depends_on({"t"}, "a"));
}

}  // namespace
}  // namespace saccade
