#include "function/text/md5.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace saccade {
namespace {

using State = std::array<std::uint32_t, 4>;

// floor(2^32 * |sin(i + 1)|).
const std::array<std::uint32_t, 64>& sine_table() {
  static const auto kTable = [] {
    std::array<std::uint32_t, 64> table{};
    for (std::size_t i = 0; i < 64; ++i)
      table[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
    return table;
  }();
  return kTable;
}

void take_block(State& state, const unsigned char* block) {
  constexpr std::array<std::array<int, 4>, 4> kRotations = {
      {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  const std::array<std::uint32_t, 64>& sines = sine_table();
  std::array<std::uint32_t, 16> words{};
  std::memcpy(words.data(), block, 64);
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t round = i / 16;
    const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                : round == 1 ? (d & b) | (~d & c)
                                : round == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    const std::size_t word = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : 7 * i % 16;
    const std::uint32_t next = b + std::rotl(a + mixed + sines[i] + words[word], kRotations[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 64; left -= 64, data += 64) take_block(state, data);
  // The rest, a bit 1, zeros, and the length in bits.
  std::array<unsigned char, 128> tail{};
  if (left > 0) std::memcpy(tail.data(), data, left);
  tail[left] = 0x80;
  const std::size_t size = left < 56 ? 64 : 128;
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  std::memcpy(tail.data() + size - 8, &bits, 8);
  take_block(state, tail.data());
  if (size == 128) take_block(state, tail.data() + 64);
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int byte = 0; byte < 4; ++byte) {
      const std::uint32_t value = word >> (8 * byte) & 0xFF;
      hex += "0123456789abcdef"[value >> 4];
      hex += "0123456789abcdef"[value & 15];
    }
  }
  return hex;
}

}  // namespace saccade
