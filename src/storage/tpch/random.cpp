#include "storage/tpch/random.hpp"

namespace saccade::tpch {

RandomStream::RandomStream(std::uint32_t seed, int draws_per_row)
    : state_(seed), row_(seed), row_multiplier_(power(kMultiplier, static_cast<std::uint64_t>(draws_per_row))) {}

void RandomStream::skip_rows(std::int64_t rows) {
  state_ = row_ = multiply(row_, power(row_multiplier_, static_cast<std::uint64_t>(rows)));
}

std::uint32_t RandomStream::power(std::uint32_t base, std::uint64_t exponent) {
  std::uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

KeyStream::KeyStream(std::uint32_t seed, int draws_per_row, bool wide)
    : wide_(wide),
      narrow_(seed, draws_per_row),
      state_(seed),
      row_(seed),
      row_step_(kStep.repeated(static_cast<std::uint64_t>(draws_per_row))) {}

KeyStream::Step KeyStream::Step::repeated(std::uint64_t times) const {
  Step result{1, 0}, base = *this;
  for (; times != 0; times >>= 1) {
    if ((times & 1) != 0) result = base.after(result);
    base = base.after(base);
  }
  return result;
}

void KeyStream::skip_rows(std::int64_t rows) {
  narrow_.skip_rows(rows);
  state_ = row_ = row_step_.repeated(static_cast<std::uint64_t>(rows)).apply(row_);
}

void KeyStream::end_row() {
  narrow_.end_row();
  state_ = row_ = row_step_.apply(row_);
}

std::int64_t KeyStream::draw(std::int64_t low, std::int64_t high) {
  if (!wide_) return narrow_.draw(low, high);
  state_ = kStep.apply(state_);
  const std::uint64_t magnitude = static_cast<std::int64_t>(state_) < 0 ? 0 - state_ : state_;
  return low + static_cast<std::int64_t>(magnitude % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace saccade::tpch
