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

void KeyStream::skip_rows(std::int64_t rows) {
  narrow_.skip_rows(rows);
  skip_draws(rows * draws_per_row_);
}

void KeyStream::end_row() {
  if (!wide_) return narrow_.end_row();
  skip_draws(draws_per_row_ - drawn_);
  drawn_ = 0;
}

// Products are taken modulo 2^64, then signed, as dbgen does.
void KeyStream::skip_draws(std::int64_t draws) {
  constexpr std::int64_t kModulus = RandomStream::kModulus;
  for (std::int64_t multiplier = 16807; draws > 0; draws /= 2, multiplier = multiplier * multiplier % kModulus) {
    if (draws % 2 == 0) continue;
    const std::uint64_t product = static_cast<std::uint64_t>(multiplier) * static_cast<std::uint64_t>(state_);
    state_ = static_cast<std::int64_t>(product) % kModulus;
  }
}

std::int64_t KeyStream::draw(std::int64_t low, std::int64_t high) {
  if (!wide_) return narrow_.draw(low, high);
  const std::uint64_t state = static_cast<std::uint64_t>(state_) * 6364136223846793005U + 1;  // Knuth's MMIX multiplier
  state_ = static_cast<std::int64_t>(state);
  ++drawn_;
  const std::uint64_t magnitude = state_ < 0 ? 0 - state : state;
  return low + static_cast<std::int64_t>(magnitude % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace saccade::tpch
