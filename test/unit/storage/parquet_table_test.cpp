#include "storage/parquet/parquet_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "common/error.hpp"
#include "storage/file_opener.hpp"
#include "unit/storage/parquet_files.hpp"

namespace saccade {
namespace {

struct Outcome {
  std::string sqlstate = "no error", message;
};

Outcome outcome_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.sqlstate(), error.what()};
  }
  return {};
}

class ParquetTableTest : public ParquetFiles {
 protected:
  const ColumnInfo& column(Table& table, const std::string& name) {
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      if (table.columns()[i].name != name) continue;
      table.prepare(std::array{static_cast<int>(i)}, pool_);
      return table.columns()[i];
    }
    throw std::runtime_error("no column " + name);
  }

  MemoryPool pool_{"pool", 0};
};

TEST_F(ParquetTableTest, ReadsEveryTypeLayoutAndEncoding) {
  const std::vector<std::string> names = {"nullable",  "required", "plain", "no_statistics", "integer_decimals", "small_pages",
                                          "encodings", "int96",    "empty", "checksums",     "unsupported",      "statistics"};
  SACCADE_MAKE_PARQUET(fmt::format("{}", fmt::join(names, ",")));
  for (const std::string& name : names) {
    const std::shared_ptr<Table> table = open_parquet(path(name), pool_);
    for (const int ranks : {1, 2, 3}) EXPECT_EQ(read_rows(*table, pool_, ranks), expected(name)) << name << " ranks " << ranks;
  }
}

TEST_F(ParquetTableTest, ReadsFilesOfOtherWriters) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "test/data/parquet")) {
    const bool overflows = entry.path().stem() == "int96_from_spark";
    if (entry.path().extension() == ".parquet" && !overflows) files.push_back(entry.path());
  }
  ASSERT_GT(files.size(), 20U);
  SACCADE_MAKE_PARQUET("none", files);
  for (const std::filesystem::path& file : files) {
    EXPECT_EQ(read_rows(*open_parquet(file.string(), pool_), pool_), expected(file.stem().string())) << file;
  }
  // A day 4,189,105,064: pyarrow wraps around.
  const std::shared_ptr<Table> overflow = open_parquet((kRoot / "test/data/parquet/int96_from_spark.parquet").string(), pool_);
  EXPECT_EQ(outcome_of([&] { overflow->load(0, 1, 0, std::array{0}, pool_); }).sqlstate, "22008");
}

TEST_F(ParquetTableTest, ChoosesEncodingsFromTheFooter) {
  SACCADE_MAKE_PARQUET("required,no_statistics");
  const std::shared_ptr<Table> table = open_parquet(path("required"), pool_);
  EXPECT_EQ(to_string(column(*table, "bool").encoding), "narrowed 1");
  EXPECT_EQ(to_string(column(*table, "i8").encoding), "narrowed 1");
  EXPECT_EQ(to_string(column(*table, "i16").encoding), "narrowed 2");
  EXPECT_EQ(to_string(column(*table, "i32").encoding), "narrowed 4");
  EXPECT_EQ(to_string(column(*table, "i64").encoding), "plain 8");
  EXPECT_EQ(to_string(column(*table, "u64").encoding), "plain 16");
  EXPECT_EQ(to_string(column(*table, "d38").encoding), "plain 16");
  EXPECT_EQ(to_string(column(*table, "small").encoding), "narrowed 1");
  EXPECT_EQ(to_string(column(*table, "medium").encoding), "narrowed 2");
  EXPECT_EQ(to_string(column(*table, "constant").encoding), "constant");
  EXPECT_EQ(to_string(column(*table, "money").encoding), "narrowed 2");
  EXPECT_EQ(to_string(column(*table, "distinct").encoding), "dictionary 2");
  EXPECT_EQ(column(*table, "money").type, DataType::numeric(38, 2));
  EXPECT_EQ(column(*table, "constant").base, -7);
  EXPECT_FALSE(column(*table, "i64").statistics.may_be_null);
  EXPECT_EQ(column(*table, "small").statistics.unique, Uniqueness::kRefuted);
  EXPECT_EQ(column(*table, "i64").statistics.unique, Uniqueness::kPossible);
  EXPECT_EQ(column(*table, "text").statistics.unique, Uniqueness::kRefuted);
  EXPECT_EQ(column(*table, "distinct").statistics.distinct, 1000);
  EXPECT_EQ(column(*table, "i8").statistics.bounds, (Bounds{-128, 127}));
  EXPECT_EQ(table->chunk_count(0, 1), 8);
  const std::shared_ptr<Table> blind = open_parquet(path("no_statistics"), pool_);
  EXPECT_EQ(to_string(column(*blind, "small").encoding), "plain 8");
  EXPECT_EQ(column(*blind, "small").statistics.bounds, std::nullopt);
}

