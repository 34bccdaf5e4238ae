// Lengths of strings, and parts of them.
#include <algorithm>
#include <array>
#include <string>

#include "common/error.hpp"
#include "function/like.hpp"
#include "function/text/characters.hpp"
#include "function/text/implementations.hpp"

namespace saccade::text_impl {
namespace {

// Characters [first, first + count) of a string, counted from 0.
std::string_view characters_of(std::string_view text, std::int64_t first, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(text.size());
  if (first >= size) return {};
  if (is_ascii(text)) return text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(count, size)));
  text.remove_prefix(byte_of_character(text, first));
  return text.substr(0, byte_of_character(text, count));
}

// A result that is a part of the argument; the argument itself where it is all of it.
void put_part(TextCall& call, std::int64_t row, std::string_view part) {
  if (part.size() == call.operands[0].text(row).size()) {
    call.put_operand(row, 0);
  } else {
    call.put(row, part);
  }
}

// Characters as a set: those of one byte by a table, others by search.
class CharacterSet {
 public:
  explicit CharacterSet(std::string_view characters) : ascii_only_(is_ascii(characters)), characters_(characters) {
    for (const char c : characters) single_[static_cast<unsigned char>(c)] = true;
  }
  bool contains(std::string_view character) const {
    if (character.size() == 1) return single_[static_cast<unsigned char>(character[0])];
    return !ascii_only_ && characters_.find(character) != std::string_view::npos;
  }

 private:
  std::array<bool, 256> single_{};
  bool ascii_only_;
  std::string_view characters_;
};

std::string_view without_leading(std::string_view text, const CharacterSet& set) {
  while (!text.empty()) {
    const std::size_t size = character_bytes(text.front());
    if (!set.contains(text.substr(0, size))) break;
    text.remove_prefix(std::min(size, text.size()));
  }
  return text;
}

std::string_view without_trailing(std::string_view text, const CharacterSet& set) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && continues_character(text[start])) --start;
    if (!set.contains(text.substr(start))) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

void trim_rows(TextCall& call, bool leading, bool trailing) {
  std::string_view last = "\xff";  // no characters that a query can give
  std::optional<CharacterSet> set;
  call.each_row([&](std::int64_t row) {
    const std::string_view characters = call.operands[1].text(row);
    if (!set || characters.data() != last.data() || characters.size() != last.size()) set.emplace(last = characters);
    std::string_view text = call.operands[0].text(row);
    if (leading) text = without_leading(text, *set);
    if (trailing) text = without_trailing(text, *set);
    put_part(call, row, text);
  });
}

// Field `number` (from 1 on; from the end where negative) of a string.
std::string_view field_of(std::string_view text, std::string_view delimiter, std::int64_t number) {
  if (number == 0) throw Error(sqlstate::kInvalidParameterValue, "field position must not be zero");
  if (text.empty()) return {};
  if (delimiter.empty()) return number == 1 || number == -1 ? text : std::string_view();
  if (number < 0) {
    std::int64_t fields = 1;
    for (std::size_t at = find_text(text, delimiter, 0); at != std::string_view::npos;
         at = find_text(text, delimiter, at + delimiter.size())) {
      ++fields;
    }
    number += fields + 1;
    if (number < 1) return {};
  }
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = find_text(text, delimiter, begin);
    if (--number == 0) return text.substr(begin, end == std::string_view::npos ? end : end - begin);
    if (end == std::string_view::npos) return {};
    begin = end + delimiter.size();
  }
}

}  // namespace

void run_length(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put_integer(row, count_characters(call.operands[0].text(row))); });
}

void run_octet_length(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put_integer(row, static_cast<std::int64_t>(call.operands[0].text(row).size())); });
}

void run_bit_length(TextCall& call) {
  call.each_row(
      [&](std::int64_t row) { call.put_integer(row, static_cast<std::int64_t>(call.operands[0].text(row).size()) * 8); });
}

void run_substring_from(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::int64_t first = std::max<std::int64_t>(call.operands[1].integer(row), 1) - 1;
    put_part(call, row, characters_of(call.operands[0].text(row), first, INT64_MAX));
  });
}

// Positions before the first character count, though nothing stands there.
void run_substring_from_for(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::int64_t start = call.operands[1].integer(row), length = call.operands[2].integer(row);
    if (length < 0) throw Error("22011", "negative substring length not allowed");
    const std::int64_t first = std::max<std::int64_t>(start, 1);
    const std::int64_t count = start + length - first;  // both are integers of 32 bits
    put_part(call, row, count <= 0 ? std::string_view() : characters_of(call.operands[0].text(row), first - 1, count));
  });
}

void run_left(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    std::int64_t count = call.operands[1].integer(row);
    if (count < 0) count = std::max<std::int64_t>(count_characters(text) + count, 0);
    put_part(call, row, characters_of(text, 0, count));
  });
}

void run_right(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    const std::int64_t count = call.operands[1].integer(row);
    const std::int64_t first = count < 0 ? -count : std::max<std::int64_t>(count_characters(text) - count, 0);
    put_part(call, row, characters_of(text, first, INT64_MAX));
  });
}

void run_btrim(TextCall& call) {
  trim_rows(call, true, true);
}

void run_ltrim(TextCall& call) {
  trim_rows(call, true, false);
}

void run_rtrim(TextCall& call) {
  trim_rows(call, false, true);
}

void run_split_part(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    put_part(call, row, field_of(call.operands[0].text(row), call.operands[1].text(row), call.operands[2].integer(row)));
  });
}

void run_ascii(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    std::size_t at = 0;
    call.put_integer(row, text.empty() ? 0 : static_cast<std::int64_t>(next_character(text, at)));
  });
}

}  // namespace saccade::text_impl
