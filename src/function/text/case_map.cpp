// Case of single characters. The C library's tables in the C.UTF-8 locale, which is what PostgreSQL uses under that locale.
#include <clocale>
#include <cwctype>

#include "function/text/characters.hpp"

namespace saccade {
namespace {

// One locale object for the process; null where the system lacks it, which leaves letters beyond ASCII as they are.
locale_t utf8_locale() {
  static const locale_t kLocale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return kLocale;
}

}  // namespace

char32_t lower_character(char32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  const locale_t locale = utf8_locale();
  return locale == nullptr ? code : static_cast<char32_t>(::towlower_l(static_cast<std::wint_t>(code), locale));
}

char32_t upper_character(char32_t code) {
  if (code < 0x80) return code >= 'a' && code <= 'z' ? code - 32 : code;
  const locale_t locale = utf8_locale();
  return locale == nullptr ? code : static_cast<char32_t>(::towupper_l(static_cast<std::wint_t>(code), locale));
}

bool is_letter_or_digit(char32_t code) {
  if (code < 0x80) return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
  const locale_t locale = utf8_locale();
  return locale != nullptr && ::iswalnum_l(static_cast<std::wint_t>(code), locale) != 0;
}

}  // namespace saccade
