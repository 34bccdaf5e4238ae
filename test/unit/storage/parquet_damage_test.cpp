#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "common/error.hpp"
#include "storage/parquet/parquet_table.hpp"
#include "unit/storage/parquet_files.hpp"

namespace saccade {
namespace {

// Damaged files: an error of the kinds below, or rows; never a crash, another exception, or memory that stays counted.
class ParquetDamageTest : public ParquetFiles {
 protected:
  // What is read from these bytes; nothing where an error was raised.
  std::optional<Rows> read(const std::string& bytes) {
    write_bytes(path("damaged"), bytes);
    MemoryPool pool("pool", std::int64_t{256} << 20);
    std::optional<Rows> rows;
    try {
      rows = read_rows(*open_parquet(path("damaged"), pool), pool);
    } catch (const Error& error) {
      const std::string& state = error.sqlstate();
      EXPECT_TRUE(state == "XX001" || state == "58030" || state == "53200" || state == "22021" || state == "0A000" ||
                  state == "22008")
          << state << ": " << error.what();
      EXPECT_NE(std::string(error.what()), "");
    }
    EXPECT_EQ(pool.used(), 0);
    return rows;
  }
};

TEST_F(ParquetDamageTest, FilesCutOffAreErrors) {
  SACCADE_MAKE_PARQUET("checksums");
  const std::string whole = read_bytes(path("checksums"));
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 300) {
    EXPECT_FALSE(read(whole.substr(0, length)).has_value()) << length;
  }
}

TEST_F(ParquetDamageTest, FlippedBitsOfPagesAreErrorsOrDoNotMatter) {
  SACCADE_MAKE_PARQUET("checksums,small_pages,encodings");
  std::mt19937 random(7);
  for (const char* name : {"checksums", "small_pages", "encodings"}) {
    const std::string whole = read_bytes(path(name));
    const Rows rows = expected(name);
    std::uint32_t footer = 0;
    std::memcpy(&footer, whole.data() + whole.size() - 8, 4);
    for (int turn = 0; turn < 150; ++turn) {
      std::string damaged = whole;
      const std::size_t at = random() % (whole.size() - footer - 8);
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
      const std::optional<Rows> read_back = read(damaged);
      // Without checksums a value may have become another one that fits; nothing can tell.
      EXPECT_TRUE(!read_back || std::string(name) != "checksums" || *read_back == rows) << at;
    }
  }
}

TEST_F(ParquetDamageTest, FlippedBitsOfTheFooterNeverCrash) {
  SACCADE_MAKE_PARQUET("nullable");
  std::mt19937 random(8);
  const std::string whole = read_bytes(path("nullable"));
  std::uint32_t footer = 0;
  std::memcpy(&footer, whole.data() + whole.size() - 8, 4);
  for (int turn = 0; turn < 400; ++turn) {
    std::string damaged = whole;
    const std::size_t at = whole.size() - 1 - random() % (footer + 8);
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    read(damaged);
  }
}

}  // namespace
}  // namespace saccade