TEST_F(ParquetTableTest, RefusesTypesOnlyWhereTheyAreUsed) {
  SACCADE_MAKE_PARQUET("unsupported");
  const std::shared_ptr<Table> table = open_parquet(path("unsupported"), pool_);
  for (const int refused : {1, 2}) {
    const Outcome outcome = outcome_of([&] { table->prepare(std::array{refused}, pool_); });
    EXPECT_EQ(outcome.sqlstate, "0A000");
    EXPECT_NE(outcome.message.find(table->columns()[static_cast<std::size_t>(refused)].name), std::string::npos);
  }
  EXPECT_EQ(outcome_of([&] { table->prepare(std::array{0, 3, 4, 5, 6, 7}, pool_); }).sqlstate, "no error");
}

TEST_F(ParquetTableTest, RefusesTextThatIsNotUtf8AndTimesTooFine) {
  SACCADE_MAKE_PARQUET("bad_utf8,nanoseconds");
  const std::shared_ptr<Table> text = open_parquet(path("bad_utf8"), pool_);
  EXPECT_EQ(outcome_of([&] { text->prepare(std::array{0}, pool_); }).sqlstate, "22021");
  const std::shared_ptr<Table> fine = open_parquet(path("nanoseconds"), pool_);
  EXPECT_EQ(outcome_of([&] { fine->load(0, 1, 0, std::array{0}, pool_); }).sqlstate, "0A000");
}

TEST_F(ParquetTableTest, FindsValuesOutsideOfTheStatistics) {
  SACCADE_MAKE_PARQUET("statistics");
  std::string bytes = read_bytes(path("statistics"));
  const std::string low("\x78\x56\x34\x12", 4);
  for (std::size_t at = bytes.rfind(low), footer = bytes.size() - 700; at != std::string::npos && at > footer;
       at = bytes.rfind(low, at - 1)) {
    bytes[at] = '\x79';  // the footers now say that the least value is one more than it is
  }
  write_bytes(path("statistics"), bytes);
  const std::shared_ptr<Table> table = open_parquet(path("statistics"), pool_);
  ASSERT_EQ(table->columns()[0].statistics.bounds->low, 0x12345679);
  const Outcome outcome = outcome_of([&] { table->load(0, 1, 1, std::array{0}, pool_); });
  EXPECT_EQ(outcome.sqlstate, "XX001");
  for (const char* part : {"statistics.parquet", "\"x\"", "row group 1"})
    EXPECT_NE(outcome.message.find(part), std::string::npos) << part;
  EXPECT_EQ(outcome_of([&] { table->load(0, 1, 1, std::array{1}, pool_); }).sqlstate, "no error");
}

TEST_F(ParquetTableTest, ReadsListsAndPatternsOfFiles) {
  SACCADE_MAKE_PARQUET("part_1,part_2,part_other");
  Rows both = expected("part_1");
  for (const auto& row : expected("part_2")) both.push_back(row);
  for (const std::string& name : {(folder_ / "part_[12].parquet").string(), path("part_1") + ", " + path("part_2")}) {
    const std::shared_ptr<Table> table = open_parquet(name, pool_);
    EXPECT_EQ(read_rows(*table, pool_, 2), both);
    EXPECT_EQ(to_string(table->columns()[0].encoding), "narrowed 2");
    EXPECT_EQ(table->columns()[1].dictionary->size(), 3);
  }
  EXPECT_EQ(outcome_of([&] { open_parquet((folder_ / "part_*.parquet").string(), pool_); }).sqlstate, "42804");
  EXPECT_EQ(outcome_of([&] { open_parquet((folder_ / "nope*.parquet").string(), pool_); }).sqlstate, "58P01");
  EXPECT_EQ(outcome_of([&] { open_parquet(path("part_1") + "," + path("nope"), pool_); }).sqlstate, "58P01");
}

