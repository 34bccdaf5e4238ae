#include "execution/gpu/residency.hpp"

#include <fmt/format.h>

#include <cstring>

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

using ScanColumn = physical::TableScan::ScanColumn;

// Kernels load whole tiles of eight rows.
constexpr std::int64_t kTileRows = 8;

std::int64_t padded(std::int64_t rows) {
  return (rows + kTileRows - 1) / kTileRows * kTileRows;
}

[[noreturn]] void raise_damaged(const Table& table, int column, const std::string& what) {
  const std::string& name = table.columns().at(static_cast<std::size_t>(column)).name;
  throw Error(sqlstate::kDataCorrupted, fmt::format("column {} of \"{}\" {}", name, table.name(), what), 0,
              "The table changed while it was read, or its statistics are wrong: write it again.");
}

// The bitmap of a whole share, put together from chunks at any bit.
class BitmapBuilder {
 public:
  explicit BitmapBuilder(std::int64_t rows) : words_(static_cast<std::size_t>(rows / 64 + 2), 0) {}
  void append(const std::uint64_t* validity, std::int64_t rows) {
    for (std::int64_t done = 0; done < rows; done += 64) {
      const std::int64_t count = std::min<std::int64_t>(64, rows - done);
      std::uint64_t word = validity == nullptr ? ~std::uint64_t{0} : validity[done / 64];
      if (count < 64) word &= (std::uint64_t{1} << count) - 1;
      const auto at = static_cast<std::size_t>(rows_ / 64);
      words_[at] |= word << rows_ % 64;
      if (rows_ % 64 != 0) words_[at + 1] |= word >> (64 - rows_ % 64);
      rows_ += count;
    }
  }
  const std::uint64_t* words() const { return words_.data(); }

 private:
  std::vector<std::uint64_t> words_;
  std::int64_t rows_ = 0;
};

// One column on its way to the device.
class ColumnLoad {
 public:
  ColumnLoad(DeviceRuntime& runtime, Residency& residency, const ScanShare& share, const ScanColumn& column, std::int64_t rows)
      : runtime_(runtime),
        share_(share),
        column_(column),
        nullable_(share.slots.at(static_cast<std::size_t>(column.slot)).nullable),
        bitmap_(nullable_ ? rows : 0),
        resident_(std::make_shared<ResidentColumn>()) {
    const bool counted = column.encoding.form == Form::kConstant || column.encoding.form == Form::kNarrowed;
    resident_->address.base = counted ? column.base : 0;
    if (column.encoding.form != Form::kConstant) {
      resident_->values = residency.allocate(runtime, padded(rows) * column.encoding.width);
      resident_->address.values = resident_->values.address();
    }
    if (nullable_) {
      validity_bytes_ = padded(rows) / 8;
      resident_->validity = residency.allocate(runtime, validity_bytes_);
      resident_->address.validity = resident_->validity.address();
    }
  }

  void append(const Column& chunk) {
    if (chunk.encoding != column_.encoding) raise_damaged(share_.table, column_.column, "is not encoded as the plan says");
    if (nullable_) {
      bitmap_.append(chunk.validity, chunk.length);
    } else if (chunk.validity != nullptr) {
      raise_damaged(share_.table, column_.column, "holds nulls that its statistics exclude");
    }
    const bool other_base = chunk.base != column_.base;
    if (chunk.encoding.form == Form::kConstant && other_base) raise_damaged(share_.table, column_.column, "is not constant");
    if (chunk.encoding.form == Form::kNarrowed && other_base) {
      upload_rebased(chunk);
    } else if (chunk.encoding.width > 0) {
      upload(chunk.values, chunk.length);
    }
    rows_ += chunk.length;
  }

  std::shared_ptr<const ResidentColumn> finish() {
    if (nullable_) runtime_.upload(resident_->address.validity, bitmap_.words(), validity_bytes_);
    return resident_;
  }

 private:
  void upload(const void* values, std::int64_t rows) {
    const std::int64_t width = column_.encoding.width;
    runtime_.upload(resident_->address.values + static_cast<DeviceAddress>(rows_ * width), values, rows * width);
  }

