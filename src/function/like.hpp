// LIKE over UTF-8 text: `%` any characters, `_` one character, `\` takes the next one literally.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saccade {

// A pattern made ready once and matched many times. Immutable.
class LikePattern {
 public:
  // Errors: 22025 where the pattern ends in its escape; 0A000 for ILIKE with letters beyond ASCII.
  LikePattern(std::string_view pattern, bool ignore_case);
  bool matches(std::string_view text) const;

 private:
  enum class Kind : unsigned char { kByte, kAnyCharacter, kAnyString };
  struct Element {
    Kind kind;
    char byte;
  };
  char fold(char c) const;

  std::vector<Element> elements_;
  bool ignore_case_;
};

}  // namespace saccade
