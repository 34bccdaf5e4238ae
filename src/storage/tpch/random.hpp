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

// One key a draw, from ranges that may pass 2^31: the streams of foreign keys. From scale factor 30,000 on dbgen draws them
// from a linear congruential generator of 64 bits (Knuth's MMIX multiplier) instead.
class KeyStream {
 public:
  KeyStream(std::uint32_t seed, int draws_per_row, bool wide);

  void skip_rows(std::int64_t rows);
  void end_row();
  std::int64_t draw(std::int64_t low, std::int64_t high);

 private:
  // x -> multiplier x + increment, modulo 2^64.
  struct Step {
    std::uint64_t multiplier, increment;
    std::uint64_t apply(std::uint64_t state) const { return multiplier * state + increment; }
    Step after(const Step& first) const { return {multiplier * first.multiplier, apply(first.increment)}; }
    Step repeated(std::uint64_t times) const;
  };
  static constexpr Step kStep{6364136223846793005U, 1};

  bool wide_;
  RandomStream narrow_;
  std::uint64_t state_, row_;
  Step row_step_;
};

}  // namespace saccade::tpch
