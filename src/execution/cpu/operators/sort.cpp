// Sort and top-N. Workers collect key parts and output columns; with a limit each keeps little more than the rows that can
// still be among the first. At the end all rows are ordered by radix sort, and those asked for are put out.
#include <atomic>
#include <cstring>

#include "common/error.hpp"
#include "execution/cpu/operators/operator.hpp"
#include "execution/cpu/radix_sort.hpp"
#include "execution/cpu/row_buffer.hpp"
#include "execution/cpu/text_order.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kTaskRows = 1 << 15;
constexpr std::int64_t kLargestTop = 1 << 18;  // a window that ends beyond this is sorted like all rows

// The first key part of a row.
struct Threshold {
  std::int64_t integer = 0;
  TextValue text;
};

// A key part: an int64, or a string. What is in text and descending is turned round here; the planner has done it for the rest.
struct SortPart {
  int expression = -1;
  Lane lane = Lane::kInt64;
  bool descending = false;

  bool less(const void* values, std::int64_t a, std::int64_t b) const {
    if (lane == Lane::kInt64) return static_cast<const std::int64_t*>(values)[a] < static_cast<const std::int64_t*>(values)[b];
    const auto* texts = static_cast<const TextValue*>(values);
    return descending ? texts[b].view() < texts[a].view() : texts[a].view() < texts[b].view();
  }
  // Whether row `i` of a batch is not behind the threshold.
  bool reaches(const Vector& values, std::int64_t i, const Threshold& threshold) const {
    if (lane == Lane::kInt64) return values.as<std::int64_t>()[i] <= threshold.integer;
    const std::string_view text = values.as<TextValue>()[i].view(), last = threshold.text.view();
    return descending ? text >= last : text <= last;
  }
};

// Orders row numbers by key parts; ties in the rows' own order.
struct RowLess {
  const std::vector<SortPart>* keys;
  std::vector<const void*> parts;
  bool operator()(std::int64_t a, std::int64_t b) const {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const SortPart& key = (*keys)[k];
      if (key.less(parts[k], a, b)) return true;
      if (key.less(parts[k], b, a)) return false;
    }
    return a < b;
  }
};

Vector gather_rows(const LaneColumn& column, const std::int64_t* places, std::int64_t n, Arena& arena) {
  const VectorKernels& k = kernels().vector;
  const int width = lane_bytes(column.lane);
  auto* values = arena.allocate<std::byte>(n * width);
  (width == 1 ? k.gather1_far : width == 8 ? k.gather8_far : k.gather16_far)(column.values->data(), places, values, n);
  if (column.valid == nullptr) return {column.lane, false, values, nullptr};
  auto* valid = arena.allocate<std::uint8_t>(n);
  k.gather1_far(column.valid->data(), places, valid, n);
  return {column.lane, false, values, valid};
}

class SortSink : public Sink {
 public:
  SortSink(const physical::Sort& sort, PipelineRun& run) : run_(run), sort_(sort) {
    SACCADE_CHECK(sort.offset >= 0 && (!sort.limit || *sort.limit >= 0));
    for (const physical::Node& key : sort.keys) {
      SACCADE_CHECK(key.lane == Lane::kInt64 || key.lane == Lane::kText);
      const bool descending = key.kind == physical::NodeKind::kTextCall && key.text_function == TextFunctionId::descending_text;
      const int expression = run.program.add(descending ? key.arguments[0] : key);
      keys_.push_back({expression, key.lane, descending});
      columns_.push_back({key.lane, false, key.lane == Lane::kText && run.program.is_permanent_text(expression)});
    }
    for (const int slot : sort.output) columns_.push_back(collected_column(run, slot));
    if (sort.limit && *sort.limit <= INT64_MAX - sort.offset) wanted_ = sort.offset + *sort.limit;
    for (int w = 0; w < run.threads; ++w) buffers_.push_back(std::make_unique<RowBuffer>(columns_, run));
    thresholds_.resize(buffers_.size());
  }

  void mark_slots(std::vector<bool>& slots) const override {
    for (const SortPart& key : keys_) run_.program.mark_slots(key.expression, slots);
    for (const int slot : sort_.output) slots[static_cast<std::size_t>(slot)] = true;
  }

  void consume(int worker, Batch& batch, const MorselPlace& place) override {
    const auto w = static_cast<std::size_t>(worker);
    if (thresholds_[w] && !keep_candidates(batch, *thresholds_[w])) return;
    std::vector<Vector> vectors;
    for (const SortPart& key : keys_) vectors.push_back(key_vector(batch, key));
    for (const int slot : sort_.output) vectors.push_back(batch.dense(batch.slot(slot)));
    buffers_[w]->append(vectors, batch.count(), place);
    if (keys_.empty()) {
      collected_ += batch.count();
    } else if (wanted_ > 0 && wanted_ <= kLargestTop && buffers_[w]->rows() > 2 * wanted_ + 8 * kBatchRows) {
      prune(w);
    }
  }

