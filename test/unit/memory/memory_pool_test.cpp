#include "memory/memory_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "memory/buffer.hpp"

namespace saccade {
namespace {

TEST(MemoryPool, CountsUpToTheRoot) {
  MemoryPool root("database", 1000);
  MemoryPool query("query", 0, &root);
  {
    Reservation reservation(query, 600);
    EXPECT_EQ(root.used(), 600);
    EXPECT_THROW(Reservation(query, 401), Error);
    EXPECT_EQ(query.used(), 600);  // what the root refused is not kept below
    reservation.resize(1000);
    EXPECT_THROW(reservation.resize(1001), Error);
    EXPECT_EQ(reservation.bytes(), 1000);
    reservation.resize(10);
    EXPECT_EQ(root.used(), 10);
  }
  EXPECT_EQ(root.used(), 0);
  EXPECT_EQ(root.peak(), 1000);
}

TEST(MemoryPool, SaysWhichBudgetIsExceeded) {
  MemoryPool root("database", 100);
  try {
    root.reserve(101);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
    EXPECT_NE(std::string(error.what()).find("database"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("101"), std::string::npos);
  }
  EXPECT_THROW(root.reserve(INT64_MAX), Error);
  EXPECT_EQ(root.used(), 0);
}

TEST(MemoryPool, NeverPassesItsLimitUnderThreads) {
  MemoryPool root("database", 64);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20000; ++turn) {
        try {
          const Reservation reservation(root, 1 + turn % 40);
        } catch (const Error&) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(root.used(), 0);
  EXPECT_LE(root.peak(), 64);
}

TEST(Reservation, MovesItsBytes) {
  MemoryPool pool("pool", 0);
  Reservation a(pool, 5);
  Reservation b(std::move(a));
  Reservation c(pool, 7);
  c = std::move(b);
  EXPECT_EQ(pool.used(), 5);
  c.reset();
  EXPECT_EQ(pool.used(), 0);
}

TEST(Buffer, IsAlignedPaddedAndCounted) {
  MemoryPool pool("pool", 0);
  for (const std::int64_t size : {0, 1, 63, 64, 65, 1000}) {
    const std::unique_ptr<Buffer> buffer = Buffer::allocate(size, pool);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 64, 0U);
    const std::int64_t padded = std::max<std::int64_t>(64, (size + 63) / 64 * 64);
    EXPECT_EQ(pool.used(), padded);
    std::memset(buffer->data(), 0xff, static_cast<std::size_t>(size));
    for (std::int64_t i = size; i < padded; ++i) EXPECT_EQ(buffer->data()[i], std::byte{0});
  }
  EXPECT_EQ(pool.used(), 0);
  const std::unique_ptr<Buffer> zeroed = Buffer::allocate_zeroed(100, pool);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(zeroed->data()[i], std::byte{0});
}

TEST(Buffer, RaisesWhereTheSystemHasNoMemory) {
  MemoryPool pool("pool", 0);
  try {
    Buffer::allocate(std::int64_t{1} << 60, pool);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "53200");
  }
  EXPECT_EQ(pool.used(), 0);
}

TEST(MemoryPool, ACancelledStatementGetsNoMore) {
  Cancellation cancellation;
  MemoryPool database("database", 1000);
  MemoryPool statement("statement", 0, &database);
  statement.observe(&cancellation);
  MemoryPool part("part", 0, &statement);
  part.reserve(10);
  cancellation.cancel();
  EXPECT_THROW(part.check(), Error);
  try {
    part.reserve(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sqlstate(), "57014");
  }
  EXPECT_EQ(database.used(), 10);
  database.reserve(1);  // other statements go on
  part.release(10);
  database.release(1);
}

}  // namespace
}  // namespace saccade
