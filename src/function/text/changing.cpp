// Strings with their characters changed: case, order, replacement.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "function/like.hpp"
#include "function/text/characters.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

template <class Map>
void map_characters(TextCall& call, const Map& map) {
  std::string changed;
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    if (is_ascii(text)) {
      char* to = call.put_room(row, static_cast<std::int64_t>(text.size()));
      for (std::size_t i = 0; i < text.size(); ++i) to[i] = static_cast<char>(map(static_cast<unsigned char>(text[i])));
      return;
    }
    changed.clear();
    for (std::size_t at = 0; at < text.size();) append_character(changed, map(next_character(text, at)));
    call.put(row, changed);
  });
}

}  // namespace

void run_lower(TextCall& call) {
  map_characters(call, [](char32_t code) {
    return code < 0x80 ? (code >= 'A' && code <= 'Z' ? code + 32 : code) : lower_character(code);
  });
}

void run_upper(TextCall& call) {
  map_characters(call, [](char32_t code) {
    return code < 0x80 ? (code >= 'a' && code <= 'z' ? code - 32 : code) : upper_character(code);
  });
}

// The first letter of each word in upper case; a word is a run of letters and digits.
void run_initcap(TextCall& call) {
  std::string changed;
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    changed.clear();
    bool within_word = false;
    for (std::size_t at = 0; at < text.size();) {
      const char32_t code = next_character(text, at);
      append_character(changed, within_word ? lower_character(code) : upper_character(code));
      within_word = is_letter_or_digit(code);
    }
    call.put(row, changed);
  });
}

void run_reverse(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    char* to = call.put_room(row, static_cast<std::int64_t>(text.size())) + text.size();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min(character_bytes(text[at]), text.size() - at);
      to -= size;
      std::memcpy(to, text.data() + at, size);
      at += size;
    }
  });
}

void run_replace(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row), from = call.operands[1].text(row),
                           with = call.operands[2].text(row);
    std::size_t found = from.empty() ? std::string_view::npos : find_text(text, from, 0);
    if (found == std::string_view::npos) return call.put_operand(row, 0);
    std::int64_t bytes = static_cast<std::int64_t>(text.size());
    for (std::size_t at = found; at != std::string_view::npos; at = find_text(text, from, at + from.size()))
      bytes += static_cast<std::int64_t>(with.size()) - static_cast<std::int64_t>(from.size());
    char* to = call.put_room(row, bytes);
    std::size_t done = 0;
    for (; found != std::string_view::npos; found = find_text(text, from, done)) {
      std::memcpy(to, text.data() + done, found - done);
      to += found - done;
      if (!with.empty()) std::memcpy(to, with.data(), with.size());
      to += with.size();
      done = found + from.size();
    }
    std::memcpy(to, text.data() + done, text.size() - done);
  });
}

// Characters of the second string become those at the same places of the third; where it has none, they are left out.
void run_translate(TextCall& call) {
  std::string changed;
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row), from = call.operands[1].text(row),
                           to = call.operands[2].text(row);
    constexpr char32_t kLeftOut = 0xFFFFFFFF;
    std::unordered_map<char32_t, char32_t> map;
    std::size_t target = 0;
    for (std::size_t at = 0; at < from.size();) {
      const char32_t code = next_character(from, at);
      map.try_emplace(code, target < to.size() ? next_character(to, target) : kLeftOut);
    }
    changed.clear();
    for (std::size_t at = 0; at < text.size();) {
      const char32_t code = next_character(text, at);
      const auto found = map.find(code);
      if (found == map.end()) {
        append_character(changed, code);
      } else if (found->second != kLeftOut) {
        append_character(changed, found->second);
      }
    }
    call.put(row, changed);
  });
}

}  // namespace saccade::text_impl
