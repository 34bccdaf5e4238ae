// LIKE compared with a matcher by recursion, and PostgreSQL's rules for escapes and characters.
#include "function/like.hpp"

#include <gtest/gtest.h>

#include <random>

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
  EXPECT_THROW(like("ab", "a\\"), Error);
  EXPECT_FALSE(like("a", "a\\"));
}

TEST(Like, IgnoresCase) {
  EXPECT_TRUE(LikePattern("%bUIL%", true).matches("the Building"));
  EXPECT_TRUE(LikePattern("Ä_%", true).matches("äx"));
  EXPECT_FALSE(LikePattern("Ä", true).matches("ö"));
  EXPECT_TRUE(LikePattern("%" + std::string(300, 'q'), true).matches(std::string(400, 'Q')));
}

// Texts long enough for the search by sixteen places, compared with the search of the standard library.
TEST(Like, FindsEveryPlaceInLongTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    const std::size_t length = random() % 90;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random() % 2);
    std::string wanted;
    for (std::size_t i = random() % 6; i > 0; --i) wanted += static_cast<char>('a' + random() % 2);
    for (std::size_t from = 0; from <= text.size() + 1; ++from)
      ASSERT_EQ(find_text(text, wanted, from), std::string_view(text).find(wanted, from))
          << text << " " << wanted << " " << from;
  }
}

}  // namespace
}  // namespace saccade
