// The SQL functions of regular expressions.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "function/text/characters.hpp"
#include "function/text/implementations.hpp"
#include "function/text/regular.hpp"

namespace saccade::text_impl {
namespace {

struct PreparedRegex : TextPrepared {
  PreparedRegex(std::string_view pattern, const RegexFlags& flags_in) : flags(flags_in), regex(pattern, flags_in) {}
  RegexFlags flags;
  Regex regex;
};

// The regular expression of each row: prepared, or compiled where it differs from the last row's.
class RowRegex {
 public:
  RowRegex(const TextCall& call, int flags) : call_(call), flags_(flags) {}

  const PreparedRegex& at(std::int64_t row) {
    if (call_.prepared != nullptr) return *static_cast<const PreparedRegex*>(call_.prepared);
    const std::string_view pattern = call_.operands[1].text(row);
    const std::string_view letters =
        flags_ < 0 ? std::string_view() : call_.operands[static_cast<std::size_t>(flags_)].text(row);
    if (!last_ || pattern_ != pattern || letters_ != letters) {
      pattern_ = pattern;
      letters_ = letters;
      last_.emplace(pattern, parse_regex_flags(letters));
    }
    return *last_;
  }

 private:
  const TextCall& call_;
  int flags_;
  std::string pattern_, letters_;
  std::optional<PreparedRegex> last_;
};

[[noreturn]] void invalid_parameter(std::string_view parameter, std::int64_t value) {
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid value for parameter \"{}\": {}", parameter, value));
}

void refuse_global(const RegexFlags& flags, std::string_view function) {
  if (flags.global)
    throw Error(sqlstate::kInvalidParameterValue, fmt::format("{}() does not support the \"global\" option", function));
}

// Where the search after `match` begins: a match without characters is not found a second time.
std::size_t behind(std::string_view text, const Regex::Match& match) {
  if (match.end > match.begin) return match.end;
  return match.end < text.size() ? match.end + character_bytes(text[match.end]) : text.size() + 1;
}

// Match `number` (from 1 on) at or after character `start` (from 1 on).
std::optional<Regex::Match> nth_match(const Regex& regex, std::string_view text, std::int64_t start, std::int64_t number,
                                      int groups) {
  if (start > count_characters(text) + 1) return std::nullopt;
  std::size_t from = byte_of_character(text, start - 1);
  while (from <= text.size()) {
    auto match = regex.find(text, from, groups);
    if (!match || --number == 0) return match;
    from = behind(text, *match);
  }
  return std::nullopt;
}

// What \1 to \9 and \& stand for is put in.
void append_replacement(std::string& out, std::string_view replacement, const Regex::Match& match) {
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char next = replacement[i] == '\\' && i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (next == '&' || (next >= '1' && next <= '9')) {
      const auto group = static_cast<std::size_t>(next == '&' ? 0 : next - '0');
      if (group < match.groups.size() && match.groups[group].data() != nullptr) out += match.groups[group];
      ++i;
    } else if (next == '\\') {
      out += '\\';
      ++i;
    } else {
      out += replacement[i];
    }
  }
}

// Match `number` at or after character `start` replaced; 0: all of them.
std::string replaced(const Regex& regex, std::string_view text, std::string_view replacement, std::int64_t start,
                     std::int64_t number) {
  std::string out;
  std::size_t copied = 0;
  std::int64_t count = 0;
  std::size_t from = start > count_characters(text) + 1 ? text.size() + 1 : byte_of_character(text, start - 1);
  while (from <= text.size()) {
    const auto match = regex.find(text, from, std::min(regex.group_count(), 9));
    if (!match) break;
    ++count;
    from = behind(text, *match);
    if (number != 0 && count != number) continue;
    out += text.substr(copied, match->begin - copied);
    append_replacement(out, replacement, *match);
    copied = match->end;
    if (static_cast<std::int64_t>(out.size()) > kMaxTextBytes) break;  // an error when it is put out
    if (number != 0) break;
  }
  out += text.substr(copied);
  return out;
}

}  // namespace

template <int flags>
std::shared_ptr<const TextPrepared> prepare_regex(Constants constants) {
  if (!constants[1]) return nullptr;
  std::string_view letters;
  if constexpr (flags >= 0) {
    if (!constants[flags]) return nullptr;
    letters = constants[flags]->text(0);
  }
  return std::make_shared<const PreparedRegex>(constants[1]->text(0), parse_regex_flags(letters));
}

template std::shared_ptr<const TextPrepared> prepare_regex<-1>(Constants constants);
template std::shared_ptr<const TextPrepared> prepare_regex<2>(Constants constants);
template std::shared_ptr<const TextPrepared> prepare_regex<3>(Constants constants);
template std::shared_ptr<const TextPrepared> prepare_regex<4>(Constants constants);
template std::shared_ptr<const TextPrepared> prepare_regex<5>(Constants constants);

