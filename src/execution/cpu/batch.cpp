#include "execution/cpu/batch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/error.hpp"

namespace saccade::cpu {
namespace {

using GatherNear = void (*)(const void*, const std::uint32_t*, void*, std::int64_t);
using GatherFar = void (*)(const void*, const std::int64_t*, void*, std::int64_t);

GatherNear gather_near(Lane lane) {
  const VectorKernels& k = kernels().vector;
  return lane == Lane::kBoolean ? k.gather1 : lane == Lane::kInt128 ? k.gather16 : k.gather8;
}

GatherFar gather_far(Lane lane) {
  const VectorKernels& k = kernels().vector;
  return lane == Lane::kBoolean ? k.gather1_far : lane == Lane::kInt128 ? k.gather16_far : k.gather8_far;
}

template <class T>
void repeat(const void* value, std::int64_t n, void* out) {
  std::fill_n(static_cast<T*>(out), n, *static_cast<const T*>(value));
}

const void* advance(const void* values, std::int64_t bytes) {
  return static_cast<const std::byte*>(values) + bytes;
}

}  // namespace

SourceColumn source_column(int slot, const Column& column) {
  const bool has_base = column.encoding.form == Form::kConstant || column.encoding.form == Form::kNarrowed;
  return {slot, column.lane, column.encoding, has_base ? column.base : 0, column.values, column.validity, nullptr, column.heap};
}

SourceColumn source_column(int slot, const LaneColumn& column) {
  const Encoding plain{Form::kPlain, static_cast<std::uint8_t>(lane_bytes(column.lane))};
  return {slot,
          column.lane,
          plain,
          0,
          column.values->data(),
          nullptr,
          column.valid == nullptr ? nullptr : column.valid->as<std::uint8_t>(),
          nullptr};
}

void Batch::reset(std::span<const SourceColumn> columns, std::int64_t begin, std::int64_t count) {
  columns_ = columns;
  begin_ = begin;
  count_ = count;
  selection_ = nullptr;
  selection_mask_ = nullptr;
  payload_rows_.clear();
  std::fill(slots_.begin(), slots_.end(), SlotState{});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    SlotState& state = slots_[static_cast<std::size_t>(columns[i].slot)];
    state.state = State::kSource;
    state.source = static_cast<int>(i);
  }
  forget_results();
}

void Batch::forget_results() {
  for (Cached& cached : results_) cached.ready = false;
}

Vector Batch::slot(int slot) {
  SlotState& state = slots_[static_cast<std::size_t>(slot)];
  if (state.state == State::kReady) return state.vector;
  if (parent_ != nullptr) {
    state.vector = gather(parent_->slot(slot), parent_positions_, count_);
  } else if (state.state == State::kSource) {
    count_bytes(state);
    state.vector = decode(columns_[static_cast<std::size_t>(state.source)]);
  } else {
    SACCADE_CHECK(state.state == State::kPayload);
    state.vector = gather_payload(*state.payload, payload_rows_[static_cast<std::size_t>(state.payload_rows)]);
  }
  SACCADE_CHECK(state.vector.lane == program_->slot(slot).lane);
  state.state = State::kReady;
  return state.vector;
}

