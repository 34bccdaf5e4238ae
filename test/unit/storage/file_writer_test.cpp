#include "storage/file_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "data/text_store.hpp"
#include "storage/file_opener.hpp"
#include "unit/storage/parquet_files.hpp"

namespace saccade {
namespace {

template <class T>
LaneColumn make_lane(Lane kind, const std::vector<T>& values, std::vector<bool> valid, MemoryPool& pool) {
  LaneColumn column;
  column.lane = kind;
  const auto rows = static_cast<std::int64_t>(values.size());
  std::shared_ptr<Buffer> buffer = Buffer::allocate(rows * static_cast<std::int64_t>(sizeof(T)), pool);
  std::copy(values.begin(), values.end(), buffer->template as<T>());
  column.values = std::move(buffer);
  if (valid.empty()) return column;
  std::shared_ptr<Buffer> bytes = Buffer::allocate(rows, pool);
  for (std::size_t row = 0; row < values.size(); ++row) bytes->as<std::uint8_t>()[row] = valid[row] ? 1 : 0;
  column.valid = std::move(bytes);
  return column;
}

class FileWriterTest : public ParquetFiles {
 protected:
  void SetUp() override {
    ParquetFiles::SetUp();
    const auto words = Dictionary::from_strings({"", "a,b", "plain", "say \"hi\"", "two\nlines"});
    columns_ = {{"n", {TypeKind::kInteger}, nullptr},     {"w", {TypeKind::kText}, words},
                {"t", {TypeKind::kText}, nullptr},        {"d", {TypeKind::kDouble}, nullptr},
                {"p", DataType::numeric(20, 2), nullptr}, {"f", {TypeKind::kBoolean}, nullptr},
                {"day", {TypeKind::kDate}, nullptr},      {"ts", {TypeKind::kTimestamp}, nullptr}};
    std::vector<TextValue> texts;
    for (const std::string_view text : {"x", "Zürich", "", "x", "y"}) {
      texts.push_back(write_text(text_bytes_.data() + texts.size() * 32, text));
    }
    const std::vector<bool> third = {true, true, false, true, true};
    rows_.rows = 5;
    rows_.columns = {make_lane<std::int64_t>(Lane::kInt64, {1, -2, 0, 4, 5}, third, pool_),
                     make_lane<std::int64_t>(Lane::kInt64, {0, 1, 2, 3, 4}, {}, pool_),
                     make_lane<TextValue>(Lane::kText, texts, third, pool_),
                     make_lane<double>(Lane::kFloat64, {0.1, -2.5, 0, 1e300, 3}, third, pool_),
                     make_lane<int128>(Lane::kInt128, {150, -1, 0, int128{1} << 60, 7}, third, pool_),
                     make_lane<std::uint8_t>(Lane::kBoolean, {1, 0, 0, 1, 0}, third, pool_),
                     make_lane<std::int64_t>(Lane::kInt64, {0, -1, 0, 19782, 1}, third, pool_),
                     make_lane<std::int64_t>(Lane::kInt64, {0, -1, 0, 1709164800000000, 500000}, third, pool_)};
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& path, const std::vector<FileOption>& options = {}) {
    const auto writer = make_file_writer(path, columns_, parse_write_options(path, options), pool_);
    writer->write(rows_);
    writer->finish();
  }

