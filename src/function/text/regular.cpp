#include "function/text/regular.hpp"

#include <array>

#include <fmt/format.h>

#include "common/error.hpp"
#include "function/text/characters.hpp"

namespace saccade {
namespace {

[[noreturn]] void not_supported(std::string_view what) {
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} in a regular expression is not supported", what));
}

[[noreturn]] void invalid(std::string_view what) {
  throw Error("2201B", fmt::format("invalid regular expression: {}", what));
}

// PostgreSQL's expression in RE2's notation.
class Translator {
 public:
  Translator(std::string_view pattern, const RegexFlags& flags) : pattern_(pattern), flags_(flags) {}

  std::string translate() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\') {
        escape(false);
      } else if (c == '[') {
        bracket();
      } else if (c == '(') {
        group();
      } else {
        non_greedy_ |= c == '?' && at_ > 0 && quantifies(pattern_[at_ - 1]) && !escaped_before(at_ - 1);
        out_ += c;
        ++at_;
      }
    }
    return out_;
  }
  bool non_greedy() const { return non_greedy_; }

 private:
  static bool quantifies(char c) { return c == '*' || c == '+' || c == '?' || c == '}'; }
  bool escaped_before(std::size_t at) const {
    std::size_t backslashes = 0;
    while (backslashes < at && pattern_[at - backslashes - 1] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  void group() {
    const std::string_view rest = pattern_.substr(at_);
    for (const std::string_view look : {"(?=", "(?!", "(?<=", "(?<!"}) {
      if (rest.starts_with(look)) not_supported("looking ahead or behind");
    }
    if (rest.starts_with("(?") && !rest.starts_with("(?:")) invalid("quantifier operand invalid");
    const std::size_t size = rest.starts_with("(?:") ? 3 : 1;
    out_ += rest.substr(0, size);
    at_ += size;
  }

  void escape(bool within_bracket) {
    if (at_ + 1 == pattern_.size()) invalid("invalid escape \\ sequence");
    const char c = pattern_[at_ + 1];
    at_ += 2;
    if (!within_bracket && c >= '1' && c <= '9') not_supported("a back reference");
    switch (c) {
      case 'w':
        out_ += within_bracket ? "\\pL\\pN_" : "[\\pL\\pN_]";
        return;
      case 'W':
        if (within_bracket) not_supported("\\W within brackets");
        out_ += "[^\\pL\\pN_]";
        return;
      case 'y':
        out_ += "\\b";
        return;
      case 'Y':
        out_ += "\\B";
        return;
      case 'b':
        out_ += "\\x08";
        return;
      case 'B':
        out_ += "\\\\";
        return;
      case 'e':
        out_ += "\\x1b";
        return;
      case 'Z':
        out_ += "\\z";
        return;
      case 'm':
      case 'M':
        not_supported(fmt::format("\\{}", c));
      case 'u':
      case 'U': {
        const std::size_t digits = c == 'u' ? 4 : 8;
        out_ += fmt::format("\\x{{{}}}", pattern_.substr(at_, digits));
        at_ += digits;
        return;
      }
      default:
        break;
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      out_ += c;  // a letter beyond ASCII stands for itself
      return;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter && std::string_view("AadDnrtfvsSx0").find(c) == std::string_view::npos) invalid("invalid escape \\ sequence");
    out_ += '\\';
    out_ += c;
  }

  void bracket() {
    out_ += pattern_[at_++];
    if (at_ < pattern_.size() && pattern_[at_] == '^') {
      out_ += pattern_[at_++];
      if (flags_.dot_is_not_newline) out_ += "\\n";
    }
    bool first = true;
    while (at_ < pattern_.size() && (first || pattern_[at_] != ']')) {
      const char c = pattern_[at_];
      const std::string_view rest = pattern_.substr(at_);
      if (rest.starts_with("[:")) {
        character_class();
      } else if (rest.starts_with("[.") || rest.starts_with("[=")) {
        not_supported("a collating element");
      } else if (c == '\\') {
        escape(true);
      } else {
        if (c == '[' || (first && c == ']')) out_ += '\\';
        out_ += c;
        ++at_;
      }
      first = false;
    }
    if (at_ == pattern_.size()) invalid("brackets [] not balanced");
    out_ += pattern_[at_++];
  }

  void character_class() {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kLetters = {{
        {"[:alpha:]", "\\pL"},
        {"[:alnum:]", "\\pL\\pN"},
        {"[:upper:]", "\\p{Lu}"},
        {"[:lower:]", "\\p{Ll}"},
        {"[:word:]", "\\pL\\pN_"},
    }};
    const std::size_t end = pattern_.find(":]", at_ + 2);
    if (end == std::string_view::npos) invalid("brackets [] not balanced");
    const std::string_view name = pattern_.substr(at_, end + 2 - at_);
    at_ = end + 2;
    for (const auto& [key, letters] : kLetters) {
      if (key == name) {
        out_ += letters;
        return;
      }
    }
    out_ += name;
  }

  std::string_view pattern_;
  const RegexFlags& flags_;
  std::size_t at_ = 0;
  std::string out_;
  bool non_greedy_ = false;
};

}  // namespace

