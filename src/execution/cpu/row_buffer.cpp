#include "execution/cpu/row_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"

namespace saccade::cpu {
namespace {

constexpr std::int64_t kSmallestBlock = kBatchRows;
constexpr std::int64_t kLargestBlock = 64 * kBatchRows;

}  // namespace

RowBuffer::RowBuffer(std::vector<CollectedColumn> columns, const PipelineRun& run) : columns_(std::move(columns)), run_(&run) {}

RowBuffer::Block& RowBuffer::writable_block() {
  if (!blocks_.empty() && blocks_.back().rows < blocks_.back().capacity) return blocks_.back();
  Block block;
  block.capacity = blocks_.empty() ? kSmallestBlock : std::min(kLargestBlock, 2 * blocks_.back().capacity);
  for (const CollectedColumn& column : columns_) {
    block.values.push_back(Buffer::allocate(block.capacity * lane_bytes(column.lane), run_->memory()));
    block.valid.push_back(column.nullable ? Buffer::allocate(block.capacity, run_->memory()) : nullptr);
  }
  blocks_.push_back(std::move(block));
  return blocks_.back();
}

void RowBuffer::append(std::span<const Vector> vectors, std::int64_t n, const MorselPlace& place, bool kept) {
  SACCADE_CHECK(vectors.size() == columns_.size());
  if (segments_.empty() || segments_.back().place != place) segments_.push_back({place, rows_, 0});
  segments_.back().rows += n;
  std::int64_t done = 0;
  while (done < n) {
    Block& block = writable_block();
    const std::int64_t count = std::min(n - done, block.capacity - block.rows);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Vector& vector = vectors[c];
      const std::int64_t width = lane_bytes(columns_[c].lane);
      SACCADE_CHECK(vector.lane == columns_[c].lane && !vector.constant);
      std::memcpy(block.values[c]->data() + block.rows * width, vector.as<std::byte>() + done * width,
                  static_cast<std::size_t>(count * width));
      SACCADE_CHECK(columns_[c].nullable || vector.valid == nullptr ||
                    std::memchr(vector.valid + done, 0, static_cast<std::size_t>(count)) == nullptr);
      if (columns_[c].nullable) {
        auto* valid = block.valid[c]->as<std::uint8_t>() + block.rows;
        if (vector.valid == nullptr) {
          std::memset(valid, 1, static_cast<std::size_t>(count));
        } else {
          std::memcpy(valid, vector.valid + done, static_cast<std::size_t>(count));
        }
      }
      if (columns_[c].lane == Lane::kText && !columns_[c].permanent && !kept) keep_texts(block, c, block.rows, count);
    }
    block.rows += count;
    rows_ += count;
    done += count;
  }
}

// Puts copies that live as long as the query's rows in the place of strings that do not.
void RowBuffer::keep_texts(Block& block, std::size_t column, std::int64_t begin, std::int64_t n) {
  if (texts_ == nullptr) texts_ = &run_->program.text_store().add_arena();
  auto* texts = block.values[column]->as<TextValue>();
  const auto* valid = columns_[column].nullable ? block.valid[column]->as<std::uint8_t>() : nullptr;
  for (std::int64_t i = begin; i < begin + n; ++i) {
    const bool present = (valid == nullptr || valid[i] != 0) && texts[i].has_value();
    texts[i] = present ? texts_->copy(texts[i].view()) : TextValue();
  }
}

void RowBuffer::copy(std::size_t column, std::int64_t begin, std::int64_t n, std::byte* values, std::uint8_t* valid) const {
  const std::int64_t width = lane_bytes(columns_[column].lane);
  std::int64_t start = 0;  // of the block
  for (const Block& block : blocks_) {
    if (n == 0) return;
    if (begin < start + block.rows) {
      const std::int64_t within = begin - start;
      const std::int64_t count = std::min(n, block.rows - within);
      std::memcpy(values, block.values[column]->data() + within * width, static_cast<std::size_t>(count * width));
      values += count * width;
      if (valid != nullptr) {
        std::memcpy(valid, block.valid[column]->data() + within, static_cast<std::size_t>(count));
        valid += count;
      }
      begin += count;
      n -= count;
    }
    start += block.rows;
  }
  SACCADE_CHECK(n == 0);
}

void RowBuffer::clear() {
  rows_ = 0;
  blocks_.clear();
  segments_.clear();
}

void RowBuffer::drop_column(std::size_t column) {
  for (Block& block : blocks_) {
    block.values[column].reset();
    block.valid[column].reset();
  }
}

CollectedColumn collected_column(const PipelineRun& run, int slot) {
  const physical::Slot& described = run.program.slot(slot);
  return {described.lane, described.nullable, run.program.is_permanent_slot(slot)};
}

ColumnStorage allocate_column(const CollectedColumn& column, std::int64_t rows, MemoryPool& pool) {
  ColumnStorage storage;
  storage.values = Buffer::allocate(rows * lane_bytes(column.lane), pool);
  if (column.nullable) storage.valid = Buffer::allocate(rows, pool);
  return storage;
}

RowSet concatenate(std::vector<std::unique_ptr<RowBuffer>>& buffers, const PipelineRun& run) {
  struct Piece {
    const RowBuffer* buffer;
    RowBuffer::Segment segment;
    std::int64_t to;
  };
  std::vector<Piece> pieces;
  for (const auto& buffer : buffers) {
    for (const RowBuffer::Segment& segment : buffer->segments()) pieces.push_back({buffer.get(), segment, 0});
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.segment.place < b.segment.place; });
  RowSet result;
  for (Piece& piece : pieces) {
    piece.to = result.rows;
    result.rows += piece.segment.rows;
  }
  const std::vector<CollectedColumn>& columns = buffers.front()->columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnStorage storage = allocate_column(columns[c], result.rows, run.memory());
    run.for_each_task(static_cast<std::int64_t>(pieces.size()), result.rows, [&](std::int64_t p) {
      const Piece& piece = pieces[static_cast<std::size_t>(p)];
      auto* valid = storage.valid == nullptr ? nullptr : storage.valid->as<std::uint8_t>() + piece.to;
      piece.buffer->copy(c, piece.segment.begin, piece.segment.rows,
                         storage.values->data() + piece.to * lane_bytes(columns[c].lane), valid);
    });
    for (const auto& buffer : buffers) buffer->drop_column(c);
    result.columns.push_back(storage.column(columns[c].lane));
  }
  for (const auto& buffer : buffers) buffer->clear();
  return result;
}

}  // namespace saccade::cpu
