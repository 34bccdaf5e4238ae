#include "storage/part_columns.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>

#include "common/error.hpp"
#include "storage/memory_table.hpp"
#include "storage/parallel.hpp"

namespace saccade {
namespace {

constexpr std::size_t kRecentStrings = 1024;

bool is_string(const DataType& type) {
  return type.is_text() || type.kind == TypeKind::kBytea;
}

}  // namespace

PartColumn::PartColumn(const DataType& type, std::int64_t rows, MemoryPool& pool)
    : type_(type), lane_(is_string(type) ? Lane::kText : lane_of(type)), rows_(rows), pool_(pool) {
  values_ = Buffer::allocate_zeroed(rows * lane_bytes(lane_), pool);
  if (lane_ != Lane::kText) return;
  strings_.push_back(std::make_unique<TextArena>(pool));
  recent_.resize(kRecentStrings);
}

void PartColumn::set_text(std::int64_t row, std::string_view text) {
  TextValue& recent = recent_[hash_text(text) % kRecentStrings];
  if (!recent.has_value() || recent.view() != text) recent = strings_.front()->copy(text);
  set<TextValue>(row, recent);
}

void PartColumn::set_null(std::int64_t row) {
  if (valid_ == nullptr) {
    valid_ = Buffer::allocate(rows_, pool_);
    std::memset(valid_->data(), 1, static_cast<std::size_t>(rows_));
  }
  valid_->as<std::uint8_t>()[row] = 0;
}

void PartColumn::copy_value(std::int64_t row, const PartColumn& from, std::int64_t from_row) {
  const auto width = static_cast<std::size_t>(lane_bytes(lane_));
  std::memcpy(values_->data() + static_cast<std::size_t>(row) * width,
              from.values_->data() + static_cast<std::size_t>(from_row) * width, width);
}

void PartColumn::keep_strings(PartColumn& from) {
  for (std::unique_ptr<TextArena>& strings : from.strings_) strings_.push_back(std::move(strings));
  from.strings_.clear();
}

// Hands the parts' rows to the builder; strings stay with the parts.
void add_rows(std::vector<Part>& parts, MemoryTableBuilder& builder) {
  for (Part& part : parts) {
    RowSet rows;
    rows.rows = part.rows;
    for (PartColumn& column : part.columns) rows.columns.push_back(column.take_lane());
    builder.add_rows(0, rows);
  }
}

std::shared_ptr<Table> make_parts_table(std::vector<std::string> names, std::vector<DataType> types, std::vector<Part> parts,
                                        int threads, MemoryPool& kept, MemoryPool& pool) {
  pool.check();
  std::vector<std::shared_ptr<const Dictionary>> dictionaries(types.size());
  MemoryTableBuilder builder("", std::move(names), std::move(types), std::move(dictionaries), 1, kept);
  builder.allow_dictionaries();
  add_rows(parts, builder);
  return builder.finish([](std::vector<ColumnSummary> local) { return local; }, threads);
}

void for_each_part(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  std::atomic<std::int64_t> first_failed{count};
  parallel_for(count, threads, [&](std::int64_t part) {
    if (part > first_failed) return;
    try {
      body(part);
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
      std::int64_t known = first_failed;
      while (part < known && !first_failed.compare_exchange_weak(known, part)) {
      }
    }
  });
  if (first_failed < count) std::rethrow_exception(errors[static_cast<std::size_t>(first_failed)]);
}

}  // namespace saccade
