#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "common/error.hpp"
#include "data/value.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kSecond = 1000000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

// One of the three parts is set: what 1 of the unit is.
struct Unit {
  std::string_view name;
  int months = 0;
  int days = 0;
  std::int64_t microseconds = 0;
};

constexpr std::array<Unit, 38> kUnits = {{
    {"millennium", 12000},
    {"millennia", 12000},
    {"century", 1200},
    {"centuries", 1200},
    {"decade", 120},
    {"decades", 120},
    {"year", 12},
    {"years", 12},
    {"yr", 12},
    {"yrs", 12},
    {"y", 12},
    {"month", 1},
    {"months", 1},
    {"mon", 1},
    {"mons", 1},
    {"week", 0, 7},
    {"weeks", 0, 7},
    {"w", 0, 7},
    {"day", 0, 1},
    {"days", 0, 1},
    {"d", 0, 1},
    {"hour", 0, 0, kHour},
    {"hours", 0, 0, kHour},
    {"hr", 0, 0, kHour},
    {"hrs", 0, 0, kHour},
    {"h", 0, 0, kHour},
    {"minute", 0, 0, kMinute},
    {"minutes", 0, 0, kMinute},
    {"min", 0, 0, kMinute},
    {"mins", 0, 0, kMinute},
    {"m", 0, 0, kMinute},
    {"second", 0, 0, kSecond},
    {"seconds", 0, 0, kSecond},
    {"sec", 0, 0, kSecond},
    {"secs", 0, 0, kSecond},
    {"s", 0, 0, kSecond},
    {"milliseconds", 0, 0, 1000},
    {"microseconds", 0, 0, 1},
}};

[[noreturn]] void raise_syntax(std::string_view text) {
  throw Error(sqlstate::kInvalidDatetimeFormat, fmt::format("invalid input syntax for type interval: \"{}\"", text), 0,
              "Write an interval as '90 days', '1 year 2 months' or '03:04:05'.");
}

[[noreturn]] void raise_range(std::string_view text) {
  throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("interval field value out of range: \"{}\"", text));
}

const Unit* find_unit(std::string_view name) {
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
  return unit == kUnits.end() ? nullptr : &*unit;
}

// Sums in 128 bits; what leaves the ranges of an Interval is found at the end.
struct Total {
  int128 months = 0, days = 0, microseconds = 0;
};

// `number` is value * 10^-scale of one unit; a fraction of a month spills into days of 30 a month, one of a day into time.
void add_unit(Total& total, int128 value, int scale, const Unit& unit) {
  const int128 one = power_of_ten(scale);
  if (unit.months != 0) {
    total.months += value * unit.months / one;
    if (unit.months == 1) {
      const int128 days = value % one * 30;
      total.days += days / one;
      total.microseconds += days % one * kDay / one;
    }
  } else if (unit.days != 0) {
    total.days += value * unit.days / one;
    total.microseconds += value * unit.days % one * kDay / one;
  } else {
    total.microseconds += value * unit.microseconds / one;
  }
}

class IntervalParser {
 public:
  IntervalParser(std::string_view text, std::string_view default_unit) : text_(text), unit_(default_unit) {
    rest_ = std::string(text);
    std::transform(rest_.begin(), rest_.end(), rest_.begin(), [](unsigned char c) { return std::tolower(c); });
  }

  Total parse() {
    skip_blanks();
    bool any = false, ago = false;
    while (at_ < rest_.size()) {
      if (ago) raise_syntax(text_);
      if (any && rest_.compare(at_, 3, "ago") == 0) {
        at_ += 3;
        ago = true;
      } else {
        part();
        any = true;
      }
      skip_blanks();
    }
    if (!any) raise_syntax(text_);
    if (ago) total_ = {-total_.months, -total_.days, -total_.microseconds};
    return total_;
  }

