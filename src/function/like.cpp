#include "function/like.hpp"

#include <cstring>

#include "common/error.hpp"
#include "function/text/characters.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace saccade {

namespace {

std::size_t behind_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && continues_character(text[at])) ++at;
  return at;
}

std::string in_lower_case(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_character(lower, lower_character(next_character(text, at)));
  return lower;
}

}  // namespace

// Candidates are places where the first and the last byte of what is wanted stand, sixteen places at a time.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
  if (from > text.size() || wanted.size() > text.size() - from) return std::string_view::npos;
  if (wanted.empty()) return from;
  const char* data = text.data();
  const std::size_t last = text.size() - wanted.size();  // the last place it can stand at
  std::size_t at = from;
#if defined(__SSE2__)
  const __m128i first_byte = _mm_set1_epi8(wanted.front()), last_byte = _mm_set1_epi8(wanted.back());
  for (; at + 15 <= last; at += 16) {
    const __m128i heads = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + at));
    const __m128i tails = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + at + wanted.size() - 1));
    const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(heads, first_byte), _mm_cmpeq_epi8(tails, last_byte));
    for (auto mask = static_cast<unsigned>(_mm_movemask_epi8(both)); mask != 0; mask &= mask - 1) {
      const std::size_t place = at + static_cast<std::size_t>(__builtin_ctz(mask));
      if (std::memcmp(data + place, wanted.data(), wanted.size()) == 0) return place;
    }
  }
#endif
  while (at <= last) {
    const void* found = std::memchr(data + at, wanted.front(), last - at + 1);
    if (found == nullptr) return std::string_view::npos;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - data);
    if (std::memcmp(data + at, wanted.data(), wanted.size()) == 0) return at;
    ++at;
  }
  return std::string_view::npos;
}

LikePattern::LikePattern(std::string_view given, bool ignore_case) : ignore_case_(ignore_case) {
  const std::string lower = ignore_case ? in_lower_case(given) : std::string();
  const std::string_view pattern = ignore_case ? std::string_view(lower) : given;
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
      if (++i == pattern.size()) {
        elements_.push_back({Kind::kNothing, 0});
        break;
      }
      c = pattern[i];
    }
    elements_.push_back({Kind::kByte, c});
  }
  make_pieces();
}

void LikePattern::make_pieces() {
  if (ignore_case_ || can_fail()) return;
  pieces_.emplace_back();
  for (const Element& element : elements_) {
    if (element.kind == Kind::kAnyCharacter) return;
    if (element.kind == Kind::kAnyString) {
      pieces_.emplace_back();
    } else {
      pieces_.back().push_back(element.byte);
    }
  }
  in_pieces_ = true;
}

bool LikePattern::matches(std::string_view text) const {
  if (in_pieces_) return matches_pieces(text);
  if (!ignore_case_) return matches_elements(text);
  char buffer[256];
  if (text.size() > sizeof(buffer) || !is_ascii(text)) return matches_elements(in_lower_case(text));
  for (std::size_t i = 0; i < text.size(); ++i)
    buffer[i] = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
  return matches_elements({buffer, text.size()});
}

bool LikePattern::matches_pieces(std::string_view text) const {
  const std::string &head = pieces_.front(), &tail = pieces_.back();
  if (pieces_.size() == 1) return text == head;
  if (text.size() < head.size() + tail.size() || !text.starts_with(head) || !text.ends_with(tail)) return false;
  text.remove_suffix(tail.size());
  std::size_t at = head.size();
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const std::size_t found = find_text(text, pieces_[i], at);
    if (found == std::string_view::npos) return false;
    at = found + pieces_[i].size();
  }
  return true;
}

// Greedy with one point to come back to: after the last `%`, a mismatch lets that `%` take one more character. Linear in
// practice, at worst |text| * |pattern|.
bool LikePattern::matches_elements(std::string_view text) const {
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
      if (elements_[element].kind == Kind::kNothing) throw Error("22025", "LIKE pattern must not end with escape character");
      if (elements_[element].kind == Kind::kAnyCharacter) {
        at = behind_character(text, at);
        ++element;
        continue;
      }
      if (elements_[element].byte == text[at]) {
        ++at;
        ++element;
        continue;
      }
    }
    if (resume_element > elements_.size() || resume_at >= text.size()) return false;
    resume_at = behind_character(text, resume_at);
    at = resume_at;
    element = resume_element;
  }
}

}  // namespace saccade