TEST_F(ParquetTableTest, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(outcome_of([&] { open_parquet(path("nope"), pool_); }).sqlstate, "58P01");
  EXPECT_EQ(outcome_of([&] { open_parquet(folder_.string(), pool_); }).sqlstate, "42809");
  EXPECT_EQ(outcome_of([&] { open_parquet("/dev/null", pool_); }).sqlstate, "58030");
  for (const std::string& bytes : {std::string(), std::string("x"), std::string("PAR1PAR1"), std::string(100, 'x'),
                                   std::string("PAR1\xff\xff\xff\xffPAR1", 12), std::string("PAR1\0\0\0\0PAR1", 12)}) {
    write_bytes(path("bad"), bytes);
    EXPECT_EQ(outcome_of([&] { open_parquet(path("bad"), pool_); }).sqlstate, "XX001");
  }
  write_bytes(path("bad"), "PAR1xxxxxxxxPARE");
  EXPECT_EQ(outcome_of([&] { open_parquet(path("bad"), pool_); }).sqlstate, "0A000");
  if (geteuid() != 0) {
    std::filesystem::permissions(path("bad"), std::filesystem::perms::none);
    EXPECT_EQ(outcome_of([&] { open_parquet(path("bad"), pool_); }).sqlstate, "42501");
  }
}

TEST_F(ParquetTableTest, CountsItsMemory) {
  SACCADE_MAKE_PARQUET("nullable");
  {
    const std::shared_ptr<Table> table = open_parquet(path("nullable"), pool_);
    const Rows rows = read_rows(*table, pool_);
    EXPECT_GT(pool_.used(), 0);  // text is kept
  }
  EXPECT_EQ(pool_.used(), 0);
  MemoryPool tight("tight", 20000);
  EXPECT_EQ(outcome_of([&] { read_rows(*open_parquet(path("nullable"), tight), tight); }).sqlstate, "53200");
  EXPECT_EQ(tight.used(), 0);
}

TEST_F(ParquetTableTest, NoticesAFileThatChanges) {
  SACCADE_MAKE_PARQUET("part_1,part_2");
  const std::unique_ptr<FileOpener> opener = make_file_opener(pool_);
  const std::shared_ptr<Table> table = opener->open("read_file", path("part_1"));
  EXPECT_EQ(opener->open("read_parquet", path("part_1")), table);
  const std::string other = read_bytes(path("part_2"));
  {  // written to in place: what was planned no longer holds
    std::fstream file(path("part_1"), std::ios::binary | std::ios::in | std::ios::out);
    file.write(other.data(), static_cast<std::streamsize>(other.size()));
  }
  EXPECT_EQ(outcome_of([&] { table->load(0, 1, 0, std::array{0}, pool_); }).sqlstate, "58030");
  std::filesystem::rename(path("part_2"), path("part_1"));
  const std::shared_ptr<Table> changed = opener->open("read_file", path("part_1"));
  EXPECT_NE(changed->version(), table->version());
  EXPECT_EQ(read_rows(*changed, pool_), expected("part_2"));
}

TEST_F(ParquetTableTest, OpensByTheEndingOfTheName) {
  SACCADE_MAKE_PARQUET("part_1");
  const std::unique_ptr<FileOpener> opener = make_file_opener(pool_);
  std::filesystem::copy(path("part_1"), folder_ / "part_1.data");
  std::filesystem::copy(path("part_1"), folder_ / "PART.PARQUET");
  EXPECT_EQ(opener->open("read_parquet", (folder_ / "part_1.data").string())->row_count(), 2);
  EXPECT_EQ(opener->open("read_file", (folder_ / "PART.PARQUET").string())->row_count(), 2);
  EXPECT_EQ(outcome_of([&] { opener->open("read_file", (folder_ / "part_1.data").string()); }).sqlstate, "0A000");
  EXPECT_EQ(outcome_of([&] { opener->open("read_json", path("part_1")); }).sqlstate, "42883");
}

TEST_F(ParquetTableTest, LoadsOnManyThreads) {
  SACCADE_MAKE_PARQUET("required");
  const std::shared_ptr<Table> table = open_parquet(path("required"), pool_);
  const Rows rows = expected("required");
  std::vector<std::thread> threads;
  std::array<bool, 4> equal{};
  for (std::size_t i = 0; i < equal.size(); ++i) threads.emplace_back([&, i] { equal[i] = read_rows(*table, pool_) == rows; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, (std::array<bool, 4>{true, true, true, true}));
}

}  // namespace
}  // namespace saccade
