// Regular expressions in PostgreSQL's notation, run by RE2.
//
// What differs from PostgreSQL: no back references, no look-ahead and look-behind, no \m and \M (0A000). The longest of the
// leftmost matches counts, as in PostgreSQL, unless the expression has a non-greedy quantifier; then the first alternative
// does.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saccade {

// Letters of a flags argument. Errors: 22023 for an unknown one, 0A000 for b and x.
struct RegexFlags {
  bool ignore_case = false;
  bool dot_is_not_newline = false;  // nor is a bracket that excludes
  bool lines = false;               // ^ and $ at lines
  bool literal = false;
  bool global = false;
};
RegexFlags parse_regex_flags(std::string_view letters, RegexFlags flags = {});

class Regex {
 public:
  // Errors: 2201B where the expression is wrong, 0A000, 54000 where it is too large.
  Regex(std::string_view pattern, RegexFlags flags);

  struct Match {
    std::size_t begin = 0, end = 0;
    std::vector<std::string_view> groups;  // those asked for, the whole match first; of one without a part in it data() is null
  };
  // The first match at or after byte `from`, with `groups` groups besides the whole.
  std::optional<Match> find(std::string_view text, std::size_t from, int groups) const;
  bool matches(std::string_view text) const;
  int group_count() const { return regex_->NumberOfCapturingGroups(); }

 private:
  std::unique_ptr<re2::RE2> regex_;
};

}  // namespace saccade
