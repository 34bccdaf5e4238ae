#include "common/int128.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace saccade {

int128 power_of_ten(int exponent) {
  SACCADE_CHECK(exponent >= 0 && exponent <= 38);
  int128 result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

std::string decimal_text(int128 value, int scale) {
  uint128 magnitude = value < 0 ? -static_cast<uint128>(value) : static_cast<uint128>(value);
  std::string reversed;
  for (int digits = 0; magnitude != 0 || digits <= scale; ++digits) {
    if (digits == scale && scale > 0) reversed.push_back('.');
    reversed.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  }
  if (value < 0) reversed.push_back('-');
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::optional<int128> parse_int128(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int128 value = 0;  // accumulated as a negative number, whose range is the larger
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, static_cast<int128>(10), &value)) return std::nullopt;
    if (__builtin_sub_overflow(value, static_cast<int128>(c - '0'), &value)) return std::nullopt;
  }
  if (negative) return value;
  if (value == kInt128Min) return std::nullopt;
  return -value;
}

}  // namespace saccade
