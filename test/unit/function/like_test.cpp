// LIKE compared with a matcher by recursion, and PostgreSQL's rules for escapes and characters.
#include "function/like.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"

namespace saccade {
namespace {

bool like(std::string_view text, std::string_view pattern) {
  return LikePattern(pattern, false).matches(text);
}

// The definition: over single-byte characters, without escapes.
bool reference(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '%')
    return reference(text, pattern.substr(1)) || (!text.empty() && reference(text.substr(1), pattern));
  if (text.empty() || (pattern.front() != '_' && pattern.front() != text.front())) return false;
  return reference(text.substr(1), pattern.substr(1));
}

void words(const std::string& letters, std::size_t length, std::vector<std::string>& out) {
  out.emplace_back();
  for (std::size_t begin = 0, round = 0; round < length; ++round) {
    const std::size_t end = out.size();
    for (; begin < end; ++begin)
      for (const char c : letters) out.push_back(out[begin] + c);
  }
}

TEST(Like, AgreesWithItsDefinitionOnAllShortWords) {
  std::vector<std::string> texts;
  std::vector<std::string> patterns;
  words("ab", 4, texts);
  words("a_%", 4, patterns);
  for (const std::string& text : texts)
    for (const std::string& pattern : patterns)
      EXPECT_EQ(like(text, pattern), reference(text, pattern)) << text << " " << pattern;
}

TEST(Like, UnderscoreTakesACharacterNotAByte) {
  EXPECT_TRUE(like("ä", "_"));
  EXPECT_FALSE(like("ä", "__"));
  EXPECT_TRUE(like("€uro", "_uro"));
  EXPECT_TRUE(like("x€y", "x%y"));
}

TEST(Like, BackslashTakesTheNextCharacterLiterally) {
  EXPECT_TRUE(like("100%", "100\\%"));
  EXPECT_FALSE(like("1000", "100\\%"));
  EXPECT_TRUE(like("a\\b", "a\\\\b"));
  EXPECT_THROW(like("a", "a\\"), Error);
}

TEST(Like, IgnoresCaseOfAsciiOnly) {
  EXPECT_TRUE(LikePattern("%bUIL%", true).matches("the Building"));
  EXPECT_THROW(LikePattern("Ä", true), Error);
}

}  // namespace
}  // namespace saccade