RegexFlags parse_regex_flags(std::string_view letters, RegexFlags flags) {
  for (const char c : letters) {
    switch (c) {
      case 'g':
        flags.global = true;
        break;
      case 'i':
        flags.ignore_case = true;
        break;
      case 'c':
        flags.ignore_case = false;
        break;
      case 'm':
      case 'n':
        flags.dot_is_not_newline = flags.lines = true;
        break;
      case 'p':
        flags.dot_is_not_newline = true;
        flags.lines = false;
        break;
      case 'w':
        flags.dot_is_not_newline = false;
        flags.lines = true;
        break;
      case 's':
        flags.dot_is_not_newline = flags.lines = false;
        break;
      case 'q':
        flags.literal = true;
        break;
      case 'e':
      case 't':
        break;
      case 'b':
      case 'x':
        not_supported(fmt::format("the option \"{}\"", c));
      default:
        throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid regular expression option: \"{}\"", c));
    }
  }
  return flags;
}

Regex::Regex(std::string_view pattern, RegexFlags flags) {
  // Options at its beginning: (?in)...
  const std::size_t end = pattern.starts_with("(?") ? pattern.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 2) : 0;
  if (!flags.literal && end > 2 && end != std::string_view::npos && pattern[end] == ')') {
    flags = parse_regex_flags(pattern.substr(2, end - 2), flags);
    pattern.remove_prefix(end + 1);
  }
  if (pattern.starts_with("***")) not_supported("a director (***)");
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!flags.ignore_case);
  options.set_dot_nl(!flags.dot_is_not_newline);
  std::string translated(pattern);
  if (flags.literal) {
    options.set_literal(true);
  } else {
    Translator translator(pattern, flags);
    translated = translator.translate();
    if (flags.lines) translated = "(?m:" + translated + ")";
    options.set_longest_match(!translator.non_greedy());
  }
  regex_ = std::make_unique<re2::RE2>(re2::StringPiece(translated), options);
  if (regex_->ok()) return;
  if (regex_->error_code() == re2::RE2::ErrorPatternTooLarge) throw Error("54000", "regular expression is too complex");
  invalid(regex_->error());
}

std::optional<Regex::Match> Regex::find(std::string_view text, std::size_t from, int groups) const {
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups) + 1);
  const re2::StringPiece whole(text.data(), text.size());
  if (!regex_->Match(whole, from, text.size(), re2::RE2::UNANCHORED, found.data(), groups + 1)) return std::nullopt;
  Match match;
  match.begin = static_cast<std::size_t>(found[0].data() - text.data());
  match.end = match.begin + found[0].size();
  for (const re2::StringPiece& piece : found) match.groups.emplace_back(piece.data(), piece.size());
  return match;
}

bool Regex::matches(std::string_view text) const {
  return regex_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace saccade
