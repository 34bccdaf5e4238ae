// Morsels of rows in memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "execution/cpu/morsels.hpp"

namespace saccade::cpu {

// Rows in memory, of one or several chunks: those of earlier pipelines, or one row without columns.
class RowSource : public MorselSource {
 public:
  // `memory`: what the columns point to, where nobody else keeps it.
  void add(std::int64_t rows, std::vector<SourceColumn> columns, std::vector<std::shared_ptr<const Buffer>> memory = {}) {
    auto chunk = std::make_shared<Chunk>();
    chunk->rows = rows;
    chunk->sources = std::move(columns);
    chunk->memory = std::move(memory);
    chunks_.push_back(std::move(chunk));
    first_morsels_.push_back(morsels_);
    morsels_ += (rows + kMorselRows - 1) / kMorselRows;
  }

  bool next(Morsel& morsel) override {
    const std::int64_t number = next_.fetch_add(1);
    if (number >= morsels_) return false;
    // The last chunk that starts at or before it: an empty one shares its start with the next.
    const auto after = std::upper_bound(first_morsels_.begin(), first_morsels_.end(), number);
    const auto chunk = static_cast<std::size_t>(after - first_morsels_.begin()) - 1;
    const std::int64_t begin = (number - first_morsels_[chunk]) * kMorselRows;
    morsel = {chunks_[chunk], {static_cast<std::int64_t>(chunk), begin}, std::min(kMorselRows, chunks_[chunk]->rows - begin)};
    return true;
  }

  std::int64_t useful_workers() const override { return morsels_; }

 private:
  std::vector<std::shared_ptr<const Chunk>> chunks_;
  std::vector<std::int64_t> first_morsels_;  // by chunk
  std::int64_t morsels_ = 0;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace saccade::cpu
