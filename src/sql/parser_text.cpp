#include "sql/parser_text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "common/error.hpp"

namespace saccade {

namespace {

bool continues(std::string_view text, std::size_t offset) {
  return offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80;
}

// The length of the valid character at `offset`, 0 where there is none.
std::size_t character_length(std::string_view text, std::size_t offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  if (lead != 0 && lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text, offset + i)) return 0;
  }
  if (length < 3) return length;
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  const auto second = static_cast<unsigned char>(text[offset + 1]);
  const bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
                     (lead == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

}  // namespace

void check_utf8(std::string_view text) {
  int position = 1;
  for (std::size_t offset = 0; offset < text.size(); ++position) {
    const std::size_t length = character_length(text, offset);
    if (length == 0) {
      throw Error(
          sqlstate::kCharacterNotInRepertoire,
          fmt::format("invalid byte sequence for encoding \"UTF8\": 0x{:02x}", static_cast<unsigned char>(text[offset])),
          position, "Statements are UTF-8 text without zero bytes.");
    }
    offset += length;
  }
}

int character_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  return 1 + static_cast<int>(std::count_if(before.begin(), before.end(),
                                            [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::size_t byte_offset(std::string_view text, int position) {
  std::size_t offset = 0;
  for (int character = 1; character < position && offset < text.size(); ++character) {
    ++offset;
    while (continues(text, offset)) ++offset;
  }
  return offset;
}

CharacterIndex::CharacterIndex(std::string_view text) {
  int characters = 0;
  for (std::size_t start = 0; start <= text.size(); start += kBlock) {
    before_.push_back(characters);
    characters += character_position(text.substr(start, kBlock), kBlock) - 1;
  }
}

int CharacterIndex::position(std::string_view text, std::size_t offset) const {
  const std::size_t block = std::min(offset, text.size()) / kBlock;
  return before_[block] + character_position(text.substr(block * kBlock), offset - block * kBlock);
}

void RewrittenText::replace(std::size_t start, std::size_t end, std::string_view replacement) {
  SACCADE_CHECK(start >= copied_ && end >= start && end <= original_.size());
  text_.append(original_, copied_, start - copied_);
  pieces_.push_back({text_.size(), replacement.size(), start, end});
  text_ += replacement;
  copied_ = end;
}

void RewrittenText::finish() {
  text_.append(original_, copied_, std::string::npos);
  copied_ = original_.size();
}

std::size_t RewrittenText::original_offset(std::size_t offset) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                      [](std::size_t value, const Piece& piece) { return value < piece.start; });
  if (after == pieces_.begin()) return offset;
  const Piece& piece = *(after - 1);
  const std::size_t within = offset - piece.start;
  return within < piece.length ? piece.original_start : piece.original_end + (within - piece.length);
}

}  // namespace saccade
