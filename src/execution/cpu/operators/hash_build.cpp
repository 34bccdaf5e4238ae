// Join builds by hash, or without keys: rows are put together first, then entered.
#include <atomic>

#include "common/error.hpp"
#include "execution/cpu/operators/build_sink.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 16 * kBatchRows;
constexpr std::int64_t kLargestFilter = 1 << 20;
constexpr std::int64_t kFilterBits = 8;  // for each entry of the table, so at least 16 a row

class HashBuild : public BuildSink {
 public:
  HashBuild(const physical::JoinBuild& build, PipelineRun& run) : BuildSink(build, run) {}

  void consume(int worker, Batch& batch, const MorselPlace& place) override { collect(worker, batch, place); }

  std::shared_ptr<PipelineOutput> finish() override {
    RowSet all = concatenate(buffers_, run_);
    table_->rows = all.rows;
    for (std::size_t c = 0; c < all.columns.size(); ++c) {
      (c < keys_.size() ? table_->keys : table_->payload).push_back(std::move(all.columns[c]));
    }
    if (!keys_.empty()) make_entries();
    finish_table();
    return table_;
  }

 private:
  void make_entries() {
    std::int64_t capacity = 16;
    while (capacity < 2 * table_->rows) capacity *= 2;
    table_->entries = Buffer::allocate_zeroed(capacity * static_cast<std::int64_t>(sizeof(std::uint64_t)), run_.memory());
    table_->entry_mask = static_cast<std::uint64_t>(capacity) - 1;
    if (!table_->unique) {
      table_->next = Buffer::allocate(table_->rows * static_cast<std::int64_t>(sizeof(std::int64_t)), run_.memory());
    }
    if (table_->rows <= kLargestFilter) {
      table_->filter = Buffer::allocate_zeroed(capacity * kFilterBits / 8, run_.memory());
      table_->filter_mask = static_cast<std::uint64_t>(capacity) * kFilterBits - 1;
    }
    run_.for_each_range(table_->rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) { enter_rows(begin, end); });
  }

  void mark_filter(const std::uint64_t* hashes, std::int64_t n) {
    auto* words = table_->filter->as<std::uint64_t>();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t bit = hashes[i] >> kFilterShift & table_->filter_mask;
      std::atomic_ref(words[bit / 64]).fetch_or(std::uint64_t{1} << (bit % 64), std::memory_order_relaxed);
    }
  }

  void enter_rows(std::int64_t begin, std::int64_t end) {
    std::uint64_t hashes[kBatchRows];
    std::vector<const std::int64_t*> parts(keys_.size());
    for (std::int64_t from = begin; from < end; from += kBatchRows) {
      const std::int64_t n = std::min(kBatchRows, end - from);
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = table_->keys[p].as<std::int64_t>() + from;
      kernels().vector.hash(parts.data(), static_cast<int>(parts.size()), hashes, n);
      const auto* entries = table_->entries->as<std::uint64_t>();
      for (std::int64_t i = 0; i < n; ++i) __builtin_prefetch(entries + (hashes[i] & table_->entry_mask), 1);
      for (std::int64_t i = 0; i < n; ++i) enter(hashes[i], from + i);
      if (table_->filter != nullptr) mark_filter(hashes, n);
    }
  }

  // Puts a row into the table: into a free entry, or at the head of the chain of its key. Entries are only ever filled or
  // replaced by a row of the same key, so that a compare-and-swap on one entry is all the locking there is.
  void enter(std::uint64_t hash, std::int64_t row) {
    auto* entries = table_->entries->as<std::uint64_t>();
    const std::uint64_t tag = hash >> kTagShift;
    const std::uint64_t mine = tag << kTagShift | static_cast<std::uint64_t>(row + 1);
    std::uint64_t place = hash & table_->entry_mask;
    while (true) {
      const std::atomic_ref<std::uint64_t> entry(entries[place]);
      std::uint64_t seen = entry.load(std::memory_order_acquire);
      if (seen == 0) {
        if (!table_->unique) set_next(row, -1);
        if (entry.compare_exchange_strong(seen, mine, std::memory_order_acq_rel)) return;
      }
      if (seen >> kTagShift == tag && equal(static_cast<std::int64_t>((seen & kRowMask) - 1), row)) {
        if (build_.distinct) return;
        if (table_->unique) repeated_key();
        do {
          set_next(row, static_cast<std::int64_t>((seen & kRowMask) - 1));
        } while (!entry.compare_exchange_weak(seen, mine, std::memory_order_acq_rel));
        return;
      }
      place = (place + 1) & table_->entry_mask;
    }
  }

  void set_next(std::int64_t row, std::int64_t next) { table_->next->as<std::int64_t>()[row] = next; }

  bool equal(std::int64_t a, std::int64_t b) const {
    return std::all_of(table_->keys.begin(), table_->keys.end(),
                       [&](const LaneColumn& key) { return key.as<std::int64_t>()[a] == key.as<std::int64_t>()[b]; });
  }
};

}  // namespace

std::unique_ptr<Sink> make_hash_build(const physical::JoinBuild& build, PipelineRun& run) {
  return std::make_unique<HashBuild>(build, run);
}

}  // namespace saccade::cpu
