#include "storage/parquet/utf8.hpp"

#include <cstring>

#include <fmt/format.h>

#include "common/error.hpp"

namespace saccade {
namespace {

bool between(unsigned char c, unsigned low, unsigned high) {
  return c >= low && c <= high;
}

// The length of the character at `at`, 0 where it is malformed.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at + i < text.size() ? text[at + i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (between(first, 0xc2, 0xdf)) return between(byte(1), 0x80, 0xbf) ? 2 : 0;
  const bool third = between(byte(2), 0x80, 0xbf);
  if (between(first, 0xe0, 0xef)) {
    return between(byte(1), first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && third ? 3 : 0;
  }
  if (!between(first, 0xf0, 0xf4)) return 0;
  const bool second = between(byte(1), first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
  return second && third && between(byte(3), 0x80, 0xbf) ? 4 : 0;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t word = 0;
    if (at + 8 <= text.size()) {
      std::memcpy(&word, text.data() + at, 8);
      if ((word & 0x8080808080808080U) == 0) {  // eight ASCII characters at once
        at += 8;
        continue;
      }
    }
    const std::size_t length = character_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void check_utf8(std::string_view text, const std::string& where) {
  if (is_valid_utf8(text)) return;
  throw Error(sqlstate::kCharacterNotInRepertoire, fmt::format("{}: invalid byte sequence for encoding \"UTF8\"", where), 0,
              "Write the file with its text in UTF-8.");
}

bool is_ascii(std::string_view bytes) {
  unsigned char any = 0;
  for (const char byte : bytes) any |= static_cast<unsigned char>(byte);
  return any < 0x80;
}

}  // namespace saccade
