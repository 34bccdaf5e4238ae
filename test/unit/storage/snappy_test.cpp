// Blocks that Arrow's Snappy packs are unpacked to what they were made from; damaged ones are refused without a step outside.
#include "storage/parquet/snappy.hpp"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace saccade {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pack(const Bytes& bytes) {
  const auto codec = arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  const auto size = static_cast<std::int64_t>(bytes.size());
  Bytes packed(static_cast<std::size_t>(codec->MaxCompressedLen(size, bytes.data())));
  packed.resize(static_cast<std::size_t>(
      codec->Compress(size, bytes.data(), static_cast<std::int64_t>(packed.size()), packed.data()).ValueOrDie()));
  return packed;
}

// As `length` bytes, in memory of its own, so that a sanitizer sees a step outside. Nothing where the block is refused.
std::optional<Bytes> unpack(const Bytes& block, std::size_t length) {
  Bytes result(length);
  if (!unpack_snappy(block, result)) return std::nullopt;
  return result;
}

// Integers with few significant bytes, text of few words, noise, runs: what pages hold.
Bytes sample(std::mt19937_64& random, int kind, std::size_t length) {
  Bytes bytes;
  while (bytes.size() < length) {
    const std::uint64_t number = random();
    if (kind == 0) {
      const std::uint64_t value = number % 100000;
      for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    } else if (kind == 1) {
      const std::string word = std::vector<std::string>{"furiously ", "the ", "express", "deposits sleep ", "x"}[number % 5];
      bytes.insert(bytes.end(), word.begin(), word.end());
    } else if (kind == 2) {
      bytes.push_back(static_cast<std::uint8_t>(number));
    } else {
      bytes.insert(bytes.end(), number % 300, static_cast<std::uint8_t>(number >> 32));
    }
  }
  bytes.resize(length);
  return bytes;
}

TEST(Snappy, GivesBackWhatWasPacked) {
  std::mt19937_64 random(1);
  for (int kind = 0; kind < 4; ++kind) {
    for (const std::size_t length : {0, 1, 7, 16, 17, 60, 61, 100, 255, 256, 257, 5000, 65535, 65536, 65537, 300000}) {
      const Bytes bytes = sample(random, kind, length);
      const Bytes packed = pack(bytes);
      EXPECT_EQ(snappy_length(packed), static_cast<std::int64_t>(length));
      const std::optional<Bytes> unpacked = unpack(packed, length);
      ASSERT_TRUE(unpacked.has_value()) << kind << ' ' << length;
      EXPECT_EQ(*unpacked, bytes) << kind << ' ' << length;
    }
  }
}

// By hand from the format's description: every kind of element, distances below and above the lengths.
TEST(Snappy, EveryKindOfElement) {
  const auto text = [](const Bytes& block, std::size_t length) {
    const std::optional<Bytes> bytes = unpack(block, length);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "refused";
  };
  EXPECT_EQ(text({3, 2 << 2, 'a', 'b', 'c'}, 3), "abc");
  EXPECT_EQ(text({3, 60 << 2, 2, 'a', 'b', 'c'}, 3), "abc");
  EXPECT_EQ(text({3, 61 << 2, 2, 0, 'a', 'b', 'c'}, 3), "abc");
  EXPECT_EQ(text({3, 62 << 2, 2, 0, 0, 'a', 'b', 'c'}, 3), "abc");
  EXPECT_EQ(text({3, 63 << 2, 2, 0, 0, 0, 'a', 'b', 'c'}, 3), "abc");
  EXPECT_EQ(text({9, 1 << 2, 'a', 'b', 3 << 2 | 1, 2}, 9), "ababababa");
  EXPECT_EQ(text({6, 2 << 2, 'a', 'b', 'c', 2 << 2 | 2, 3, 0}, 6), "abcabc");
  EXPECT_EQ(text({6, 2 << 2, 'a', 'b', 'c', 2 << 2 | 3, 1, 0, 0, 0}, 6), "abcccc");
  EXPECT_EQ(text({0}, 0), "");
}

TEST(Snappy, MalformedBlocksAreRefused) {
  EXPECT_EQ(snappy_length(Bytes{}), std::nullopt);
  EXPECT_EQ(snappy_length(Bytes{0xff, 0xff}), std::nullopt);
  EXPECT_EQ(snappy_length(Bytes{0xff, 0xff, 0xff, 0xff, 0x7f}), std::nullopt);               // above 32 bits
  EXPECT_EQ(unpack({4, 2 << 2, 'a', 'b', 'c'}, 4), std::nullopt);                            // too short
  EXPECT_EQ(unpack({2, 2 << 2, 'a', 'b', 'c'}, 2), std::nullopt);                            // too long
  EXPECT_EQ(unpack({3, 2 << 2, 'a', 'b', 'c'}, 4), std::nullopt);                            // of another length
  EXPECT_EQ(unpack({3, 2 << 2, 'a'}, 3), std::nullopt);                                      // cut off
  EXPECT_EQ(unpack({3, 63 << 2, 0xff, 0xff, 0xff, 0xff, 'a', 'b', 'c'}, 3), std::nullopt);   // a literal of 4 GB
  EXPECT_EQ(unpack({6, 0 << 2, 'a', 1 << 2 | 1, 2}, 6), std::nullopt);                       // before the beginning
  EXPECT_EQ(unpack({6, 0 << 2, 'a', 1 << 2 | 1, 0}, 6), std::nullopt);                       // no distance
  EXPECT_EQ(unpack({6, 0 << 2, 'a', 4 << 2 | 3, 0xff, 0xff, 0xff, 0xff}, 6), std::nullopt);  // 4 GB back
}

TEST(Snappy, DamagedBlocksNeverStepOutside) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 4000; ++round) {
    const std::size_t length = 1 + random() % 3000;
    Bytes packed = pack(sample(random, round % 4, length));
    for (std::uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
      packed[random() % packed.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
    }
    if (round % 5 == 0) packed.resize(random() % packed.size());
    unpack(packed, length);
    unpack(packed, random() % 3000);
  }
}

}  // namespace
}  // namespace saccade