 private:
  void skip_blanks() {
    while (at_ < rest_.size() && rest_[at_] == ' ') ++at_;
  }
  bool at_digit() const { return at_ < rest_.size() && rest_[at_] >= '0' && rest_[at_] <= '9'; }
  bool accept(char c) {
    if (at_ == rest_.size() || rest_[at_] != c) return false;
    ++at_;
    return true;
  }
  // At most 15 digits in all: more than any part of an interval can hold, and far from what 128 bits overflow at.
  int128 digits(int& count) {
    int128 value = 0;
    for (; at_digit(); ++at_) {
      if (++count > 15) raise_range(text_);
      value = value * 10 + (rest_[at_] - '0');
    }
    return value;
  }
  // The fraction behind a point as millionths; further digits must be zero for the value to be exact.
  int128 micro_fraction() {
    int128 value = 0;
    int count = 0;
    for (; at_digit(); ++at_, ++count) {
      if (count < 6) value = value * 10 + (rest_[at_] - '0');
      if (count == 6 && rest_[at_] >= '5') ++value;
    }
    for (; count < 6; ++count) value *= 10;
    return value;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[at_])) != 0) ++at_;
    return std::string_view(rest_).substr(begin, at_ - begin);
  }

  // One of: a number with its unit, a time of day, years and months as 1-2, or a bare number.
  void part() {
    const bool negative = accept('-');
    if (!negative) accept('+');
    int count = 0;
    int128 value = digits(count);
    if (count > 0 && accept(':')) return time(value, negative);
    if (count > 0 && at_ + 1 < rest_.size() && rest_[at_] == '-' && rest_[at_ + 1] >= '0' && rest_[at_ + 1] <= '9') {
      ++at_;
      int month_digits = 0;
      const int128 months = digits(month_digits);
      if (months > 11) raise_range(text_);
      total_.months += negative ? -(value * 12 + months) : value * 12 + months;
      return;
    }
    int scale = 0;
    if (accept('.')) {
      const std::size_t begin = at_;
      value = value * 1000000 + micro_fraction();
      scale = 6;
      if (at_ == begin && count == 0) raise_syntax(text_);
    } else if (count == 0) {
      raise_syntax(text_);
    }
    skip_blanks();
    const std::size_t mark = at_;
    std::string_view name = word();
    if (name.empty() || name == "ago") {
      at_ = mark;
      name = unit_;
    }
    const Unit* unit = find_unit(name);
    if (unit == nullptr) raise_syntax(text_);
    add_unit(total_, negative ? -value : value, scale, *unit);
  }

  void time(const int128& hours, bool negative) {
    int count = 0;
    const int128 minutes = digits(count);
    int128 seconds = 0, fraction = 0;
    int second_digits = 1;
    if (accept(':')) {
      second_digits = 0;
      seconds = digits(second_digits);
      if (accept('.')) fraction = micro_fraction();
    }
    if (count == 0 || second_digits == 0) raise_syntax(text_);
    if (minutes > 59 || seconds > 59) raise_range(text_);
    const int128 value = hours * kHour + minutes * kMinute + seconds * kSecond + fraction;
    total_.microseconds += negative ? -value : value;
  }

  std::string_view text_, unit_;
  std::string rest_;
  std::size_t at_ = 0;
  Total total_;
};

template <class T>
T narrowed(const int128& value, std::string_view text) {
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) raise_range(text);
  return static_cast<T>(value);
}

// interval '...' hour: what is finer than the field is cut off.
void cut_to_field(Interval& interval, std::string_view field) {
  if (field == "year") interval.months = interval.months / 12 * 12;
  if (field == "year" || field == "month") interval.days = 0;
  if (field == "year" || field == "month" || field == "day") interval.microseconds = 0;
  if (field == "hour") interval.microseconds = interval.microseconds / kHour * kHour;
  if (field == "minute") interval.microseconds = interval.microseconds / kMinute * kMinute;
}

}  // namespace

Interval parse_interval(std::string_view text, std::string_view field) {
  const std::size_t range = field.rfind(' ');  // "day to hour": the last field counts
  if (range != std::string_view::npos) field.remove_prefix(range + 1);
  const Total total = IntervalParser(text, field.empty() ? "second" : field).parse();
  Interval interval{narrowed<std::int32_t>(total.months, text), narrowed<std::int32_t>(total.days, text),
                    narrowed<std::int64_t>(total.microseconds, text)};
  cut_to_field(interval, field);
  return interval;
}

}  // namespace saccade
