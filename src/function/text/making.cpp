// Strings put together from others, and written from numbers.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "common/error.hpp"
#include "function/like.hpp"
#include "function/text/characters.hpp"
#include "function/text/implementations.hpp"
#include "function/text/md5.hpp"

namespace saccade::text_impl {
namespace {

[[noreturn]] void too_large() {
  throw Error("54000", "requested length too large", 0, "A text holds at most 1 GB.");
}

char* copy_to(char* to, std::string_view text) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// One after the other, with `separator` between; null operands (of kOwn functions) are left out.
void join(TextCall& call, std::int64_t row, std::size_t first, std::string_view separator) {
  std::int64_t bytes = 0;
  std::int64_t parts = 0;
  for (std::size_t i = first; i < call.operands.size(); ++i) {
    if (!call.operands[i].is_valid(row)) continue;
    bytes += static_cast<std::int64_t>(call.operands[i].text(row).size());
    ++parts;
  }
  bytes += std::max<std::int64_t>(parts - 1, 0) * static_cast<std::int64_t>(separator.size());
  char* to = call.put_room(row, bytes);
  bool begun = false;
  for (std::size_t i = first; i < call.operands.size(); ++i) {
    if (!call.operands[i].is_valid(row)) continue;
    if (begun) to = copy_to(to, separator);
    to = copy_to(to, call.operands[i].text(row));
    begun = true;
  }
}

// What lpad and rpad put beside a string: `count` characters of `fill`, again and again.
std::string padding(std::string_view fill, std::int64_t count) {
  std::string result;
  if (count > kMaxTextBytes) too_large();
  const std::int64_t whole = count / count_characters(fill);
  if (whole * static_cast<std::int64_t>(fill.size()) > kMaxTextBytes) too_large();
  result.reserve(static_cast<std::size_t>(whole + 1) * fill.size());
  for (std::int64_t i = 0; i < whole; ++i) result += fill;
  result += fill.substr(0, byte_of_character(fill, count % count_characters(fill)));
  return result;
}

void pad_rows(TextCall& call, bool before) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row), fill = call.operands[2].text(row);
    const std::int64_t wanted = std::max<std::int64_t>(call.operands[1].integer(row), 0);
    const std::int64_t length = count_characters(text);
    if (wanted <= length) return call.put(row, text.substr(0, byte_of_character(text, wanted)));
    if (fill.empty()) return call.put_operand(row, 0);
    const std::string beside = padding(fill, wanted - length);
    char* to = call.put_room(row, static_cast<std::int64_t>(text.size() + beside.size()));
    to = copy_to(to, before ? std::string_view(beside) : text);
    copy_to(to, before ? text : std::string_view(beside));
  });
}

}  // namespace

void run_text_append(TextCall& call) {
  call.each_row([&](std::int64_t row) { join(call, row, 0, {}); });
}

void run_concat(TextCall& call) {
  call.each_row([&](std::int64_t row) { join(call, row, 0, {}); });
}

void run_concat_ws(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    if (!call.operands[0].is_valid(row)) return call.put_null(row);
    join(call, row, 1, call.operands[0].text(row));
  });
}

void run_lpad(TextCall& call) {
  pad_rows(call, true);
}

void run_rpad(TextCall& call) {
  pad_rows(call, false);
}

void run_repeat(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    const std::int64_t times = std::max<std::int64_t>(call.operands[1].integer(row), 0);
    char* to = call.put_room(row, static_cast<std::int64_t>(text.size()) * times);
    if (text.empty()) return;
    for (std::int64_t i = 0; i < times; ++i) to = copy_to(to, text);
  });
}

// The second string in the place of characters [start, start + count) of the first.
void run_overlay(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row), placed = call.operands[1].text(row);
    const std::int64_t start = call.operands[2].integer(row), count = call.operands[3].integer(row);
    if (start <= 0) throw Error("22011", "negative substring length not allowed");
    if (start + count > INT32_MAX) throw Error(sqlstate::kNumericValueOutOfRange, "integer out of range");
    const std::string_view head = text.substr(0, byte_of_character(text, start - 1));
    const std::string_view tail = text.substr(byte_of_character(text, std::max<std::int64_t>(start + count, 1) - 1));
    char* to = call.put_room(row, static_cast<std::int64_t>(head.size() + placed.size() + tail.size()));
    copy_to(copy_to(copy_to(to, head), placed), tail);
  });
}

void run_chr(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::int64_t code = call.operands[0].integer(row);
    if (code < 0) throw Error(sqlstate::kInvalidParameterValue, "character number must be positive");
    if (code == 0) throw Error("54000", "null character not permitted");
    if (code > 0x10FFFF) throw Error("54000", "requested character too large for encoding: " + std::to_string(code));
    if (code >= 0xD800 && code <= 0xDFFF)
      throw Error("54000", "requested character not valid for encoding: " + std::to_string(code));
    std::string text;
    append_character(text, static_cast<char32_t>(code));
    call.put(row, text);
  });
}

void run_md5(TextCall& call) {
  call.each_row([&](std::int64_t row) { call.put(row, md5_hex(call.operands[0].text(row))); });
}

// The second operand: the bytes of the number's type.
void run_to_hex(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    auto value = static_cast<std::uint64_t>(call.operands[0].integer(row));
    if (call.operands[1].integer(row) < 8) value &= 0xFFFFFFFFU;
    std::string text;
    do {
      text.insert(text.begin(), "0123456789abcdef"[value & 15]);
      value >>= 4;
    } while (value != 0);
    call.put(row, text);
  });
}

void run_quote_literal(TextCall& call) {
  call.each_row([&](std::int64_t row) {
    const std::string_view text = call.operands[0].text(row);
    std::string quoted = text.find('\\') == std::string_view::npos ? "'" : "E'";
    for (const char c : text) quoted.append(c == '\'' || c == '\\' ? 2 : 1, c);
    call.put(row, quoted + "'");
  });
}

}  // namespace saccade::text_impl
