// Parquet files for tests, written by pyarrow into a temporary folder, with what pyarrow reads from them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "catalog/table.hpp"
#include "common/error.hpp"
#include "data/value.hpp"

namespace saccade {

using Rows = std::vector<std::vector<std::optional<std::string>>>;

inline const std::filesystem::path kStorageTests = SACCADE_SOURCE_DIR "/test/unit/storage";
inline const std::filesystem::path kRoot = kStorageTests.parent_path().parent_path().parent_path();

// A folder of its own for files of make_parquet_files.py, removed at the end.
class ParquetFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "saccade_parquet_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }

  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Writes the files of these names, and what pyarrow reads from them and from `others`. False where there is no pyarrow.
  bool make(const std::string& names, const std::vector<std::filesystem::path>& others = {}) {
    const std::filesystem::path python = kRoot / ".venv/bin/python", script = kStorageTests / "make_parquet_files.py";
    std::string command = python.string() + " '" + script.string() + "' " + folder_.string() + " " + names;
    for (const std::filesystem::path& other : others) command += " '" + other.string() + "'";
    const int status = std::filesystem::exists(python) ? std::system(command.c_str()) : 77 << 8;
    EXPECT_TRUE(status == 0 || status == 77 << 8) << command;
    return status == 0;
  }

  std::string path(const std::string& name) const { return (folder_ / (name + ".parquet")).string(); }

  // What pyarrow reads, as text.
  Rows expected(const std::string& name) const {
    Rows rows;
    std::ifstream lines(folder_ / (name + ".jsonl"));
    EXPECT_TRUE(lines.good()) << name;
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      for (const nlohmann::json& cell : nlohmann::json::parse(line)) {
        rows.back().push_back(cell.is_null() ? std::nullopt : std::optional<std::string>(cell.get<std::string>()));
      }
    }
    return rows;
  }

  std::filesystem::path folder_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string hex_text(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += digits.data();
  }
  return text;
}

// As make_parquet_files.py writes it: doubles and bytes as hexadecimal digits, times and times with a zone as numbers.
inline std::optional<std::string> cell_text(const Column& column, std::int64_t row) {
  if (!column.valid(row)) return std::nullopt;
  const TypeKind kind = column.type.kind;
  if (kind == TypeKind::kTime || kind == TypeKind::kTimestamptz) return decimal_text(int128_at(column, row), 0);
  if (kind == TypeKind::kBytea) {
    const bool plain = column.encoding.form == Form::kPlain;
    return hex_text(plain ? text_at(column, row).view() : column.dictionary->at(int64_at(column, row)));
  }
  const Value value = value_at(column, row);
  if (const auto* number = std::get_if<double>(&value.data)) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016lx", std::bit_cast<std::uint64_t>(*number));
    return text.data();
  }
  return to_string(value);
}

// All rows of a table, read by `ranks` ranks and put back into the order of chunks; "?" in columns that cannot be prepared.
// Every column is verified, and its bounds are checked against the chunk's and the table's.
inline Rows read_rows(Table& table, MemoryPool& pool, int ranks = 1) {
  std::vector<int> readable;
  const auto columns = static_cast<int>(table.columns().size());
  for (int column = 0; column < columns; ++column) {
    try {
      table.prepare(std::array{column}, pool);
      readable.push_back(column);
    } catch (const Error& error) {
      if (error.sqlstate() != sqlstate::kFeatureNotSupported) throw;
    }
  }
  std::int64_t chunks = 0;
  for (int rank = 0; rank < ranks; ++rank) chunks += table.chunk_count(rank, ranks);
  Rows rows;
  for (std::int64_t index = 0; index < chunks; ++index) {
    const int rank = static_cast<int>(index % ranks);
    const std::int64_t chunk = index / ranks, length = table.chunk_rows(rank, ranks, chunk);
    const std::vector<Column> loaded = table.load(rank, ranks, chunk, readable, pool);
    const std::size_t first = rows.size();
    rows.resize(first + static_cast<std::size_t>(length), std::vector<std::optional<std::string>>(table.columns().size(), "?"));
    for (std::size_t i = 0; i < readable.size(); ++i) {
      const Column& column = loaded[i];
      const ColumnInfo& info = table.columns()[static_cast<std::size_t>(readable[i])];
      verify_column(column);
      const std::optional<Bounds>&whole = info.statistics.bounds, part = table.chunk_bounds(rank, ranks, chunk, readable[i]);
      const auto within = [&](const std::optional<Bounds>& outer) {
        return !outer || !column.bounds || (column.bounds->low >= outer->low && column.bounds->high <= outer->high);
      };
      const bool fits = column.length == length && column.encoding == info.encoding && within(whole) && within(part) &&
                        column.lane == (column.heap != nullptr ? Lane::kText : lane_of(info.type, whole)) &&
                        (info.statistics.may_be_null || column.validity == nullptr) && column.dictionary == info.dictionary;
      EXPECT_TRUE(fits) << info.name;
      for (std::int64_t row = 0; row < length; ++row) {
        rows[first + static_cast<std::size_t>(row)][static_cast<std::size_t>(readable[i])] = cell_text(column, row);
      }
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(rows.size()), table.row_count());
  return rows;
}

}  // namespace saccade

#define SACCADE_MAKE_PARQUET(...) \
  if (!make(__VA_ARGS__)) GTEST_SKIP() << "needs pyarrow in .venv"