void run_regexp_like(TextCall& call) {
  RowRegex regexes(call, 2);
  call.each_row([&](std::int64_t row) {
    const PreparedRegex& regex = regexes.at(row);
    refuse_global(regex.flags, "regexp_like");
    call.put_boolean(row, regex.regex.matches(call.operands[0].text(row)));
  });
}

void run_regexp_count(TextCall& call) {
  RowRegex regexes(call, 3);
  call.each_row([&](std::int64_t row) {
    const PreparedRegex& regex = regexes.at(row);
    refuse_global(regex.flags, "regexp_count");
    const std::string_view text = call.operands[0].text(row);
    const std::int64_t start = call.operands[2].integer(row);
    if (start <= 0) invalid_parameter("start", start);
    std::int64_t count = 0;
    std::size_t from = start > count_characters(text) + 1 ? text.size() + 1 : byte_of_character(text, start - 1);
    while (from <= text.size()) {
      const auto match = regex.regex.find(text, from, 0);
      if (!match) break;
      ++count;
      from = behind(text, *match);
    }
    call.put_integer(row, count);
  });
}

void run_regexp_substr(TextCall& call) {
  RowRegex regexes(call, 4);
  call.each_row([&](std::int64_t row) {
    const PreparedRegex& regex = regexes.at(row);
    refuse_global(regex.flags, "regexp_substr");
    const std::int64_t start = call.operands[2].integer(row), number = call.operands[3].integer(row);
    const std::int64_t group = call.operands[5].integer(row);
    if (start <= 0) invalid_parameter("start", start);
    if (number <= 0) invalid_parameter("n", number);
    if (group < 0) invalid_parameter("subexpr", group);
    if (group > regex.regex.group_count()) return call.put_null(row);
    const auto match = nth_match(regex.regex, call.operands[0].text(row), start, number, static_cast<int>(group));
    if (!match || match->groups[static_cast<std::size_t>(group)].data() == nullptr) return call.put_null(row);
    call.put(row, match->groups[static_cast<std::size_t>(group)]);
  });
}

// Arguments: text, pattern, start, N, end option (0: where the match begins, 1: behind it), flags, group.
void run_regexp_instr(TextCall& call) {
  RowRegex regexes(call, 5);
  call.each_row([&](std::int64_t row) {
    const PreparedRegex& regex = regexes.at(row);
    refuse_global(regex.flags, "regexp_instr");
    const std::string_view text = call.operands[0].text(row);
    const std::int64_t start = call.operands[2].integer(row), number = call.operands[3].integer(row);
    const std::int64_t end = call.operands[4].integer(row), group = call.operands[6].integer(row);
    if (start <= 0) invalid_parameter("start", start);
    if (number <= 0) invalid_parameter("n", number);
    if (end != 0 && end != 1) invalid_parameter("endoption", end);
    if (group < 0) invalid_parameter("subexpr", group);
    if (group > regex.regex.group_count()) return call.put_integer(row, 0);
    const auto match = nth_match(regex.regex, text, start, number, static_cast<int>(group));
    if (!match || match->groups[static_cast<std::size_t>(group)].data() == nullptr) return call.put_integer(row, 0);
    const std::string_view found = match->groups[static_cast<std::size_t>(group)];
    const auto begin = static_cast<std::size_t>(found.data() - text.data());
    call.put_integer(row, count_characters(text.substr(0, end == 0 ? begin : begin + found.size())) + 1);
  });
}

// Arguments: text, pattern, replacement, start, N (-1: as the flags say), flags.
void run_regexp_replace(TextCall& call) {
  RowRegex regexes(call, 5);
  call.each_row([&](std::int64_t row) {
    const PreparedRegex& regex = regexes.at(row);
    const std::int64_t start = call.operands[3].integer(row);
    std::int64_t number = call.operands[4].integer(row);
    if (start <= 0) invalid_parameter("start", start);
    if (number < -1) invalid_parameter("n", number);
    if (number == -1) number = regex.flags.global ? 0 : 1;
    call.put(row, replaced(regex.regex, call.operands[0].text(row), call.operands[2].text(row), start, number));
  });
}

// The first group of the first match, or all of it where the expression has no groups.
void run_substring_regex(TextCall& call) {
  RowRegex regexes(call, -1);
  call.each_row([&](std::int64_t row) {
    const Regex& regex = regexes.at(row).regex;
    const int group = std::min(regex.group_count(), 1);
    const auto match = regex.find(call.operands[0].text(row), 0, group);
    if (!match || match->groups.back().data() == nullptr) return call.put_null(row);
    call.put(row, match->groups.back());
  });
}

}  // namespace saccade::text_impl
