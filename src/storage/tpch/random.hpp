// The random streams of TPC-H's data: every column draws from a stream of its own, and every row of a table begins at a fixed
// place of that stream, so that any part of a table can be made without the rows before it.
//
// A stream is a plain value, used by one thread.
#pragma once

#include <cstdint>

namespace saccade::tpch {

// The minimal standard generator x -> 16807 x mod 2^31 - 1. Source: Park and Miller, 1988.
class RandomStream {
 public:
  static constexpr std::uint32_t kModulus = 2147483647;

  // `draws_per_row`: the most draws that a row makes; the next row begins that many draws after this one.
  RandomStream(std::uint32_t seed, int draws_per_row);

  void skip_rows(std::int64_t rows);
  void end_row() { state_ = row_ = multiply(row_, row_multiplier_); }

  // Uniform in low .. high; fewer than 2^31 values.
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(draw_fraction() * static_cast<double>(high - low + 1));
  }
  // In (0, 1).
  double draw_fraction() {
    state_ = multiply(state_, kMultiplier);
    return static_cast<double>(state_) / static_cast<double>(kModulus);
  }
  std::uint32_t state() const { return state_; }

 private:
  static constexpr std::uint32_t kMultiplier = 16807;

  static std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t product = static_cast<std::uint64_t>(a) * b;
    const std::uint64_t folded = (product & kModulus) + (product >> 31);  // 2^31 is 1 in this ring
    return static_cast<std::uint32_t>(folded >= kModulus ? folded - kModulus : folded);
  }
  static std::uint32_t power(std::uint32_t base, std::uint64_t exponent);

  std::uint32_t state_;
  std::uint32_t row_;  // the state at the beginning of the row
  std::uint32_t row_multiplier_;
};

// The streams of foreign keys, whose ranges may pass 2^31. From scale factor 30,000 on ("wide") dbgen draws them from a linear
// congruential generator of 64 bits, but still skips with the steps of the generator above: the keys of a row then depend on
// the row that dbgen's part begins with, which is where skip_rows() leads. Below, rows have the same keys in every part.
class KeyStream {
 public:
  KeyStream(std::uint32_t seed, int draws_per_row, bool wide)
      : wide_(wide), narrow_(seed, draws_per_row), state_(seed), draws_per_row_(draws_per_row) {}

  void skip_rows(std::int64_t rows);
  void end_row();
  std::int64_t draw(std::int64_t low, std::int64_t high);

 private:
  void skip_draws(std::int64_t draws);

  bool wide_;
  RandomStream narrow_;
  std::int64_t state_;
  int draws_per_row_;
  int drawn_ = 0;  // in this row
};

}  // namespace saccade::tpch
