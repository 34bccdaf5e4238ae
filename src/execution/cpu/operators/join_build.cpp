// Join builds. Keys and payload are collected by the workers; a dense build marks its keys in a shared bitmap at once, a hash
// build enters them when all rows are there.
#include <atomic>

#include "common/error.hpp"
#include "execution/cpu/join_table.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 16 * kBatchRows;
constexpr std::int64_t kLargestFilter = 1 << 20;
constexpr std::int64_t kFilterBits = 8;  // for each entry of the table, so at least 16 a row

class BuildSink : public Sink {
 public:
  BuildSink(const physical::JoinBuild& build, PipelineRun& run)
      : run_(run), build_(build), table_(std::make_shared<JoinTable>()) {
    table_->layout = build.layout;
    table_->unique = build.unique || build.layout == physical::JoinBuild::Layout::kDense;
    std::vector<CollectedColumn> columns;
    for (const physical::Node& key : build.keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64);
      keys_.push_back(run.program.add(key));
      columns.push_back({Lane::kInt64, false});
    }
    for (const int slot : build.payload) columns.push_back({run.program.slot(slot).lane, run.program.slot(slot).nullable});
    for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns, run));
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int key : keys_) run_.program.mark_slots(key, slots);
    for (const int slot : build_.payload) slots[static_cast<std::size_t>(slot)] = true;
  }

  std::int64_t rows_out() const override { return table_->rows; }

 protected:
  void collect(int worker, Batch& batch, const MorselPlace& place) {
    std::vector<Vector> vectors;
    for (const int key : keys_) vectors.push_back(batch.evaluate_dense(key));
    for (const int slot : build_.payload) vectors.push_back(batch.dense(batch.slot(slot)));
    buffers_[static_cast<std::size_t>(worker)]->append(vectors, batch.count(), place);
  }

  [[noreturn]] void repeated_key() const {
    SACCADE_CHECK(build_.assumed_column >= 0);
    throw AssumptionFailed(build_.assumed_table, build_.assumed_column);
  }

  const PipelineRun& run_;
  const physical::JoinBuild& build_;
  std::vector<int> keys_;
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  std::shared_ptr<JoinTable> table_;
};

class DenseBuild : public BuildSink {
 public:
  DenseBuild(const physical::JoinBuild& build, PipelineRun& run) : BuildSink(build, run) {
    SACCADE_CHECK(build.keys.size() == 1 && build.key_bounds.low >= INT64_MIN && build.key_bounds.high <= INT64_MAX &&
                  build.key_bounds.low <= build.key_bounds.high);
    table_->low = static_cast<std::int64_t>(build.key_bounds.low);
    table_->extent = static_cast<std::uint64_t>(build.key_bounds.high - build.key_bounds.low);
    word_count_ = static_cast<std::int64_t>(table_->extent / 64) + 1;
    table_->words = Buffer::allocate_zeroed(word_count_ * static_cast<std::int64_t>(sizeof(DenseWord)), run.memory());
  }

  void consume(int worker, Batch& batch, const MorselPlace& place) override {
    const std::int64_t* key = batch.key_part(keys_[0]);
    if (!mark_keys(key, batch.count())) repeated_key();
    if (!build_.payload.empty()) collect(worker, batch, place);
  }

  std::shared_ptr<PipelineOutput> finish() override {
    table_->rows = kernels().vector.count_dense(table_->words->as<DenseWord>(), word_count_);
    place_payload();
    return table_;
  }

 private:
  // Sets the keys' bits; false where one was set before. Bits of a run of keys in one word are set together: keys often come
  // in order.
  bool mark_keys(const std::int64_t* keys, std::int64_t n) {
    auto* words = table_->words->as<DenseWord>();
    std::uint64_t repeated = 0;
    std::int64_t i = 0;
    while (i < n) {
      std::uint64_t place = offset_of(keys[i]);
      SACCADE_CHECK(place <= table_->extent);
      const std::uint64_t number = place / 64;
      std::uint64_t bits = 0;
      do {
        const std::uint64_t bit = std::uint64_t{1} << (place % 64);
        repeated |= bits & bit;
        bits |= bit;
        if (++i == n) break;
        place = offset_of(keys[i]);
      } while (place / 64 == number && place <= table_->extent);
      repeated |= std::atomic_ref(words[number].bits).fetch_or(bits, std::memory_order_relaxed) & bits;
    }
    return repeated == 0;
  }

  std::uint64_t offset_of(std::int64_t key) const {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(table_->low);
  }

  // Copies the payload into the order of the keys.
  void place_payload() {
    std::vector<ColumnStorage> storage;
    for (const int slot_number : build_.payload) {
      const physical::Slot& slot = run_.program.slot(slot_number);
      storage.push_back(allocate_column({slot.lane, slot.nullable}, table_->rows, run_.memory()));
      table_->payload.push_back(storage.back().column(slot.lane));
    }
    std::vector<const RowBuffer::Block*> blocks;
    for (const auto& buffer : buffers_) {
      for (const RowBuffer::Block& block : buffer->blocks()) blocks.push_back(&block);
    }
    run_.for_each_task(static_cast<std::int64_t>(blocks.size()), table_->rows,
                       [&](std::int64_t b) { place_block(*blocks[static_cast<std::size_t>(b)], storage); });
    for (const auto& buffer : buffers_) buffer->clear();
  }

  void place_block(const RowBuffer::Block& block, const std::vector<ColumnStorage>& storage) const {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(block.rows));
    kernels().vector.rank_dense(table_->words->as<DenseWord>(), table_->low, block.values[0]->as<std::int64_t>(), rows.data(),
                                block.rows);
    for (std::size_t c = 0; c < storage.size(); ++c) {
      const Buffer& values = *block.values[c + 1];
      switch (lane_bytes(table_->payload[c].lane)) {
        case 1:
          scatter(values.as<std::uint8_t>(), rows, storage[c].values->as<std::uint8_t>());
          break;
        case 8:
          scatter(values.as<std::uint64_t>(), rows, storage[c].values->as<std::uint64_t>());
          break;
        default:
          scatter(values.as<int128>(), rows, storage[c].values->as<int128>());
      }
      if (storage[c].valid != nullptr) {
        scatter(block.valid[c + 1]->as<std::uint8_t>(), rows, storage[c].valid->as<std::uint8_t>());
      }
    }
  }

  template <class T>
  static void scatter(const T* from, const std::vector<std::int64_t>& rows, T* to) {
    for (std::size_t i = 0; i < rows.size(); ++i) to[rows[i]] = from[i];
  }

  std::int64_t word_count_ = 0;
};

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
    return table_;
  }

 private:
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

std::unique_ptr<Sink> make_join_build(const physical::JoinBuild& build, PipelineRun& run) {
  if (build.layout == physical::JoinBuild::Layout::kAllRows || build.distinct || build.track_matches)
    throw Error(sqlstate::kFeatureNotSupported, "this kind of join is not supported yet");
  if (build.layout == physical::JoinBuild::Layout::kDense) return std::make_unique<DenseBuild>(build, run);
  return std::make_unique<HashBuild>(build, run);
}

}  // namespace saccade::cpu
