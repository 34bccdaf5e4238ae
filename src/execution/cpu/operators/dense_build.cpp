// Join builds over dense keys: the workers mark the keys in a shared bitmap, and the payload is put into their order at the
// end.
#include <atomic>

#include "common/error.hpp"
#include "execution/cpu/operators/build_sink.hpp"

namespace saccade::cpu {
namespace {

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
    if (!mark_keys(key, batch.count()) && !build_.distinct) repeated_key();
    if (!build_.payload.empty()) collect(worker, batch, place);
  }

  std::shared_ptr<PipelineOutput> finish() override {
    table_->rows = kernels().vector.count_dense(table_->words->as<DenseWord>(), word_count_);
    place_payload();
    finish_table();
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

}  // namespace

std::unique_ptr<Sink> make_dense_build(const physical::JoinBuild& build, PipelineRun& run) {
  return std::make_unique<DenseBuild>(build, run);
}

}  // namespace saccade::cpu
