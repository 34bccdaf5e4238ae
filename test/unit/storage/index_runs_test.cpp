// Runs and packed groups of every width against an encoder in plain steps.
#include "storage/parquet/index_runs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace saccade {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Indexes = std::vector<std::uint32_t>;

void put_header(Bytes& bytes, std::uint64_t header) {
  for (; header >= 0x80; header >>= 7) bytes.push_back(static_cast<std::uint8_t>(header | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(header));
}

void put_run(Bytes& bytes, int width, std::uint32_t value, std::uint64_t count) {
  put_header(bytes, count << 1);
  for (int i = 0; i < (width + 7) / 8; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put_packed(Bytes& bytes, int width, const Indexes& indexes) {
  put_header(bytes, (indexes.size() + 7) / 8 << 1 | 1);
  const std::size_t begin = bytes.size();
  bytes.resize(begin + (indexes.size() + 7) / 8 * static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    for (std::size_t bit = 0; bit < static_cast<std::size_t>(width); ++bit) {
      const std::size_t at = i * static_cast<std::size_t>(width) + bit;
      bytes[begin + at / 8] |= static_cast<std::uint8_t>((indexes[i] >> bit & 1) << at % 8);
    }
  }
}

// Up to `count` indexes.
Indexes read(const Bytes& bytes, int width, std::size_t count) {
  IndexRuns runs(bytes, width);
  std::uint32_t block[IndexRuns::kBlock];
  Indexes result;
  while (result.size() < count) {
    bool repeated = false;
    const std::int64_t found = runs.next(block, repeated);
    if (found == 0) break;
    for (std::int64_t i = 0; i < found && result.size() < count; ++i) result.push_back(block[repeated ? 0 : i]);
  }
  return result;
}

TEST(IndexRuns, EveryWidth) {
  std::mt19937_64 random(3);
  for (int width = 0; width <= 32; ++width) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (const std::size_t count : {1, 7, 8, 9, 64, 1024, 1025, 3001}) {
      Indexes packed(count), expected;
      for (std::uint32_t& index : packed) index = static_cast<std::uint32_t>(random() & mask);
      const auto value = static_cast<std::uint32_t>(random() & mask);
      Bytes bytes;
      put_run(bytes, width, value, 5000);
      put_packed(bytes, width, packed);
      expected.assign(5000, value);
      expected.insert(expected.end(), packed.begin(), packed.end());
      EXPECT_EQ(read(bytes, width, expected.size()), expected) << width << ' ' << count;
    }
  }
}

TEST(IndexRuns, CutBytesEnd) {
  EXPECT_EQ(read({}, 3, 10), Indexes{});
  EXPECT_EQ(read({0x80}, 3, 10), Indexes{});                                   // a header without its end
  EXPECT_EQ(read({8 << 1}, 9, 10), Indexes{});                                 // a run without its value
  EXPECT_EQ(read({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, 3, 10), Indexes{});  // a header above 35 bits
  EXPECT_EQ(read({0, 0, 0, 0}, 3, 10), Indexes{});                             // runs of nothing
  Bytes bytes;
  put_packed(bytes, 5, {1, 2, 3, 4, 5, 6, 7, 8});
  bytes.pop_back();  // the last group lacks the end of its seventh index
  EXPECT_EQ(read(bytes, 5, 6), (Indexes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read({0xff, 0xff, 0xff, 0xff, 0x0f, 1}, 8, 5), (Indexes{1, 0, 0, 0, 0}));  // more groups than bytes
}

}  // namespace
}  // namespace saccade
