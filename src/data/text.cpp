#include "data/text.hpp"

#include <algorithm>

#include "common/int128.hpp"

namespace saccade {
namespace {

// The high and low half of a 64x64-bit product folded together: each input bit reaches all output bits.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const uint128 product = static_cast<uint128>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t state = text.size();
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left > 8; left -= 8, data += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data, 8);
    state = mix(state, word);
  }
  std::uint64_t word = 0;
  if (left != 0) std::memcpy(&word, data, left);
  return mix(state, word);
}

}  // namespace saccade
