// Interned strings: one pointer for equal contents, whoever interns them, and memory that is counted.
#include "data/text_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "common/error.hpp"

namespace saccade {
namespace {

std::string numbered(int i) {
  return i % 5 == 0 ? std::string(static_cast<std::size_t>(i % 997), 'z') + std::to_string(i) : std::to_string(i);
}

TEST(TextValue, ReadsWhatWasWrittenAtAnyAddress) {
  char room[64] = {};
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const TextValue text = write_text(room + shift, "string");
    EXPECT_EQ(text.view(), "string");
    EXPECT_EQ(text.stored_bytes(), 10);
    EXPECT_EQ(TextValue::of_key(text.key()).view(), "string");
  }
  EXPECT_EQ(write_text(room, "").size(), 0U);
  EXPECT_FALSE(TextValue().has_value());
}

TEST(TextStore, ThreadsGetOnePointerForEqualStrings) {
  MemoryPool pool("query", 0);
  {
    TextStore store(pool);
    constexpr int kThreads = 4;
    constexpr int kStrings = 3000;
    std::vector<std::vector<std::int64_t>> keys(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        TextArena& arena = store.add_arena();
        for (int i = 0; i < kStrings; ++i)
          keys[static_cast<std::size_t>(t)].push_back(store.interner().intern(arena.copy(numbered(i)), t % 2 == 0).key());
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::map<std::int64_t, int> seen;
    for (int i = 0; i < kStrings; ++i) {
      const std::int64_t key = keys[0][static_cast<std::size_t>(i)];
      for (const auto& others : keys) EXPECT_EQ(others[static_cast<std::size_t>(i)], key);
      EXPECT_EQ(TextValue::of_key(key).view(), numbered(i));
      EXPECT_TRUE(seen.emplace(key, i).second);
    }
    EXPECT_GT(pool.used(), 0);
  }
  EXPECT_EQ(pool.used(), 0);
}

TEST(TextStore, RefusesMemoryBeyondTheLimit) {
  MemoryPool pool("query", 1 << 20);
  TextStore store(pool);
  TextArena& arena = store.add_arena();
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) arena.copy(std::string(100'000, 'x'));
      },
      Error);
}

}  // namespace
}  // namespace saccade
