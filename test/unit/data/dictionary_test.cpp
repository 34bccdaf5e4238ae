#include "data/dictionary.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "common/error.hpp"

namespace saccade {
namespace {

std::vector<std::string> random_strings(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> strings;
  for (int i = 0; i < count; ++i) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = static_cast<char>(random() % 4 == 0 ? random() : 'a' + random() % 3);
    strings.push_back(text);
  }
  return strings;
}

TEST(Dictionary, OrdersByBytesAndFindsEachString) {
  const auto dictionary = Dictionary::from_strings({"b", "a", "\xc3\xa4", "Z", "", "b"});
  ASSERT_EQ(dictionary->size(), 5);
  EXPECT_EQ(dictionary->at(0), "");
  EXPECT_EQ(dictionary->at(1), "Z");
  EXPECT_EQ(dictionary->at(4), "\xc3\xa4");
  EXPECT_EQ(dictionary->find("b"), 3);
  EXPECT_EQ(dictionary->find("c"), -1);
  EXPECT_EQ(dictionary->lower_bound("c"), 4);
  EXPECT_EQ(dictionary->lower_bound("\xff"), 5);
  EXPECT_THROW(Dictionary({"a", "a"}), Error);
  EXPECT_THROW(Dictionary({"b", "a"}), Error);
  EXPECT_EQ(Dictionary::from_strings({})->size(), 0);
}

TEST(Dictionary, IdentityFollowsTheContents) {
  const auto identity = [](std::vector<std::string> strings) {
    return Dictionary::from_strings(std::move(strings))->identity();
  };
  EXPECT_EQ(identity({"a", "b"}), identity({"b", "a", "a"}));
  std::set<std::uint64_t> seen;
  for (const std::vector<std::string>& strings : std::vector<std::vector<std::string>>{{},
                                                                                       {""},
                                                                                       {"a"},
                                                                                       {"b"},
                                                                                       {"ab"},
                                                                                       {"a", "b"},
                                                                                       {"a", ""},
                                                                                       {"a", "b", ""},
                                                                                       {std::string("a\0", 2)},
                                                                                       {"12345678"},
                                                                                       {"123456789"}}) {
    EXPECT_TRUE(seen.insert(identity(strings)).second);
  }
}

TEST(Dictionary, MergesAndMapsCodes) {
  const auto a = Dictionary::from_strings(random_strings(500, 1)), b = Dictionary::from_strings(random_strings(500, 2));
  const auto both = merge(a, b);
  const std::vector<std::string> left = a->strings(), right = b->strings();
  std::set<std::string> expected(left.begin(), left.end());
  expected.insert(right.begin(), right.end());
  EXPECT_EQ(both->strings(), std::vector<std::string>(expected.begin(), expected.end()));
  EXPECT_EQ(merge(both, a), both);
  EXPECT_EQ(merge(b, both), both);
  EXPECT_EQ(merge(a, a), a);
  const std::vector<std::int64_t> codes = code_map(*a, *b);
  for (std::int64_t code = 0; code < a->size(); ++code) EXPECT_EQ(codes[static_cast<std::size_t>(code)], b->find(a->at(code)));
}

}  // namespace
}  // namespace saccade