  bool satisfied() const override { return wanted_ == 0 || (keys_.empty() && collected_ >= wanted_); }

  std::shared_ptr<PipelineOutput> finish() override {
    RowSet all = concatenate(buffers_, run_);
    std::vector<const std::int64_t*> parts;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (keys_[k].lane == Lane::kText) {
        all.columns[k] = rank_texts(all.columns[k], all.rows, keys_[k].descending, run_);
        keys_[k] = {keys_[k].expression, Lane::kInt64, false};
      }
      parts.push_back(all.columns[k].as<std::int64_t>());
    }
    const RowLess less = less_of(all);
    const std::unique_ptr<Buffer> order = sorted_rows(parts, all.rows, run_);
    const auto* entries = order->as<SortEntry>();
    if (run_.state.query.settings.verify) {
      for (std::int64_t i = 1; i < all.rows; ++i) SACCADE_CHECK(less(entries[i - 1].row, entries[i].row));
    }
    RowSet rows = put_out(all, entries);
    rows_out_ = rows.rows;
    return std::make_shared<HostRows>(std::move(rows));
  }

  std::int64_t rows_out() const override { return rows_out_; }

 private:
  RowLess less_of(const RowSet& rows) const {
    RowLess less{&keys_, {}};
    for (std::size_t k = 0; k < keys_.size(); ++k) less.parts.push_back(rows.columns[k].values->data());
    return less;
  }

  static Vector key_vector(Batch& batch, const SortPart& key) {
    if (key.lane == Lane::kInt64) return {Lane::kInt64, false, batch.key_part(key.expression), nullptr};
    const Vector text = batch.evaluate_dense(key.expression);
    SACCADE_CHECK(text.valid == nullptr || std::memchr(text.valid, 0, static_cast<std::size_t>(batch.count())) == nullptr);
    return {Lane::kText, false, text.values, nullptr};
  }

  // Drops rows whose first key part is beyond the worst that is still wanted. False where none is left.
  bool keep_candidates(Batch& batch, const Threshold& threshold) const {
    const Vector first = key_vector(batch, keys_[0]);
    auto* positions = batch.arena().allocate<std::uint32_t>(batch.count());
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < batch.count(); ++i) {
      positions[n] = static_cast<std::uint32_t>(i);
      n += keys_[0].reaches(first, i, threshold) ? 1 : 0;
    }
    if (n == 0 || n == batch.count()) return n > 0;
    std::vector<bool> live(run_.program.slot_count(), false);
    mark_slots(live);
    batch.select(positions, n, live);
    return true;
  }

  // Leaves a worker the rows that can still be wanted.
  void prune(std::size_t worker) {
    const RowSet all = copied(*buffers_[worker]);
    const auto order = Buffer::allocate(all.rows * 8, run_.memory());
    auto* rows = order->as<std::int64_t>();
    for (std::int64_t i = 0; i < all.rows; ++i) rows[i] = i;
    std::nth_element(rows, rows + wanted_ - 1, rows + all.rows, less_of(all));
    const std::int64_t last = rows[wanted_ - 1];
    thresholds_[worker] = keys_[0].lane == Lane::kText ? Threshold{0, all.columns[0].as<TextValue>()[last]}
                                                       : Threshold{all.columns[0].as<std::int64_t>()[last], {}};
    Arena arena(run_.memory());
    std::vector<Vector> vectors;
    for (const LaneColumn& column : all.columns) vectors.push_back(gather_rows(column, rows, wanted_, arena));
    buffers_[worker]->clear();
    buffers_[worker]->append(vectors, wanted_, {}, true);
  }

  // A worker's rows side by side.
  RowSet copied(const RowBuffer& buffer) const {
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

  RowSet put_out(const RowSet& all, const SortEntry* entries) const {
    const std::int64_t begin = std::min(sort_.offset, all.rows);
    RowSet rows;
    rows.rows = std::min(all.rows, wanted_) - begin;
    for (std::size_t c = keys_.size(); c < columns_.size(); ++c) {
      const LaneColumn& from = all.columns[c];
      const std::int64_t width = lane_bytes(from.lane);
      const ColumnStorage storage = allocate_column(columns_[c], rows.rows, run_.memory());
      run_.for_each_range(rows.rows, kTaskRows, [&](std::int64_t first, std::int64_t last) {
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
  std::vector<SortPart> keys_;
  std::vector<CollectedColumn> columns_;  // key parts, then output
  std::vector<std::unique_ptr<RowBuffer>> buffers_;
  std::vector<std::optional<Threshold>> thresholds_;  // by worker: first key part of the last row wanted so far
  std::atomic<std::int64_t> collected_{0};
  std::int64_t rows_out_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_sort(const physical::Sort& sort, PipelineRun& run) {
  return std::make_unique<SortSink>(sort, run);
}

}  // namespace saccade::cpu
