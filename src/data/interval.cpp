// Reads intervals as PostgreSQL does, and packs them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

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

constexpr std::array<Unit, 58> kUnits = {{
    {"millennium", 12000},
    {"millennia", 12000},
    {"mil", 12000},
    {"mils", 12000},
    {"century", 1200},
    {"centuries", 1200},
    {"cent", 1200},
    {"c", 1200},
    {"decade", 120},
    {"decades", 120},
    {"dec", 120},
    {"decs", 120},
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
    {"millisecond", 0, 0, 1000},
    {"milliseconds", 0, 0, 1000},
    {"millisecon", 0, 0, 1000},
    {"msec", 0, 0, 1000},
    {"msecs", 0, 0, 1000},
    {"msecond", 0, 0, 1000},
    {"mseconds", 0, 0, 1000},
    {"ms", 0, 0, 1000},
    {"microsecond", 0, 0, 1},
    {"microseconds", 0, 0, 1},
    {"microsecon", 0, 0, 1},
    {"usec", 0, 0, 1},
    {"usecs", 0, 0, 1},
    {"usecond", 0, 0, 1},
    {"useconds", 0, 0, 1},
    {"us", 0, 0, 1},
}};

[[noreturn]] void raise_syntax(std::string_view text) {
  throw Error(sqlstate::kInvalidDatetimeFormat, fmt::format("invalid input syntax for type interval: \"{}\"", text), 0,
              "Write an interval as '90 days', '1 year 2 months' or '03:04:05'.");
}

[[noreturn]] void raise_range(std::string_view text) {
  throw Error("22015", fmt::format("interval field value out of range: \"{}\"", text));
}