Vector Batch::decode(const SourceColumn& column) {
  const Lane lane = program_->slot(column.slot).lane;
  Vector result{lane, false, nullptr, nullptr};
  if (column.valid_bits != nullptr) {
    auto* valid = arena_->allocate<std::uint8_t>(count_);
    kernels().scan.expand_bits(column.valid_bits, begin_, selection_, valid, count_);
    result.valid = valid;
  } else if (column.valid_bytes != nullptr) {
    result.valid = column.valid_bytes + begin_;
    if (selection_ != nullptr) result = gather({Lane::kBoolean, false, result.valid, result.valid}, selection_, count_);
    result.lane = lane;
  }
  if (column.heap != nullptr) {
    result.values = decode_text(column);
    return result;
  }
  if (column.encoding.form == Form::kPlain && column.lane == lane) {
    const void* values = advance(column.values, begin_ * column.bytes());
    if (selection_ != nullptr) {
      auto* out = arena_->allocate<std::byte>(count_ * lane_bytes(lane));
      gather_near(lane)(values, selection_, out, count_);
      values = out;
    }
    result.values = values;
    return result;
  }
  SACCADE_CHECK(lane != Lane::kFloat64 && column.lane != Lane::kInt128);
  auto* codes = arena_->allocate<std::int64_t>(count_);
  if (column.encoding.form == Form::kConstant) {
    std::fill(codes, codes + count_, column.base);
  } else {
    const auto width = static_cast<std::size_t>(width_index(column.encoding.width));
    const void* from = advance(column.values, begin_ * column.bytes());
    // Reading all rows of the window and dropping some beats picking rows one by one, unless few are left.
    const auto masked =
        width < 3 && selection_mask_ != nullptr && 4 * count_ >= window_ ? kernels().scan.decode_masked[width] : nullptr;
    if (masked != nullptr) {
      masked(from, selection_mask_, column.base, codes, window_);
    } else {
      kernels().scan.decode[width](from, selection_, column.base, codes, count_);
    }
  }
  result.values = codes;
  if (lane == Lane::kBoolean) {
    auto* out = arena_->allocate<std::uint8_t>(count_);
    for (std::int64_t i = 0; i < count_; ++i) out[i] = static_cast<std::uint8_t>(codes[i] & 1);
    result.values = out;
  } else if (lane == Lane::kInt128) {
    auto* out = arena_->allocate<int128>(count_);
    for (std::int64_t i = 0; i < count_; ++i) out[i] = codes[i];
    result.values = out;
  }
  return result;
}

// Offsets of strings as pointers to them.
const TextValue* Batch::decode_text(const SourceColumn& column) {
  auto* texts = arena_->allocate<TextValue>(count_);
  const void* offsets = advance(column.values, begin_ * column.bytes());
  const auto fill = [&](const auto* typed) {
    for (std::int64_t i = 0; i < count_; ++i)
      texts[i] = TextValue(column.heap + typed[selection_ == nullptr ? i : selection_[i]]);
  };
  if (column.encoding.width == 4) {
    fill(static_cast<const std::uint32_t*>(offsets));
  } else {
    fill(static_cast<const std::uint64_t*>(offsets));
  }
  return texts;
}

void Batch::count_bytes(SlotState& state) {
  if (std::exchange(state.counted, true)) return;
  const SourceColumn& column = columns_[static_cast<std::size_t>(state.source)];
  const std::int64_t validity = column.valid_bits != nullptr ? count_ / 8 : column.valid_bytes != nullptr ? count_ : 0;
  bytes_touched_ += count_ * column.bytes() + validity;
}

Vector Batch::gather(const Vector& vector, const std::uint32_t* positions, std::int64_t n) {
  if (vector.constant) return vector;
  Vector result = vector;
  auto* values = arena_->allocate<std::byte>(n * lane_bytes(vector.lane));
  gather_near(vector.lane)(vector.values, positions, values, n);
  result.values = values;
  if (vector.valid != nullptr) {
    auto* valid = arena_->allocate<std::uint8_t>(n);
    kernels().vector.gather1(vector.valid, positions, valid, n);
    result.valid = valid;
  }
  return result;
}

Vector Batch::gather_payload(const LaneColumn& column, const std::int64_t* rows) {
  Vector result{column.lane, false, nullptr, nullptr};
  auto* values = arena_->allocate<std::byte>(count_ * lane_bytes(column.lane));
  gather_far(column.lane)(column.values->data(), rows, values, count_);
  result.values = values;
  if (column.valid != nullptr) {
    auto* valid = arena_->allocate<std::uint8_t>(count_);
    kernels().vector.gather1_far(column.valid->data(), rows, valid, count_);
    result.valid = valid;
  }
  return result;
}