  void upload_rebased(const Column& chunk) {
    switch (chunk.encoding.width) {
      case 1:
        return upload_rebased_as<std::uint8_t>(chunk);
      case 2:
        return upload_rebased_as<std::uint16_t>(chunk);
      default:
        return upload_rebased_as<std::uint32_t>(chunk);
    }
  }

  template <class Stored>
  void upload_rebased_as(const Column& chunk) {
    const auto* values = static_cast<const Stored*>(chunk.values);
    std::vector<Stored> moved(static_cast<std::size_t>(chunk.length));
    for (std::int64_t row = 0; row < chunk.length; ++row) {
      const int128 value = int128{chunk.base} - column_.base + values[row];
      const auto stored = static_cast<Stored>(value);
      if (value != stored && chunk.valid(row))
        raise_damaged(share_.table, column_.column, "holds values outside of its bounds");
      moved[static_cast<std::size_t>(row)] = stored;
    }
    upload(moved.data(), chunk.length);
  }

  DeviceRuntime& runtime_;
  const ScanShare& share_;
  const ScanColumn& column_;
  const bool nullable_;
  BitmapBuilder bitmap_;
  std::shared_ptr<ResidentColumn> resident_;
  std::int64_t validity_bytes_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace

Residency::Columns Residency::acquire(DeviceRuntime& runtime, const ScanShare& share, MemoryPool& pool,
                                      const Cancellation& cancellation) {
  const std::int64_t chunks = share.table.chunk_count(share.rank, share.ranks);
  Columns columns;
  std::vector<Key> keys;
  std::vector<std::size_t> missing;
  for (const ScanColumn& column : share.scan.columns) {
    const bool nullable = share.slots.at(static_cast<std::size_t>(column.slot)).nullable;
    keys.push_back({&runtime, share.table.name(), share.table.version(), share.table.row_count(), column.column, share.rank,
                    share.ranks, nullable});
    columns.push_back(find(keys.back()));
    if (!columns.back()) missing.push_back(columns.size() - 1);
  }
  if (missing.empty()) return columns;

  std::int64_t rows = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) rows += share.table.chunk_rows(share.rank, share.ranks, chunk);
  std::vector<ColumnLoad> loads;
  std::vector<int> numbers;
  for (const std::size_t i : missing) {
    loads.emplace_back(runtime, *this, share, share.scan.columns[i], rows);
    numbers.push_back(share.scan.columns[i].column);
  }
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    cancellation.check();
    const std::vector<Column> loaded = share.table.load(share.rank, share.ranks, chunk, numbers, pool);
    for (std::size_t i = 0; i < loads.size(); ++i) loads[i].append(loaded[i]);
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    columns[missing[i]] = loads[i].finish();
    keep(keys[missing[i]], columns[missing[i]]);
  }
  return columns;
}

DeviceMemory Residency::allocate(DeviceRuntime& runtime, std::int64_t bytes) {
  for (;;) {
    try {
      return {runtime, bytes};
    } catch (const Error& error) {
      if (error.sqlstate() != sqlstate::kOutOfMemory || !evict_one(runtime)) throw;
    }
  }
}

void Residency::forget(const DeviceRuntime& runtime) {
  const std::lock_guard lock(mutex_);
  entries_.remove_if([&](const Entry& entry) { return entry.key.runtime == &runtime; });
}

std::int64_t Residency::bytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.column->values.bytes() + entry.column->validity.bytes();
  return bytes;
}

std::shared_ptr<const ResidentColumn> Residency::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!(entry->key == key)) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front().column;
  }
  return nullptr;
}

void Residency::keep(Key key, std::shared_ptr<const ResidentColumn> column) {
  const std::lock_guard lock(mutex_);
  entries_.push_front({std::move(key), std::move(column)});
}

// Only the runtime's own thread frees its memory: columns of other runtimes stay.
bool Residency::evict_one(const DeviceRuntime& runtime) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.end(); entry != entries_.begin();) {
    --entry;
    if (entry->key.runtime != &runtime || entry->column.use_count() > 1) continue;
    entries_.erase(entry);
    return true;
  }
  return false;
}

}  // namespace saccade::gpu