const Unit* find_unit(std::string_view name) {
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
  return unit == kUnits.end() ? nullptr : &*unit;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Sums in 128 bits; what leaves the ranges of an Interval is found at the end.
struct Total {
  int128 months = 0, days = 0, microseconds = 0;
};

// A number as it is written: its whole part, and the fraction with the number's sign.
struct Number {
  int128 whole = 0;
  double fraction = 0;
};

// A fraction of `scale` microseconds, to the nearest one.
int128 fraction_of(double fraction, double scale) {
  double value = fraction * scale;
  auto whole = static_cast<int128>(value);
  value -= static_cast<double>(whole);
  return value > 0.5 ? whole + 1 : value < -0.5 ? whole - 1 : whole;
}

// A fraction of a month spills into days of 30 a month, one of a day into time; one of a year into whole months.
void add_unit(Total& total, const Number& number, const Unit& unit) {
  if (unit.months != 0) {
    total.months += number.whole * unit.months;
    if (unit.months > 1) {
      total.months += static_cast<int128>(std::rint(number.fraction * unit.months));
      return;
    }
  } else if (unit.days == 0) {
    total.microseconds += number.whole * unit.microseconds;
    total.microseconds += fraction_of(number.fraction, static_cast<double>(unit.microseconds));
    return;
  }
  if (unit.days != 0) total.days += number.whole * unit.days;
  const double days = number.fraction * (unit.months != 0 ? 30 : unit.days);
  const auto whole_days = static_cast<int128>(days);
  total.days += whole_days;
  total.microseconds += fraction_of(days - static_cast<double>(whole_days), static_cast<double>(kDay));
}

// Reads a text from left to right into tokens: numbers with their signs, times, years with months, words.
class IntervalParser {
 public:
  // `minutes_first`: 3:04 is three minutes and four seconds.
  IntervalParser(std::string_view text, std::string_view field, bool minutes_first)
      : text_(text), field_(field), minutes_first_(minutes_first) {
    for (const char c : text) {
      lower_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '\t' || c == '\n' ? ' ' : c;
    }
    rest_ = lower_;
  }

  Total parse() {
    skip();
    if (rest_.starts_with('p')) return parse_iso();
    while (!rest_.empty()) {
      tokens_.push_back(token());
      skip();
    }
    bool ago = false;
    if (!tokens_.empty() && tokens_.back() == "ago") {
      ago = true;
      tokens_.pop_back();
    }
    if (tokens_.empty()) raise_syntax(text_);
    add_tokens();
    if (ago) total_ = {-total_.months, -total_.days, -total_.microseconds};
    return total_;
  }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '@')) rest_.remove_prefix(1);
  }

  std::string token() {
    std::string result;
    if (rest_.front() == '+' || rest_.front() == '-') {
      result = rest_.front();
      rest_.remove_prefix(1);
      skip();
    }
    const bool number = !rest_.empty() && (is_digit(rest_.front()) || rest_.front() == '.');
    if (!number && (!result.empty() || rest_.front() < 'a' || rest_.front() > 'z')) raise_syntax(text_);
    std::size_t length = 0;
    const auto belongs = [&](char c) {
      if (!number) return c >= 'a' && c <= 'z';
      return is_digit(c) || c == '.' || c == ':' || (c == '-' && length + 1 < rest_.size() && is_digit(rest_[length + 1]));
    };
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    result += rest_.substr(0, length);
    rest_.remove_prefix(length);
    return result;
  }

  // From the last token to the first: a unit stands behind its number, and a number without one before a time counts days.
  void add_tokens() {
    std::string_view unit = field_.empty() ? "second" : field_;
    bool unit_used = true;
    for (std::size_t i = tokens_.size(); i-- > 0;) {
      const std::string_view token = tokens_[i];
      if (token.front() >= 'a' && token.front() <= 'z') {
        if (!unit_used) raise_syntax(text_);
        unit = token;
        unit_used = false;
        if (find_unit(unit) == nullptr) raise_syntax(text_);
        continue;
      }
      if (token.find(':') != std::string_view::npos) {
        if (!unit_used) raise_syntax(text_);
        for (const std::int64_t of_time : {kHour, kMinute, kSecond}) see({"", 0, 0, of_time});
        total_.microseconds += time_of(token);
        unit = "day";
        continue;
      }
      const std::string_view digits = token.front() == '-' || token.front() == '+' ? token.substr(1) : token;
      if (digits.find('-') != std::string_view::npos) {
        if (!unit_used) raise_syntax(text_);
        total_.months += months_of(digits, token.front() == '-');
        continue;
      }
      const Unit* found = find_unit(unit);
      see(*found);
      add_unit(total_, number_of(token), *found);
      unit_used = true;
      unit = found->microseconds == kHour ? "day" : "second";
    }
    if (!unit_used) raise_syntax(text_);
  }

  // Each unit but the week may occur once.
  void see(const Unit& unit) {
    const bool week = unit.days == 7;
    const auto same = [&](const Unit& other) {
      return other.months == unit.months && other.days == unit.days && other.microseconds == unit.microseconds;
    };
    if (!week && std::any_of(seen_.begin(), seen_.end(), same)) raise_syntax(text_);
    seen_.push_back(unit);
  }

  Number number_of(std::string_view token) const {
    const bool negative = token.starts_with('-');
    if (negative || token.starts_with('+')) token.remove_prefix(1);
    const std::size_t point = token.find('.');
    const std::string_view whole = token.substr(0, point);
    Number number;
    if (whole.size() > 19) raise_range(text_);
    for (const char c : whole) {
      if (!is_digit(c)) raise_syntax(text_);
      number.whole = number.whole * 10 + (c - '0');
    }
    if (point != std::string_view::npos) {
      const std::string fraction = "0" + std::string(token.substr(point));
      const auto [end, error] = std::from_chars(fraction.data(), fraction.data() + fraction.size(), number.fraction);
      if (error != std::errc() || end != fraction.data() + fraction.size()) raise_syntax(text_);
    }
    if (token.size() == 1 && point == 0) raise_syntax(text_);
    if (negative) number = {-number.whole, -number.fraction};
    return number;
  }

  // hours:minutes[:seconds], or minutes:seconds where a fraction or the field says so.
  int128 time_of(std::string_view token) const {
    const bool negative = token.starts_with('-');
    if (negative || token.starts_with('+')) token.remove_prefix(1);
    std::array<std::string_view, 3> parts;
    std::size_t count = 0;
    while (true) {
      const std::size_t colon = token.find(':');
      if (count == 3) raise_syntax(text_);
      parts[count++] = token.substr(0, colon);
      if (colon == std::string_view::npos) break;
      token.remove_prefix(colon + 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const bool fraction = i + 1 == count && i > 0;
      if (parts[i].empty() || parts[i].find('-') != std::string_view::npos) raise_syntax(text_);
      if (!fraction && parts[i].find('.') != std::string_view::npos) raise_syntax(text_);
    }
    if (count == 2 && (minutes_first_ || parts[1].find('.') != std::string_view::npos)) parts = {"0", parts[0], parts[1]};
    if (parts[2].empty()) parts[2] = "0";
    const Number hours = number_of(parts[0]), minutes = number_of(parts[1]), seconds = number_of(parts[2]);
    if (minutes.whole > 59 || seconds.whole > 60) raise_range(text_);
    const auto fraction = static_cast<int128>(std::rint(seconds.fraction * kSecond));
    const int128 time = hours.whole * kHour + minutes.whole * kMinute + seconds.whole * kSecond + fraction;
    return negative ? -time : time;
  }

  // years-months
  int128 months_of(std::string_view token, bool negative) const {
    const std::size_t dash = token.find('-');
    if (token.find('.') != std::string_view::npos) raise_syntax(text_);
    const Number years = number_of(token.substr(0, dash)), months = number_of(token.substr(dash + 1));
    if (months.whole > 11) raise_range(text_);
    const int128 total = years.whole * 12 + months.whole;
    return negative ? -total : total;
  }

  // P1Y2M3W4DT5H6M7S; P0001-02-03T04:05:06.
  Total parse_iso() {
    rest_.remove_prefix(1);
    bool in_time = false, any = false;
    while (!rest_.empty() && rest_.back() == ' ') rest_.remove_suffix(1);
    while (!rest_.empty()) {
      if (rest_.front() == 't' && !in_time) {
        in_time = true;
        rest_.remove_prefix(1);
        continue;
      }
      const std::string_view number = rest_.substr(0, rest_.find_first_not_of("+-.0123456789:"));
      rest_.remove_prefix(number.size());
      if (number.empty()) raise_syntax(text_);
      any = true;
      if (in_time && number.find(':') != std::string_view::npos) {
        total_.microseconds += time_of(number);
        continue;
      }
      if (!in_time && number.find('-', 1) != std::string_view::npos) {
        add_iso_date(number);
        continue;
      }
      if (rest_.empty()) raise_syntax(text_);
      const std::string_view designator = rest_.substr(0, 1);
      rest_.remove_prefix(1);
      const std::string_view unit = designator == "m" && !in_time ? "mon" : designator;
      const bool of_time = unit == "h" || unit == "m" || unit == "s";
      const bool of_date = unit == "y" || unit == "mon" || unit == "w" || unit == "d";
      if ((in_time && !of_time) || (!in_time && !of_date)) raise_syntax(text_);
      add_unit(total_, number_of(number), *find_unit(unit));
    }
    if (!any) raise_syntax(text_);
    return total_;
  }

  void add_iso_date(std::string_view number) {
    const std::size_t first = number.find('-', 1), second = number.find('-', first + 1);
    total_.months += number_of(number.substr(0, first)).whole * 12;
    const std::size_t length = second == std::string_view::npos ? second : second - first - 1;
    total_.months += number_of(number.substr(first + 1, length)).whole;
    if (second != std::string_view::npos) total_.days += number_of(number.substr(second + 1)).whole;
  }

  std::string_view text_, field_;
  bool minutes_first_ = false;
  std::string lower_;
  std::string_view rest_;
  std::vector<std::string> tokens_;
  std::vector<Unit> seen_;
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

constexpr std::int64_t kPartLimit = std::int64_t{1} << 27;  // as kIntervalPartLimit of function/scalar/interval.hpp

}  // namespace

