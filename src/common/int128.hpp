// 128-bit integers: the carrier of numeric(19..38), and their decimal text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace saccade {

using int128 = __int128;
using uint128 = unsigned __int128;

inline constexpr int128 kInt128Max = static_cast<int128>(~static_cast<uint128>(0) >> 1);
inline constexpr int128 kInt128Min = -kInt128Max - 1;

// 10^exponent, 0 <= exponent <= 38.
int128 power_of_ten(int exponent);

// The decimal text of value / 10^scale, with exactly `scale` digits behind the point.
std::string decimal_text(int128 value, int scale);

// A whole decimal integer (JSON carries 128-bit integers as text); nothing where the text is none or does not fit.
std::optional<int128> parse_int128(std::string_view text);

}  // namespace saccade
