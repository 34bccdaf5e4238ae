#include "function/like.hpp"

#include "common/error.hpp"

namespace saccade {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::size_t next_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && continues_character(text[at])) ++at;
  return at;
}

}  // namespace

LikePattern::LikePattern(std::string_view pattern, bool ignore_case) : ignore_case_(ignore_case) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '%') {
      if (elements_.empty() || elements_.back().kind != Kind::kAnyString) elements_.push_back({Kind::kAnyString, 0});
      continue;
    }
    if (c == '_') {
      elements_.push_back({Kind::kAnyCharacter, 0});
      continue;
    }
    if (c == '\\') {
      if (++i == pattern.size()) throw Error("22025", "LIKE pattern must not end with escape character");
      c = pattern[i];
    }
    if (ignore_case && static_cast<unsigned char>(c) >= 0x80U)
      throw Error(sqlstate::kFeatureNotSupported, "ILIKE with letters beyond ASCII is not supported yet");
    elements_.push_back({Kind::kByte, fold(c)});
  }
}

char LikePattern::fold(char c) const {
  return ignore_case_ && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Greedy with one point to come back to: after the last `%`, a mismatch lets that `%` take one more character. Linear in
// practice, at worst |text| * |pattern|.
bool LikePattern::matches(std::string_view text) const {
  std::size_t at = 0;
  std::size_t element = 0;
  std::size_t resume_element = elements_.size() + 1;
  std::size_t resume_at = 0;
  while (true) {
    if (element < elements_.size() && elements_[element].kind == Kind::kAnyString) {
      resume_element = ++element;
      resume_at = at;
      continue;
    }
    if (at == text.size() && element == elements_.size()) return true;
    if (at < text.size() && element < elements_.size()) {
      if (elements_[element].kind == Kind::kAnyCharacter) {
        at = next_character(text, at);
        ++element;
        continue;
      }
      if (elements_[element].byte == fold(text[at])) {
        ++at;
        ++element;
        continue;
      }
    }
    if (resume_element > elements_.size() || resume_at >= text.size()) return false;
    resume_at = next_character(text, resume_at);
    at = resume_at;
    element = resume_element;
  }
}

}  // namespace saccade
