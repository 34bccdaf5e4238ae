// The text of a statement: its characters, and the way back from a rewritten text to what the user wrote.
//
// Values without shared state; offsets count bytes from 0, positions count characters from 1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace saccade {

// Errors: 22021 with the position of the first byte that is not UTF-8 (or is a zero byte).
void check_utf8(std::string_view text);

// The 1-based position of the character that holds byte `offset` (past the end: one past the last character).
int character_position(std::string_view text, std::size_t offset);
// The offset of the character at a 1-based position.
std::size_t byte_offset(std::string_view text, int position);

// character_position() for many offsets of one long text.
class CharacterIndex {
 public:
  explicit CharacterIndex(std::string_view text);
  int position(std::string_view text, std::size_t offset) const;

 private:
  static constexpr std::size_t kBlock = 256;
  std::vector<int> before_;  // characters before each block of kBlock bytes
};

// A text made from another one by replacing pieces, left to right.
class RewrittenText {
 public:
  explicit RewrittenText(std::string original) : original_(std::move(original)) {}

  // Replaces original bytes [start, end) by `replacement`. Calls come in ascending order and do not overlap.
  void replace(std::size_t start, std::size_t end, std::string_view replacement);
  // Copies what follows the last piece. Called once, before text() is used.
  void finish();

  const std::string& original() const { return original_; }
  const std::string& text() const { return text_; }
  // The original's offset of a byte of text(); a byte inside a replacement maps to the replaced piece's start.
  std::size_t original_offset(std::size_t offset) const;

 private:
  struct Piece {
    std::size_t start;  // in text_
    std::size_t length;
    std::size_t original_start;
    std::size_t original_end;
  };
  std::string original_;
  std::string text_;
  std::size_t copied_ = 0;  // bytes of original_ that text_ stands for
  std::vector<Piece> pieces_;
};

}  // namespace saccade
