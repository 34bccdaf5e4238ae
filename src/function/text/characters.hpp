// Characters of UTF-8 text: positions in functions count characters, not bytes. Text is well-formed; storage and parser saw to
// it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace saccade {

inline bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Bytes of the character that starts with `c`.
inline std::size_t character_bytes(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

inline bool is_ascii(std::string_view text) {
  std::uint64_t any = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    any |= word;
  }
  for (; at < text.size(); ++at) any |= static_cast<unsigned char>(text[at]);
  return (any & 0x8080808080808080U) == 0;
}

// The number of characters.
inline std::int64_t count_characters(std::string_view text) {
  std::int64_t continuing = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    continuing += std::popcount(word & ~(word << 1) & 0x8080808080808080U);  // 10xxxxxx
  }
  for (; at < text.size(); ++at) continuing += continues_character(text[at]) ? 1 : 0;
  return static_cast<std::int64_t>(text.size()) - continuing;
}

// The byte at which character `count` (from 0 on) starts; the size where there are no more than `count`.
inline std::size_t byte_of_character(std::string_view text, std::int64_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) at += character_bytes(text[at]);
  return at < text.size() ? at : text.size();
}

// The character at byte `at`, which moves behind it.
inline char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const std::size_t size = character_bytes(text[at]);
  char32_t code = byte(0);
  if (at + size > text.size()) {
    at = text.size();
    return code;
  }
  if (size == 2) code = (code & 0x1F) << 6 | (byte(1) & 0x3F);
  if (size == 3) code = (code & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (size == 4) code = (code & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  at += size;
  return code;
}

inline void append_character(std::string& text, char32_t code) {
  const auto add = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

// Simple case mapping of one character by the rules of C.UTF-8; a character without another case is itself. (case_map.cpp)
char32_t lower_character(char32_t code);
char32_t upper_character(char32_t code);
bool is_letter_or_digit(char32_t code);

}  // namespace saccade
