// Sort and top-N. Workers collect key parts and output columns; with a limit each keeps little more than the rows that can
// still be among the first. At the end the rows are ordered in parallel: runs are sorted, then merged pair by pair, and only
// the rows asked for are put out.
#include <mutex>

#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/row_buffer.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kRunRows = 1 << 16;
constexpr std::int64_t kTaskRows = 1 << 15;
constexpr std::int64_t kLargestHeap = 1 << 20;  // a limit beyond this is sorted like all rows

// A row with its first key part beside it: most comparisons need no more.
struct SortEntry {
  std::int64_t first;
  std::int64_t row;
};

class SortSink : public Sink {
 public:
  SortSink(const physical::Sort& sort, PipelineRun& run) : run_(run), sort_(sort) {
    SACCADE_CHECK(sort.offset >= 0 && (!sort.limit || *sort.limit >= 0));
    for (const physical::Node& key : sort.keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64);
      keys_.push_back(run.program.add(key));
      columns_.push_back({Lane::kInt64, false});
    }
    for (const int slot : sort.output) columns_.push_back({run.program.slot(slot).lane, run.program.slot(slot).nullable});
    if (sort.limit && *sort.limit <= INT64_MAX - sort.offset) wanted_ = sort.offset + *sort.limit;
    for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns_, run.memory()));
    thresholds_.resize(buffers_.size());
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const int key : keys_) run_.program.mark_slots(key, slots);
    for (const int slot : sort_.output) slots[static_cast<std::size_t>(slot)] = true;
  }

  void consume(int worker, Batch& batch, const MorselPlace& place) override {
    const auto w = static_cast<std::size_t>(worker);
    std::vector<Vector> vectors;
    for (const int key : keys_) vectors.push_back(batch.evaluate_dense(key));
    if (thresholds_[w] && !keep_candidates(batch, vectors, *thresholds_[w])) return;
    for (const int slot : sort_.output) vectors.push_back(batch.dense(batch.slot(slot)));
    buffers_[w]->append(vectors, batch.count(), place);
    if (keys_.empty()) {
      collected_ += batch.count();
    } else if (wanted_ <= kLargestHeap && buffers_[w]->rows() > 2 * wanted_ + 8 * kBatchRows) {
      prune(w);
    }
  }

  bool satisfied() const override { return keys_.empty() && collected_ >= wanted_; }

  std::shared_ptr<PipelineOutput> finish() override {
    RowSet all = concatenate(buffers_, run_);
    const std::unique_ptr<Buffer> order = sorted(all);
    if (run_.state.query.settings.verify) verify(all, order->as<SortEntry>());
    RowSet rows = put_out(all, order->as<SortEntry>());
    rows_out_ = rows.rows;
    return std::make_shared<HostRows>(std::move(rows));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  // Orders entries by the key parts of `all`; ties in the source's order.
  struct Less {
    std::vector<const std::int64_t*> parts;
    bool operator()(const SortEntry& a, const SortEntry& b) const {
      if (a.first != b.first) return a.first < b.first;
      for (std::size_t p = 1; p < parts.size(); ++p) {
        if (parts[p][a.row] != parts[p][b.row]) return parts[p][a.row] < parts[p][b.row];
      }
      return a.row < b.row;
    }
  };

  Less less_of(const RowSet& rows) const {
    Less less;
    for (std::size_t k = 0; k < keys_.size(); ++k) less.parts.push_back(rows.columns[k].as<std::int64_t>());
    return less;
  }

  // Drops rows whose first key part is beyond the worst that is still wanted.
  bool keep_candidates(Batch& batch, std::vector<Vector>& keys, std::int64_t threshold) const {
    const auto* first = keys[0].as<std::int64_t>();
    auto* positions = batch.arena().allocate<std::uint32_t>(batch.count());
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < batch.count(); ++i) {
      positions[n] = static_cast<std::uint32_t>(i);
      n += first[i] <= threshold ? 1 : 0;
    }
    if (n == batch.count()) return true;
    if (n == 0) return false;
    std::vector<bool> live(run_.program.slot_count(), false);
    mark_slots(live);
    batch.select(positions, n, live);
    for (std::size_t k = 0; k < keys_.size(); ++k) keys[k] = batch.evaluate_dense(keys_[k]);
    return true;
  }

  // Leaves a worker the rows that can still be wanted.
  void prune(std::size_t worker) {
    std::vector<std::unique_ptr<RowBuffer>> one;
    one.push_back(std::move(buffers_[worker]));
    const RowSet all = gather_buffer(*one[0]);
    std::vector<SortEntry> entries(static_cast<std::size_t>(all.rows));
    const auto* first = all.columns[0].as<std::int64_t>();
    for (std::int64_t i = 0; i < all.rows; ++i) entries[static_cast<std::size_t>(i)] = {first[i], i};
    const Less less = less_of(all);
    buffers_[worker] = std::make_unique<RowBuffer>(columns_, run_.memory());
    if (wanted_ == 0) return;
    std::nth_element(entries.begin(), entries.begin() + wanted_ - 1, entries.end(), less);
    thresholds_[worker] = entries[static_cast<std::size_t>(wanted_) - 1].first;
    keep_first(all, entries, *buffers_[worker]);
  }

  // A worker's rows side by side.
  RowSet gather_buffer(const RowBuffer& buffer) const {
    RowSet rows;
    rows.rows = buffer.rows();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const ColumnStorage storage = allocate_column(columns_[c], rows.rows, run_.memory());
      buffer.copy(c, 0, rows.rows, storage.values->data(),
                  storage.valid == nullptr ? nullptr : storage.valid->as<std::uint8_t>());
      rows.columns.push_back(storage.column(columns_[c].lane));
    }
    return rows;
  }

  void keep_first(const RowSet& all, const std::vector<SortEntry>& entries, RowBuffer& to) const {
    Arena arena(run_.memory());
    std::vector<std::int64_t> places(static_cast<std::size_t>(wanted_));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = entries[i].row;
    std::vector<Vector> vectors;
    for (const LaneColumn& column : all.columns) vectors.push_back(gather_rows(column, places.data(), wanted_, arena));
    to.append(vectors, wanted_, {});
  }

  static Vector gather_rows(const LaneColumn& column, const std::int64_t* places, std::int64_t n, Arena& arena) {
    const VectorKernels& k = kernels().vector;
    const int width = lane_bytes(column.lane);
    auto* values = arena.allocate<std::byte>(n * width);
    (width == 1 ? k.gather1_far : width == 8 ? k.gather8_far : k.gather16_far)(column.values->data(), places, values, n);
    if (column.valid == nullptr) return {column.lane, false, values, nullptr};
    auto* valid = arena.allocate<std::uint8_t>(n);
    k.gather1_far(column.valid->data(), places, valid, n);
    return {column.lane, false, values, valid};
  }

  // The rows' order: only the first `wanted_` entries count.
  std::unique_ptr<Buffer> sorted(const RowSet& all) const {
    auto order = Buffer::allocate(all.rows * static_cast<std::int64_t>(sizeof(SortEntry)), run_.memory());
    auto* entries = order->as<SortEntry>();
    const auto* first = keys_.empty() ? nullptr : all.columns[0].as<std::int64_t>();
    for (std::int64_t i = 0; i < all.rows; ++i) entries[i] = {first == nullptr ? 0 : first[i], i};
    if (keys_.empty()) return order;
    const Less less = less_of(all);
    run_.for_each_range(all.rows, kRunRows,
                        [&](std::int64_t begin, std::int64_t end) { std::sort(entries + begin, entries + end, less); });
    if (all.rows <= kRunRows) return order;
    auto spare = Buffer::allocate(order->size(), run_.memory());
    for (std::int64_t width = kRunRows; width < all.rows; width *= 2) {
      merge_runs(order->as<SortEntry>(), spare->as<SortEntry>(), all.rows, width, less);
      std::swap(order, spare);
    }
    return order;
  }

  // Merges neighbouring runs of `width` rows, each pair in slices of kTaskRows that workers find by themselves: slice i of the
  // merged run begins where binary search splits the pair so that i * kTaskRows rows lie before it.
  void merge_runs(const SortEntry* from, SortEntry* to, std::int64_t rows, std::int64_t width, const Less& less) const {
    run_.for_each_range(rows, kTaskRows, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t start = begin / (2 * width) * (2 * width);
      const SortEntry* a = from + start;
      const std::int64_t a_rows = std::min(width, rows - start);
      const SortEntry* b = a + a_rows;
      const std::int64_t b_rows = std::min(width, rows - start - a_rows);
      const std::int64_t a_begin = split(a, a_rows, b, b_rows, begin - start, less);
      const std::int64_t a_end = split(a, a_rows, b, b_rows, end - start, less);
      std::merge(a + a_begin, a + a_end, b + (begin - start - a_begin), b + (end - start - a_end), to + begin, less);
    });
  }

  // How many of the first `n` merged entries come from `a`.
  static std::int64_t split(const SortEntry* a, std::int64_t a_rows, const SortEntry* b, std::int64_t b_rows, std::int64_t n,
                            const Less& less) {
    std::int64_t low = std::max<std::int64_t>(0, n - b_rows);
    std::int64_t high = std::min(n, a_rows);
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (less(a[middle], b[n - middle - 1])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void verify(const RowSet& all, const SortEntry* entries) const {
    if (keys_.empty()) return;
    const Less less = less_of(all);
    for (std::int64_t i = 1; i < all.rows; ++i) SACCADE_CHECK(less(entries[i - 1], entries[i]));
  }

  RowSet put_out(const RowSet& all, const SortEntry* entries) const {
    const std::int64_t begin = std::min(sort_.offset, all.rows);
    const std::int64_t count = std::min(all.rows, wanted_) - begin;
    RowSet rows;
    rows.rows = count;
    for (std::size_t c = keys_.size(); c < columns_.size(); ++c) {
      const LaneColumn& from = all.columns[c];
      const std::int64_t width = lane_bytes(from.lane);
      const ColumnStorage storage = allocate_column(columns_[c], count, run_.memory());
      run_.for_each_range(count, kTaskRows, [&](std::int64_t first, std::int64_t last) {
        Arena arena(run_.memory());
        auto* places = arena.allocate<std::int64_t>(last - first);
        for (std::int64_t i = first; i < last; ++i) places[i - first] = entries[begin + i].row;
        const Vector part = gather_rows(from, places, last - first, arena);
        std::copy_n(part.as<std::byte>(), (last - first) * width, storage.values->data() + first * width);
        if (storage.valid != nullptr) std::copy_n(part.valid, last - first, storage.valid->as<std::uint8_t>() + first);
      });
      rows.columns.push_back(storage.column(from.lane));
    }
    return rows;
  }

  const PipelineRun& run_;
  const physical::Sort& sort_;
  std::int64_t wanted_ = INT64_MAX;  // rows from the first on
  std::vector<int> keys_;
  std::vector<CollectedColumn> columns_;  // key parts, then output
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  std::vector<std::optional<std::int64_t>> thresholds_;  // by worker: first key part of the last row wanted so far
  std::atomic<std::int64_t> collected_{0};
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_sort(const physical::Sort& sort, PipelineRun& run) {
  return std::make_unique<SortSink>(sort, run);
}

}  // namespace saccade::cpu
