// Rows in flight through the steps of a pipeline: a window of the source, a selection of its rows, and what was computed for
// them. Slots are filled when they are first read: columns are decoded, payloads of joins gathered, only for the rows left.
//
// One worker owns a batch and its arena. A batch made with part() sees some rows of its parent, which it must not outlive.
#pragma once

#include <span>
#include <vector>

#include "data/row_set.hpp"
#include "execution/cpu/arena.hpp"
#include "execution/cpu/kernels/kernels.hpp"
#include "execution/cpu/program.hpp"

namespace saccade::cpu {

// A column of the source: an encoded column of a chunk, or a column of an earlier pipeline's output.
struct SourceColumn {
  int slot = -1;
  Lane lane = Lane::kInt64;
  Encoding encoding;
  std::int64_t base = 0;
  const void* values = nullptr;
  const std::uint64_t* valid_bits = nullptr;
  const std::uint8_t* valid_bytes = nullptr;
  const std::byte* heap = nullptr;  // of plain text in a chunk: what offsets count from; null: values are TextValues
  int bytes() const { return encoding.form == Form::kConstant ? 0 : encoding.width; }
};

SourceColumn source_column(int slot, const Column& column);
SourceColumn source_column(int slot, const LaneColumn& column);

class Batch {
 public:
  Batch(const Program& program, Arena& arena) : program_(&program), arena_(&arena) {
    slots_.resize(program.slot_count());
    results_.resize(program.size());
  }

  // Starts over with rows begin .. begin + count - 1 of the source. Everything in the arena must be free.
  void reset(std::span<const SourceColumn> columns, std::int64_t begin, std::int64_t count);

  std::int64_t count() const { return count_; }
  Arena& arena() { return *arena_; }
  const Program& program() const { return *program_; }

  // The values of a slot or expression for all rows of the batch. An expression that can fail raises its SQL error.
  // Lives until the arena is released; kept until rows change.
  Vector slot(int slot);
  Vector evaluate(int expression);
  // The same with a value for each row.
  Vector evaluate_dense(int expression) { return dense(evaluate(expression)); }
  Vector dense(const Vector& vector);
  // A part of a key for each row. XX000 where one is null.
  const std::int64_t* key_part(int expression);

  // Where a slot still is an encoded column of the source: the column and the rows of this batch in it.
  struct EncodedRows {
    const SourceColumn* column = nullptr;
    std::int64_t begin = 0;
    const std::uint32_t* rows = nullptr;  // relative to begin; null: consecutive
  };
  EncodedRows encoded(int slot);

  // Fills a slot.
  void set_slot(int slot, const Vector& vector);
  // Slots that are columns of a join build's rows, gathered when they are read. `rows` lives in the arena.
  void set_payload(std::span<const LaneColumn> columns, std::span<const int> slots, const std::int64_t* rows);

  // Keeps the rows at these positions, in this order (repeats are allowed); slots that are not in `live` are forgotten.
  // `mask`: where positions are those of a mask over the rows, that mask, in the arena; else null.
  void select(const std::uint32_t* positions, std::int64_t n, const std::vector<bool>& live,
              const std::uint8_t* mask = nullptr);

  // The rows at these positions as a batch of their own.
  Batch part(const std::uint32_t* positions, std::int64_t n);

  // Bytes of encoded columns read so far.
  std::int64_t bytes_touched() const { return bytes_touched_; }

 private:
  enum class State : std::uint8_t { kEmpty, kReady, kSource, kPayload };
  struct SlotState {
    State state = State::kEmpty;
    int source = -1;                      // kSource: index into columns_
    const LaneColumn* payload = nullptr;  // kPayload
    int payload_rows = -1;                // kPayload: index into payload_rows_
    bool counted = false;                 // its bytes are in bytes_touched_
    Vector vector;                        // kReady
  };
  struct Cached {
    Vector vector;
    bool ready = false;
  };

  Vector decode(const SourceColumn& column);
  const TextValue* decode_text(const SourceColumn& column);
  Vector gather(const Vector& vector, const std::uint32_t* positions, std::int64_t n);
  Vector gather_payload(const LaneColumn& column, const std::int64_t* rows);
  void count_bytes(SlotState& state);
  void forget_results();
  // evaluate.cpp
  Vector compute(const ExpressionNode& node);
  Vector call(const ExpressionNode& node);
  Vector logical(const ExpressionNode& node);
  Vector logical_not(const ExpressionNode& node);
  Vector is_null(const ExpressionNode& node);
  Vector conditional(const ExpressionNode& node);
  Vector or_else(const ExpressionNode& node);
  Vector lookup(const ExpressionNode& node);
  // evaluate_text.cpp
  Vector dictionary_text(const ExpressionNode& node);
  Vector intern(const ExpressionNode& node);
  Vector text_of_key(const ExpressionNode& node);
  Vector text_call(const ExpressionNode& node);

  const Program* program_;
  Arena* arena_;
  std::int64_t count_ = 0;
  std::span<const SourceColumn> columns_;
  std::int64_t begin_ = 0;
  const std::uint32_t* selection_ = nullptr;      // of the source's rows, relative to begin_; null: consecutive
  const std::uint8_t* selection_mask_ = nullptr;  // the same as a mask over rows begin_ .. begin_ + window_, where known
  std::int64_t window_ = 0;
  std::vector<SlotState> slots_;
  std::vector<Cached> results_;
  std::vector<const std::int64_t*> payload_rows_;
  std::vector<bool> payload_used_;  // scratch of select()
  Batch* parent_ = nullptr;         // of a part()
  const std::uint32_t* parent_positions_ = nullptr;
  std::int64_t bytes_touched_ = 0;
};

}  // namespace saccade::cpu
