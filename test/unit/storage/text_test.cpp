#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "common/error.hpp"
#include "storage/parallel.hpp"
#include "storage/parquet/string_interner.hpp"
#include "storage/parquet/string_merge.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

// Short strings of few letters, with zero bytes and long common beginnings among them.
std::string random_string(std::mt19937& random) {
  std::string text = random() % 3 == 0 ? std::string(15, 'p') : std::string();
  for (std::size_t length = random() % 8; length > 0; --length) text.push_back("ab\0\xff"[random() % 4]);
  return text;
}

TEST(StringInterner, NumbersStringsInOrderOfAppearance) {
  MemoryPool pool("pool", 0);
  std::mt19937 random(1);
  {
    StringInterner strings(pool);
    std::map<std::string, std::uint32_t> expected;
    for (int i = 0; i < 50000; ++i) {
      const std::string text = random_string(random);
      const auto [place, added] = expected.emplace(text, static_cast<std::uint32_t>(expected.size()));
      ASSERT_EQ(strings.intern(text), place->second);
    }
    ASSERT_EQ(strings.size(), static_cast<std::int64_t>(expected.size()));
    for (const auto& [text, number] : expected) ASSERT_EQ(strings.at(number), text);
    EXPECT_GT(pool.used(), 0);
  }
  EXPECT_EQ(pool.used(), 0);
}

TEST(StringInterner, RaisesAtTheMemoryLimit) {
  MemoryPool pool("pool", 100000);
  StringInterner strings(pool);
  const auto fill = [&] {
    for (int i = 0; i < 100000; ++i) strings.intern(std::to_string(i));
  };
  EXPECT_THROW(fill(), Error);
}

TEST(MergeStrings, SortsTheUnionAndMapsEveryNumber) {
  MemoryPool pool("pool", 0);
  for (const int rows : {0, 1, 200, 60000}) {  // the last is enough for many buckets
    std::mt19937 random(static_cast<unsigned>(rows));
    std::vector<std::unique_ptr<StringInterner>> parts;
    std::vector<const StringInterner*> views;
    std::set<std::string> expected;
    for (int part = 0; part < 4; ++part) {
      parts.push_back(std::make_unique<StringInterner>(pool));
      views.push_back(parts.back().get());
      for (int i = 0; i < rows * part; ++i) {
        const std::string text = random_string(random) + std::to_string(random() % 50000);
        expected.insert(text);
        parts.back()->intern(text);
      }
    }
    const MergedStrings merged = merge_strings(views, 2, pool);
    ASSERT_EQ(merged.sorted, std::vector<std::string_view>(expected.begin(), expected.end()));
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (std::int64_t number = 0; number < views[part]->size(); ++number) {
        ASSERT_EQ(merged.sorted[merged.code_of[part][static_cast<std::size_t>(number)]], views[part]->at(number));
      }
    }
  }
}

TEST(Utf8, AcceptsWellFormedTextOnly) {
  for (const std::string text :
       {"", "a", "plain ASCII text of more than eight bytes", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "1234567\xc3\xa4", "12345678\xc3\xa4"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << text;
  }
  for (const std::string text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xe0\xa0", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "1234567\xc3", "12345678\xa4", "\xf0\x90\x80"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << text;
  }
}

TEST(ParallelFor, CallsEachPartOnceAndPassesErrorsOn) {
  for (const int threads : {0, 1, 3, 100}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(1000, threads, [&](std::int64_t part) { ++calls[static_cast<std::size_t>(part)]; });
    for (const std::atomic<int>& count : calls) ASSERT_EQ(count, 1);
    EXPECT_THROW(parallel_for(1000, threads,
                              [](std::int64_t part) {
                                if (part == 500) throw Error(sqlstate::kIoError, "x");
                              }),
                 Error);
  }
  parallel_for(0, 2, [](std::int64_t) { FAIL(); });
}

}  // namespace
}  // namespace saccade
