#include "execution/gpu/device_pool.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "common/error.hpp"

namespace saccade::gpu {
namespace {

// Device memory that is only counted: addresses with gaps between the blocks, or none, to tempt the pool to join blocks.
class FakeMemory : public BlockSource {
 public:
  explicit FakeMemory(std::int64_t capacity) : capacity_(capacity) {}

  std::optional<DeviceAddress> take(std::int64_t bytes) override {
    if (taken_ + bytes > capacity_) return std::nullopt;
    const DeviceAddress address = next_;
    next_ += static_cast<DeviceAddress>(bytes);
    blocks_[address] = bytes;
    taken_ += bytes;
    ++calls;
    return address;
  }
  void give_back(DeviceAddress address) noexcept override {
    taken_ -= blocks_.at(address);
    blocks_.erase(address);
  }
  // Whether [address, address + bytes) lies in one block.
  bool holds(DeviceAddress address, std::int64_t bytes) const {
    auto block = blocks_.upper_bound(address);
    if (block == blocks_.begin()) return false;
    --block;
    return address + static_cast<DeviceAddress>(bytes) <= block->first + static_cast<DeviceAddress>(block->second);
  }
  std::int64_t taken() const { return taken_; }

  int calls = 0;

 private:
  std::int64_t capacity_;
  std::int64_t taken_ = 0;
  DeviceAddress next_ = 0x7f0000000000;
  std::map<DeviceAddress, std::int64_t> blocks_;
};

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

std::string sqlstate_of_allocate(DevicePool& pool, std::int64_t bytes) {
  try {
    pool.allocate(bytes);
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "no error";
}

TEST(DevicePool, PiecesAreAlignedDisjointAndInsideABlock) {
  FakeMemory memory(4096 * kMiB);
  DeviceBudget budget(4096 * kMiB);
  DevicePool pool("GPU 0", memory, budget);
  std::mt19937_64 random(7);
  std::map<DeviceAddress, std::int64_t> live;
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 200 && random() % 3 != 0) {
      const auto bytes = static_cast<std::int64_t>(random() % (random() % 50 == 0 ? 40 * kMiB : 5000));
      const DeviceAddress address = pool.allocate(bytes);
      ASSERT_EQ(address % DevicePool::kAlignment, 0U);
      ASSERT_TRUE(memory.holds(address, bytes));
      const auto after = live.lower_bound(address);
      if (after != live.end()) {
        ASSERT_LE(address + static_cast<DeviceAddress>(bytes), after->first);
      }
      if (after != live.begin()) {
        const auto before = std::prev(after);
        ASSERT_LT(before->first, address);
        ASSERT_LE(before->first + static_cast<DeviceAddress>(before->second), address);
      }
      live[address] = bytes;
    } else if (!live.empty()) {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      pool.free(victim->first);
      live.erase(victim);
    }
    ASSERT_EQ(pool.held(), memory.taken());
    ASSERT_EQ(budget.used(), memory.taken());
  }
  for (const auto& [address, bytes] : live) pool.free(address);
  EXPECT_EQ(pool.used(), 0);
}

TEST(DevicePool, FreedNeighboursGrowTogetherAndAreUsedAgainWithoutTheDriver) {
  FakeMemory memory(64 * kMiB);
  DeviceBudget budget(64 * kMiB);
  DevicePool pool("GPU 0", memory, budget);
  std::vector<DeviceAddress> pieces;
  for (int i = 0; i < 64; ++i) pieces.push_back(pool.allocate(kMiB));
  EXPECT_EQ(sqlstate_of_allocate(pool, 1), "53200");
  for (int i = 1; i < 64; i += 2) pool.free(pieces[static_cast<std::size_t>(i)]);
  EXPECT_EQ(sqlstate_of_allocate(pool, 2 * kMiB), "53200");  // no two free neighbours
  for (int i = 0; i < 64; i += 2) pool.free(pieces[static_cast<std::size_t>(i)]);
  EXPECT_EQ(pool.allocate(64 * kMiB), pieces[0]);
  EXPECT_EQ(memory.calls, 1);
}

TEST(DevicePool, BestFitTakesTheSmallestHole) {
  FakeMemory memory(64 * kMiB);
  DeviceBudget budget(64 * kMiB);
  DevicePool pool("GPU 0", memory, budget);
  const DeviceAddress large = pool.allocate(8 * kMiB);
  pool.allocate(256);
  const DeviceAddress small = pool.allocate(2 * kMiB);
  pool.allocate(256);
  pool.free(large);
  pool.free(small);
  EXPECT_EQ(pool.allocate(kMiB), small);
  EXPECT_EQ(pool.allocate(4 * kMiB), large);
}

TEST(DevicePool, UnusedBlocksAreGivenBackBeforeAnAllocationFails) {
  FakeMemory memory(200 * kMiB);
  DeviceBudget budget(1000 * kMiB);
  DevicePool pool("GPU 0", memory, budget);
  const DeviceAddress first = pool.allocate(60 * kMiB);    // a block of 64 MiB
  const DeviceAddress second = pool.allocate(100 * kMiB);  // one of 128 MiB
  pool.free(first);
  pool.free(second);
  EXPECT_EQ(memory.taken(), 192 * kMiB);
  pool.allocate(150 * kMiB);  // fits neither block, nor beside them
  EXPECT_EQ(memory.taken(), 150 * kMiB);
  EXPECT_EQ(sqlstate_of_allocate(pool, 100 * kMiB), "53200");
}

TEST(DevicePool, PoolsOfOneDeviceShareItsLimit) {
  FakeMemory memory(1000 * kMiB);
  DeviceBudget budget(100 * kMiB);
  DevicePool one("GPU 0", memory, budget);
  {
    DevicePool other("GPU 0", memory, budget);
    other.allocate(80 * kMiB);
    EXPECT_EQ(sqlstate_of_allocate(one, 40 * kMiB), "53200");
  }
  one.allocate(40 * kMiB);  // the other pool gave its blocks back
  EXPECT_EQ(budget.used(), 64 * kMiB);
}

TEST(DevicePool, TheErrorNamesTheDeviceAndTheLimit) {
  FakeMemory memory(1000 * kMiB);
  DeviceBudget budget(10 * kMiB);
  DevicePool pool("GPU 3", memory, budget);
  try {
    pool.allocate(20 * kMiB);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
    EXPECT_STREQ(error.what(),
                 "out of device memory on GPU 3: 20971520 bytes were asked for, 0 of the limit of 10485760 bytes are in use");
    EXPECT_NE(error.hint().find("gpu_memory_limit"), std::string::npos);
  }
}

TEST(DevicePool, NoBytesStillHaveAnAddressOfTheirOwn) {
  FakeMemory memory(100 * kMiB);
  DeviceBudget budget(100 * kMiB);
  DevicePool pool("GPU 0", memory, budget);
  EXPECT_NE(pool.allocate(0), pool.allocate(0));
  pool.free(0);
  EXPECT_EQ(sqlstate_of_allocate(pool, -1), "XX000");
}

}  // namespace
}  // namespace saccade::gpu
