#include "storage/csv/csv_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/error.hpp"
#include "storage/lane_value.hpp"
#include "storage/new_file.hpp"

namespace saccade {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr std::int64_t kRowsBetweenChecks = 4096;

class CsvWriter final : public FileWriter {
 public:
  CsvWriter(const std::string& path, std::vector<WriteColumn> columns, const CsvWriteOptions& options, MemoryPool& pool)
      : columns_(std::move(columns)), options_(options), pool_(pool), memory_(pool, kBufferBytes), file_(path) {
    for (const char c : {options.delimiter, options.quote, options.escape, '\n', '\r'}) {
      needs_quotes_[static_cast<unsigned char>(c)] = true;
    }
    choose_forced();
    buffer_.reserve(kBufferBytes);
    if (options.header) write_header();
  }

  void write(const RowSet& rows) override {
    SACCADE_CHECK(rows.columns.size() == columns_.size());
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      if (row % kRowsBetweenChecks == 0) pool_.check();
      for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (column != 0) buffer_.push_back(options_.delimiter);
        append_value(rows.columns[column], column, row);
      }
      end_line();
    }
  }

  void finish() override {
    flush();
    pool_.check();
    file_.commit();
  }

 private:
  void choose_forced() {
    forced_.assign(columns_.size(), options_.force_quote_all);
    for (const std::string& name : options_.force_quote) {
      const auto found =
          std::find_if(columns_.begin(), columns_.end(), [&](const auto& column) { return column.name == name; });
      if (found == columns_.end()) {
        throw Error(sqlstate::kUndefinedColumn, fmt::format("column \"{}\" of FORCE_QUOTE is not written", name));
      }
      forced_[static_cast<std::size_t>(found - columns_.begin())] = true;
    }
  }

  void write_header() {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column != 0) buffer_.push_back(options_.delimiter);
      append_text(columns_[column].name, false);
    }
    end_line();
  }

  void append_value(const LaneColumn& lane, std::size_t column, std::int64_t row) {
    if (!lane.is_valid(row)) {
      buffer_ += options_.null_text;
      return;
    }
    const WriteColumn& described = columns_[column];
    const DataType& type = described.type;
    if (type.is_integer()) {
      const fmt::format_int digits(lane.as<std::int64_t>()[row]);
      append_text({digits.data(), digits.size()}, forced_[column]);
    } else if (type.kind == TypeKind::kText || type.kind == TypeKind::kVarchar || type.kind == TypeKind::kUnknown) {
      append_text(text_at(lane, described.dictionary.get(), row), forced_[column]);
    } else {
      append_text(to_string(value_at(lane, type, described.dictionary.get(), row)), forced_[column]);
    }
  }

  void append_text(std::string_view text, bool forced) {
    const auto special = [&](char c) { return needs_quotes_[static_cast<unsigned char>(c)]; };
    // The only column's \. alone on its line is what PostgreSQL takes for the end.
    const bool quoted = forced || text == options_.null_text || std::any_of(text.begin(), text.end(), special) ||
                        (columns_.size() == 1 && text == "\\.");
    if (!quoted) {
      buffer_ += text;
      return;
    }
    buffer_.push_back(options_.quote);
    for (const char c : text) {
      if (c == options_.quote || c == options_.escape) buffer_.push_back(options_.escape);
      buffer_.push_back(c);
    }
    buffer_.push_back(options_.quote);
  }

  void end_line() {
    buffer_.push_back('\n');
    if (buffer_.size() >= kBufferBytes / 2) flush();
  }

  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }

  std::vector<WriteColumn> columns_;
  CsvWriteOptions options_;
  MemoryPool& pool_;
  Reservation memory_;
  NewFile file_;
  std::string buffer_;
  std::vector<bool> forced_;              // by column
  std::array<bool, 256> needs_quotes_{};  // by byte
};

}  // namespace

std::unique_ptr<FileWriter> make_csv_writer(const std::string& path, std::vector<WriteColumn> columns,
                                            const CsvWriteOptions& options, MemoryPool& pool) {
  return std::make_unique<CsvWriter>(path, std::move(columns), options, pool);
}

}  // namespace saccade