Interval parse_interval(std::string_view text, std::string_view field) {
  const bool minutes_first = field == "minute to second";
  const std::size_t range = field.rfind(' ');  // "day to hour": the last field counts
  if (range != std::string_view::npos) field.remove_prefix(range + 1);
  const Total total = IntervalParser(text, field, minutes_first).parse();
  Interval interval{narrowed<std::int32_t>(total.months, text), narrowed<std::int32_t>(total.days, text),
                    narrowed<std::int64_t>(total.microseconds, text)};
  cut_to_field(interval, field);
  pack_interval(interval);  // raises what leaves the range
  return interval;
}

int128 pack_interval(const Interval& interval) {
  const std::int64_t months = interval.months, days = interval.days;
  if (months < -kPartLimit || months >= kPartLimit || days < -kPartLimit || days >= kPartLimit) {
    throw Error(sqlstate::kDatetimeFieldOverflow, "interval out of range", 0,
                "The months and the days of an interval are at most 134,217,727 each.");
  }
  const int128 sum = static_cast<int128>(months * 30 + days) * kDay + interval.microseconds;
  const auto low = static_cast<std::uint64_t>(months + kPartLimit) << 28 | static_cast<std::uint64_t>(days + kPartLimit);
  return static_cast<int128>(static_cast<uint128>(sum) << 56 | low);
}

Interval unpack_interval(int128 packed) {
  const std::uint64_t low = static_cast<std::uint64_t>(packed) & 0xffffffffffffffULL;
  const std::int64_t months = static_cast<std::int64_t>(low >> 28) - kPartLimit;
  const std::int64_t days = static_cast<std::int64_t>(low & 0xfffffffULL) - kPartLimit;
  const int128 rest = (packed >> 56) - static_cast<int128>(months * 30 + days) * kDay;
  return {static_cast<std::int32_t>(months), static_cast<std::int32_t>(days), static_cast<std::int64_t>(rest)};
}

}  // namespace saccade