  std::string state_of(const std::function<void()>& work) {
    try {
      work();
      return "no error";
    } catch (const Error& error) {
      return error.sqlstate();
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    return names;
  }

  MemoryPool pool_{"pool", 0};
  std::vector<WriteColumn> columns_;
  RowSet rows_;
  std::array<char, 256> text_bytes_{};
};

TEST_F(FileWriterTest, WritesCsvAsCopyDoes) {
  write(file("t.csv"));
  EXPECT_EQ(read_bytes(file("t.csv")),
            "n,w,t,d,p,f,day,ts\n"
            "1,\"\",x,0.1,1.50,t,1970-01-01,1970-01-01 00:00:00\n"
            "-2,\"a,b\",Zürich,-2.5,-0.01,f,1969-12-31,1969-12-31 23:59:59.999999\n"
            ",plain,,,,,,\n"
            "4,\"say \"\"hi\"\"\",x,1e+300,11529215046068469.76,t,2024-02-29,2024-02-29 00:00:00\n"
            "5,\"two\nlines\",y,3,0.07,f,1970-01-02,1970-01-01 00:00:00.5\n");
}

TEST_F(FileWriterTest, TakesCopysOptions) {
  columns_.resize(3);
  rows_.columns.resize(3);
  write(file("t.csv"), {{"header", {"false"}}, {"delimiter", {";"}}, {"null", {"x"}}, {"quote", {"'"}}});
  EXPECT_EQ(read_bytes(file("t.csv")), "1;;'x'\n-2;a,b;Zürich\nx;plain;x\n4;say \"hi\";'x'\n5;'two\nlines';y\n");
  write(file("t.tsv"), {{"force_quote", {"n"}}, {"escape", {"\\"}}});
  EXPECT_EQ(
      read_bytes(file("t.tsv")),
      "n\tw\tt\n\"1\"\t\"\"\tx\n\"-2\"\ta,b\tZürich\n\tplain\t\n\"4\"\t\"say \\\"hi\\\"\"\tx\n\"5\"\t\"two\nlines\"\ty\n");
}

TEST_F(FileWriterTest, OtherReadersAndOurOwnReadWhatWasWritten) {
  const auto opener = make_file_opener(pool_, 1);
  write(file("t.csv"));
  const Rows rows = read_rows(*opener->open("read_csv(column_types => 'p numeric(20,2)')", file("t.csv")), pool_);
  ASSERT_EQ(rows.size(), 5U);
  for (const std::string name : {"t.parquet", "t.arrow", "t.feather"}) {
    for (const std::string compression : {"none", "zstd", "lz4"}) {
      write(file(name), {{"compression", {compression}}, {"row_group_size", {"2"}}});
      const std::shared_ptr<Table> table = opener->open("read_file", file(name));
      for (std::size_t i = 0; i < columns_.size(); ++i) EXPECT_EQ(table->columns()[i].type, columns_[i].type) << name;
      EXPECT_EQ(read_rows(*table, pool_), rows) << name << " " << compression;
    }
  }
}

TEST_F(FileWriterTest, LargeRowGroupsAreReadAndSkippedInPieces) {
  constexpr std::int64_t kRows = 200'001;
  const auto words = Dictionary::from_strings({"a", "b", "c"});
  std::vector<std::int64_t> ids, codes;
  std::vector<double> doubles;
  std::vector<TextValue> texts;
  std::vector<bool> valid;
  TextArena arena(pool_);
  for (std::int64_t row = 0; row < kRows; ++row) {
    ids.push_back(row * 10);
    codes.push_back(row % 3);
    doubles.push_back(static_cast<double>(row));
    texts.push_back(arena.copy(fmt::format("text {}", row)));
    valid.push_back(row % 5 != 2);
  }
  columns_ = {{"id", {TypeKind::kBigint}, nullptr},
              {"n", {TypeKind::kBigint}, nullptr},
              {"w", {TypeKind::kText}, words},
              {"t", {TypeKind::kText}, nullptr},
              {"d", {TypeKind::kDouble}, nullptr}};
  rows_.rows = kRows;
  rows_.columns = {make_lane(Lane::kInt64, ids, {}, pool_), make_lane(Lane::kInt64, ids, valid, pool_),
                   make_lane(Lane::kInt64, codes, valid, pool_), make_lane(Lane::kText, texts, valid, pool_),
                   make_lane(Lane::kFloat64, doubles, valid, pool_)};
  write(file("large.parquet"), {{"row_group_size", {"1000000"}}});
  write(file("small.parquet"), {{"row_group_size", {"50000"}}});
  const auto opener = make_file_opener(pool_, 1);
  const std::shared_ptr<Table> large = opener->open("read_parquet", file("large.parquet"));
  const std::shared_ptr<Table> small = opener->open("read_parquet", file("small.parquet"));
  ASSERT_EQ(large->chunk_count(0, 1), 4);
  EXPECT_EQ(large->chunk_rows(0, 1, 3), kRows - 3 * 65536);
  const Rows expected = read_rows(*small, pool_);
  EXPECT_EQ(read_rows(*large, pool_), expected);
  EXPECT_EQ(read_rows(*large, pool_, 3), expected);
  for (std::int64_t chunk = 0; chunk < 4; ++chunk) {
    const std::optional<Bounds> bounds = large->chunk_bounds(0, 1, chunk, 0);
    ASSERT_TRUE(bounds.has_value());
    // Pages have other bounds than pieces, but few rows.
    EXPECT_LE(bounds->low, chunk * 655360);
    EXPECT_GT(bounds->low, chunk * 655360 - 400000);
    EXPECT_LT(bounds->high, (chunk + 1) * 655360 + 400000);
  }
}

TEST_F(FileWriterTest, LeavesNothingBehindWhereItFails) {
  write_bytes(file("old.csv"), "old");
  {
    const auto writer = make_file_writer(file("old.csv"), columns_, parse_write_options("old.csv", {}), pool_);
    writer->write(rows_);
  }
  EXPECT_EQ(read_bytes(file("old.csv")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"old.csv"});
  Cancellation cancellation;
  MemoryPool statement("statement", 0, &pool_);
  statement.observe(&cancellation);
  for (const std::string name : {"old.csv", "new.parquet", "new.arrow"}) {
    EXPECT_EQ(state_of([&] {
                const auto writer = make_file_writer(file(name), columns_, parse_write_options(name, {}), statement);
                writer->write(rows_);
                cancellation.cancel();
                writer->finish();
              }),
              "57014")
        << name;
    cancellation.reset();
  }
  EXPECT_EQ(read_bytes(file("old.csv")), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"old.csv"});
}

TEST_F(FileWriterTest, SaysWhyAFileCannotBeWritten) {
  EXPECT_EQ(state_of([&] { write(file("missing/t.csv")); }), "58P01");
  std::filesystem::create_directory(file("folder.csv"));
  EXPECT_EQ(state_of([&] { write(file("folder.csv")); }), "42809");
  for (const std::string format : {"csv", "parquet", "arrow"}) {
    EXPECT_EQ(state_of([&] { write("/dev/full", {{"format", {format}}}); }), "53100") << format;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  if (::geteuid() != 0) {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_EQ(state_of([&] { write(file("t.csv")); }), "42501");
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  }
  columns_[1].name = "n";
  EXPECT_EQ(state_of([&] { write(file("t.parquet")); }), "42701");
  EXPECT_EQ(state_of([&] { write(file("t.csv")); }), "no error");
  EXPECT_EQ(state_of([&] { write(file("t.csv"), {{"force_quote", {"other"}}}); }), "42703");
}

TEST_F(FileWriterTest, ASymbolicLinkStaysOne) {
  write_bytes(file("real.csv"), "old");
  std::filesystem::create_symlink(file("real.csv"), file("link.csv"));
  write(file("link.csv"));
  EXPECT_TRUE(std::filesystem::is_symlink(file("link.csv")));
  EXPECT_EQ(read_bytes(file("real.csv")).substr(0, 4), "n,w,");
}

TEST_F(FileWriterTest, RefusesOptionsThatMakeNoSense) {
  const auto state = [&](const std::string& path, std::vector<FileOption> options) {
    return state_of([&] { parse_write_options(path, options); });
  };
  EXPECT_EQ(state("t.xlsx", {}), "0A000");
  EXPECT_EQ(state("t.csv", {{"format", {"xlsx"}}}), "0A000");
  EXPECT_EQ(state("t.csv", {{"colour", {"red"}}}), "42601");
  EXPECT_EQ(state("t.csv", {{"delimiter", {",,"}}}), "22023");
  EXPECT_EQ(state("t.csv", {{"delimiter", {"\""}}}), "22023");
  EXPECT_EQ(state("t.csv", {{"null", {","}}}), "22023");
  EXPECT_EQ(state("t.csv", {{"header", {"maybe"}}}), "22023");
  EXPECT_EQ(state("t.csv", {{"header", {"true"}}, {"header", {"true"}}}), "42601");
  EXPECT_EQ(state("t.parquet", {{"header", {"true"}}}), "42601");
  EXPECT_EQ(state("t.parquet", {{"compression", {"rar"}}}), "22023");
  EXPECT_EQ(state("t.arrow", {{"compression", {"snappy"}}}), "22023");
  EXPECT_EQ(state("t.parquet", {{"row_group_size", {"0"}}}), "22023");
  EXPECT_EQ(parse_write_options("x", {{"format", {"parquet"}}, {"codec", {"snappy"}}}).compression, FileCompression::kSnappy);
}

}  // namespace
}  // namespace saccade