Vector Batch::dense(const Vector& vector) {
  if (!vector.constant) return vector;
  auto* values = arena_->allocate<std::byte>(count_ * lane_bytes(vector.lane));
  switch (lane_bytes(vector.lane)) {
    case 1:
      repeat<std::uint8_t>(vector.values, count_, values);
      break;
    case 8:
      repeat<std::uint64_t>(vector.values, count_, values);
      break;
    default:
      repeat<int128>(vector.values, count_, values);
  }
  Vector result{vector.lane, false, values, nullptr};
  if (vector.valid != nullptr && vector.valid[0] == 0) {
    auto* valid = arena_->allocate<std::uint8_t>(count_);
    std::memset(valid, 0, static_cast<std::size_t>(count_));
    result.valid = valid;
  }
  return result;
}

const std::int64_t* Batch::key_part(int expression) {
  const Vector vector = evaluate_dense(expression);
  SACCADE_CHECK(vector.lane == Lane::kInt64);
  SACCADE_CHECK(vector.valid == nullptr || std::memchr(vector.valid, 0, static_cast<std::size_t>(count_)) == nullptr);
  return vector.as<std::int64_t>();
}

Batch::EncodedRows Batch::encoded(int slot) {
  SlotState& state = slots_[static_cast<std::size_t>(slot)];
  SACCADE_CHECK(parent_ == nullptr && state.source >= 0);
  count_bytes(state);
  return {&columns_[static_cast<std::size_t>(state.source)], begin_, selection_};
}

void Batch::set_slot(int slot, const Vector& vector) {
  SACCADE_CHECK(vector.lane == program_->slot(slot).lane);
  SlotState& state = slots_[static_cast<std::size_t>(slot)];
  state = SlotState{};
  state.state = State::kReady;
  state.vector = vector;
}

void Batch::set_payload(std::span<const LaneColumn> columns, std::span<const int> slots, const std::int64_t* rows) {
  SACCADE_CHECK(columns.size() == slots.size());
  payload_rows_.push_back(rows);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] < 0) continue;
    SlotState& state = slots_[static_cast<std::size_t>(slots[i])];
    state = SlotState{};
    state.state = State::kPayload;
    state.payload = &columns[i];
    state.payload_rows = static_cast<int>(payload_rows_.size()) - 1;
  }
}

void Batch::select(const std::uint32_t* positions, std::int64_t n, const std::vector<bool>& live, const std::uint8_t* mask) {
  SACCADE_CHECK(parent_ == nullptr);
  bool source_used = false;
  payload_used_.assign(payload_rows_.size(), false);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    SlotState& state = slots_[i];
    // What came from a column is read again when it is needed, only for the rows that are left then.
    if (!live[i]) {
      state = SlotState{};
    } else if (state.source >= 0) {
      state.state = State::kSource;
      source_used = true;
    } else if (state.payload != nullptr) {
      state.state = State::kPayload;
      payload_used_[static_cast<std::size_t>(state.payload_rows)] = true;
    } else if (state.state == State::kReady) {
      state.vector = gather(state.vector, positions, n);
    }
  }
  if (source_used) {
    if (selection_ == nullptr) {
      selection_ = positions;
      selection_mask_ = mask;
      window_ = count_;
    } else {
      selection_mask_ = nullptr;
      auto* selection = arena_->allocate<std::uint32_t>(n);
      kernels().vector.gather4(selection_, positions, selection, n);
      selection_ = selection;
    }
  }
  for (std::size_t p = 0; p < payload_rows_.size(); ++p) {
    if (!payload_used_[p]) continue;
    auto* rows = arena_->allocate<std::int64_t>(n);
    kernels().vector.gather8(payload_rows_[p], positions, rows, n);
    payload_rows_[p] = rows;
  }
  count_ = n;
  forget_results();
}

Batch Batch::part(const std::uint32_t* positions, std::int64_t n) {
  Batch result(*program_, *arena_);
  result.count_ = n;
  result.parent_ = this;
  result.parent_positions_ = positions;
  return result;
}

}  // namespace saccade::cpu
