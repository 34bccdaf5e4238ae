// Rows that sinks collect: per worker in blocks that never move, then put together in the source's order.
//
// A RowBuffer is filled by one worker. concatenate() reads all buffers once every worker is done.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/row_set.hpp"
#include "execution/cpu/morsels.hpp"

namespace saccade::cpu {

struct CollectedColumn {
  Lane lane = Lane::kInt64;
  bool nullable = false;
  bool permanent = false;  // of text: the strings outlive the query's rows already and are not copied
};

class RowBuffer {
 public:
  struct Block {
    std::int64_t rows = 0;
    std::int64_t capacity = 0;
    std::vector<std::unique_ptr<Buffer>> values;
    std::vector<std::unique_ptr<Buffer>> valid;  // null: not nullable
  };
  // Consecutive rows of one morsel.
  struct Segment {
    MorselPlace place;
    std::int64_t begin = 0;  // row of this buffer
    std::int64_t rows = 0;
  };

  RowBuffer(std::vector<CollectedColumn> columns, const PipelineRun& run);

  // Appends n rows; dense vectors, as many as there are columns. Strings are copied where their column says so, unless they are
  // `kept` by an earlier append. Errors: 53200.
  void append(std::span<const Vector> vectors, std::int64_t n, const MorselPlace& place, bool kept = false);

  std::int64_t rows() const { return rows_; }
  const std::vector<CollectedColumn>& columns() const { return columns_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Segment>& segments() const { return segments_; }
  // Copies rows [begin, begin + n) of one column; `valid` may be null.
  void copy(std::size_t column, std::int64_t begin, std::int64_t n, std::byte* values, std::uint8_t* valid) const;
  void clear();
  // Frees one column's memory: what is left of the buffer must not read it.
  void drop_column(std::size_t column);

 private:
  Block& writable_block();
  void keep_texts(Block& block, std::size_t column, std::int64_t begin, std::int64_t n);

  std::vector<CollectedColumn> columns_;
  const PipelineRun* run_;
  TextArena* texts_ = nullptr;  // of the query's store, once it is needed
  std::int64_t rows_ = 0;
  std::vector<Block> blocks_;
  std::vector<Segment> segments_;
};

// The column for a slot's values.
CollectedColumn collected_column(const PipelineRun& run, int slot);

// All rows in the source's order; nullable columns always get a validity array. The buffers are emptied.
RowSet concatenate(std::vector<std::unique_ptr<RowBuffer>>& buffers, const PipelineRun& run);

// Column storage of `rows` rows.
struct ColumnStorage {
  std::shared_ptr<Buffer> values, valid;
  LaneColumn column(Lane lane) const { return {lane, values, valid}; }
};
ColumnStorage allocate_column(const CollectedColumn& column, std::int64_t rows, MemoryPool& pool);

}  // namespace saccade::cpu
