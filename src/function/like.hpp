// LIKE over UTF-8 text: `%` any characters, `_` one character, `\` takes the next one literally.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saccade {

// A pattern made ready once and matched many times. Immutable.
class LikePattern {
 public:
  LikePattern(std::string_view pattern, bool ignore_case);
  // Errors: 22025 where the pattern ends in its escape and the text goes on where the escape stands.
  bool matches(std::string_view text) const;
  bool can_fail() const { return !elements_.empty() && elements_.back().kind == Kind::kNothing; }

 private:
  enum class Kind : unsigned char { kByte, kAnyCharacter, kAnyString, kNothing };  // kNothing: behind a last escape
  struct Element {
    Kind kind;
    char byte;
  };
  void make_pieces();
  bool matches_pieces(std::string_view text) const;
  bool matches_elements(std::string_view text) const;

  std::vector<Element> elements_;
  bool ignore_case_;
  // A pattern without `_`, for exact case: what stands before, between and after the `%`; with one piece only, all of the text.
  bool in_pieces_ = false;
  std::vector<std::string> pieces_;
};

// Where `wanted` first stands in `text` at or after `from`; npos where it does not.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from);

}  // namespace saccade
