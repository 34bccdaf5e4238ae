#include "catalog/catalog.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "unit/plan/fake_table.hpp"

namespace saccade {
namespace {

TEST(Catalog, KeepsTablesByName) {
  Catalog catalog;
  catalog.create(std::make_shared<test::FakeTable>("b", 1, std::vector<ColumnInfo>{}));
  catalog.create(std::make_shared<test::FakeTable>("a", 2, std::vector<ColumnInfo>{}));
  EXPECT_EQ(catalog.names(), (std::vector<std::string>{"a", "b"}));
  const auto kept = catalog.find("a");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(catalog.find("c"), nullptr);
  EXPECT_TRUE(catalog.drop("a"));
  EXPECT_FALSE(catalog.drop("a"));
  EXPECT_EQ(kept->row_count(), 2);  // a reader's version outlives the drop
}

TEST(Catalog, RefusesATakenName) {
  Catalog catalog;
  const auto table = std::make_shared<test::FakeTable>("t", 1, std::vector<ColumnInfo>{});
  catalog.create(table);
  try {
    catalog.create(table);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "42P07");
  }
}

}  // namespace
}  // namespace saccade
