// Reads dates, times and timestamps in the forms that PostgreSQL reads with DateStyle ISO, MDY.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "common/error.hpp"
#include "data/date_time.hpp"
#include "data/time_zone.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kSecond = 1000000;
constexpr std::int64_t kDay = 86400 * kSecond;

constexpr std::array<std::string_view, 12> kMonths = {"january", "february", "march",     "april",   "may",      "june",
                                                      "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sunday",   "monday", "tuesday", "wednesday",
                                                       "thursday", "friday", "saturday"};

enum class Special : std::uint8_t { kNone, kEpoch, kNow, kToday, kTomorrow, kYesterday };

struct DateTimeInput {
  bool has_date = false, has_time = false;
  std::int64_t days = 0;
  std::int64_t time = 0;  // microseconds; 24:00:00 and a leap second reach the next day
  std::optional<int> offset;
  const TimeZone* zone = nullptr;
  Special special = Special::kNone;
};

// The number of a name that `word` is, or abbreviates to at least three letters; 0 where it is none.
template <std::size_t N>
int number_of_name(const std::array<std::string_view, N>& names, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i) {
    const bool other = word == "sept" || word == "tues" || word == "thur" || word == "thurs";
    if (word.size() >= 3 && names[i].starts_with(word) && (word.size() == 3 || word.size() == names[i].size() || other))
      return static_cast<int>(i) + 1;
  }
  return 0;
}

class DateTimeParser {
 public:
  DateTimeParser(std::string_view type, std::string_view text) : type_(type), text_(text), lower_(text) {
    for (char& c : lower_) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '\t' || c == '\n' ? ' ' : c;
    rest_ = lower_;
  }

  DateTimeInput parse() {
    skip();
    if (rest_.empty()) fail();
    while (!rest_.empty()) {
      part();
      skip();
    }
    finish();
    return result_;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(sqlstate::kInvalidDatetimeFormat, fmt::format("invalid input syntax for type {}: \"{}\"", type_, text_), 0,
                "Write a date as 1998-12-01, a time as 10:00:00 and a timestamp as 1998-12-01 10:00:00.");
  }
  [[noreturn]] void fail_range() const {
    throw Error(sqlstate::kDatetimeFieldOverflow, fmt::format("date/time field value out of range: \"{}\"", text_));
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == ',')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view take_while(auto&& wanted) {
    std::size_t length = 0;
    while (length < rest_.size() && wanted(rest_[length])) ++length;
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }
  std::int64_t number_of(std::string_view digits) const {
    if (digits.empty() || digits.size() > 8) fail();
    std::int64_t value = 0;
    for (const char c : digits) {
      if (!is_digit(c)) fail();
      value = value * 10 + (c - '0');
    }
    return value;
  }

  void part() {
    const char c = rest_.front();
    if (is_digit(c)) return starts_with_digit();
    if ((c == '+' || c == '-') && (has_date() || result_.has_time || year_text_)) return numeric_zone();
    if (is_letter(c)) return word();
    fail();
  }

  void starts_with_digit() {
    const std::string_view start = rest_;
    const std::string_view digits = take_while(is_digit);
    if (rest_.starts_with(':')) return clock_time(digits);
    const char separator = rest_.empty() ? ' ' : rest_.front();
    const bool joined = rest_.size() > 1 && (separator == '-' || separator == '/' || separator == '.') &&
                        (is_digit(rest_[1]) || is_letter(rest_[1])) && !has_date();
    if (joined) {
      rest_ = start;
      return separated_date(take_while([&](char c) { return is_digit(c) || is_letter(c) || c == separator; }), separator);
    }
    if (digits.size() == 8 && !has_date()) {  // 19981201
      return set_date(number_of(digits.substr(0, 4)), number_of(digits.substr(4, 2)), number_of(digits.substr(6, 2)));
    }
    const bool of_time = day_ || after_t_ || type_ == "time";
    if ((digits.size() == 6 || digits.size() == 4) && of_time && !result_.has_time) return packed_time(digits);
    if (digits.size() == 6 && !has_date()) {  // 981201
      return set_date(year_of(digits.substr(0, 2)), number_of(digits.substr(2, 2)), number_of(digits.substr(4, 2)));
    }
    loose_number(digits);
  }

  // A number of a date that is written in words: the first that can be a day, else the year.
  void loose_number(std::string_view digits) {
    if (result_.has_date || day_) fail();
    if (!day_text_ && digits.size() <= 2 && (month_ || !year_text_)) {
      day_text_ = digits;
    } else if (!year_text_) {
      year_text_ = digits;
    } else {
      fail();
    }
  }

  bool has_date() const { return result_.has_date || month_.has_value(); }

  // Two digits are a year from 1970 to 2069.
  std::int64_t year_of(std::string_view digits) const {
    const std::int64_t year = number_of(digits);
    if (digits.size() > 2) return year;
    return year < 70 ? year + 2000 : year + 1900;
  }

  void separated_date(std::string_view token, char separator) {
    std::array<std::string_view, 3> parts;
    std::size_t count = 0;
    while (!token.empty()) {
      const std::string_view part = token.substr(0, token.find(separator));
      token.remove_prefix(std::min(token.size(), part.size() + 1));
      if (count == 3) fail();
      parts[count++] = part;
    }
    split_t(parts[count - 1]);
    if (count == 2 && separator == '.' && parts[0].size() == 4 && parts[1].size() == 3) return day_of_year(parts[0], parts[1]);
    if (count != 3) fail();
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
      if (parts[at].empty() || is_digit(parts[at].front())) continue;
      const int month = number_of_name(kMonths, parts[at]);
      if (month == 0) fail();
      const std::string_view first = parts[1 - at];
      if (at == 1 && first.size() > 2) return set_date(year_of(first), month, number_of(parts[2]));  // 1998-dec-01
      return set_date(year_of(parts[2]), month, number_of(first));                                   // 01-dec-1998
    }
    if (parts[1].size() > 2) fail();  // 1998-012-01
    if (parts[0].size() > 2) return set_date(year_of(parts[0]), number_of(parts[1]), number_of(parts[2]));
    set_date(year_of(parts[2]), number_of(parts[0]), number_of(parts[1]));  // MDY
  }

  // 1998-12-01t10:00: what stands behind the t is read next.
  void split_t(std::string_view& last) {
    const std::size_t t = last.find('t');
    if (t == std::string_view::npos || t == 0 || !is_digit(last[t - 1])) return;
    const std::size_t behind = last.size() - t - 1;
    rest_ = std::string_view(lower_).substr(lower_.size() - rest_.size() - behind);
    last = last.substr(0, t);
    after_t_ = true;
    if (rest_.empty() || !is_digit(rest_.front())) fail();
  }

  void day_of_year(std::string_view year, std::string_view day) {
    set_date(number_of(year), 1, 1);
    *day_ = number_of(day);
    if (*day_ < 1 || *day_ > (days_of_month(year_, 2) == 29 ? 366 : 365)) fail_range();
    by_day_of_year_ = true;
  }

  void set_date(std::int64_t year, std::int64_t month, std::int64_t day) {
    if (has_date()) fail();
    year_ = year;
    month_ = month;
    day_ = day;
  }

  // hours:minutes[:seconds[.fraction]]
  void clock_time(std::string_view hours) {
    if (result_.has_time) fail();
    accept(':');
    const std::string_view minutes = take_while(is_digit);
    std::string_view seconds = "0";
    std::int64_t fraction = 0;
    if (accept(':')) {
      seconds = take_while(is_digit);
      if (accept('.')) fraction = fraction_of(take_while(is_digit));
    }
    if (hours.size() > 2 || minutes.size() > 2 || seconds.size() > 2) fail();
    set_time(number_of(hours), number_of(minutes), number_of(seconds), fraction);
  }

  void packed_time(std::string_view digits) {
    const bool seconds = digits.size() == 6;
    const std::int64_t fraction = seconds && accept('.') ? fraction_of(take_while(is_digit)) : 0;
    set_time(number_of(digits.substr(0, 2)), number_of(digits.substr(2, 2)), seconds ? number_of(digits.substr(4, 2)) : 0,
             fraction);
  }

  void set_time(std::int64_t hour, std::int64_t minute, std::int64_t second, std::int64_t fraction) {
    result_.has_time = true;
    hour_ = hour;
    result_.time = ((hour * 60 + minute) * 60 + second) * kSecond + fraction;
    if (hour > 24 || minute > 59 || second > 60 || result_.time > kDay) fail_range();
  }

  // Rounded half to even to microseconds.
  static std::int64_t fraction_of(std::string_view digits) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 6; ++i) value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    if (digits.size() <= 6) return value;
    const bool more = digits.find_first_not_of('0', 7) != std::string_view::npos;
    return digits[6] > '5' || (digits[6] == '5' && (more || value % 2 == 1)) ? value + 1 : value;
  }

  // +hours[[:]minutes[:seconds]]
  void numeric_zone() {
    const bool west = rest_.front() == '-';
    rest_.remove_prefix(1);
    const std::string_view digits = take_while(is_digit);
    if (digits.empty() || digits.size() > 4 || result_.offset) fail();
    std::int64_t hours = number_of(digits), minutes = 0, seconds = 0;
    if (digits.size() > 2) {
      minutes = hours % 100;
      hours /= 100;
    } else if (accept(':')) {
      minutes = number_of(take_while(is_digit));
      if (accept(':')) seconds = number_of(take_while(is_digit));
    }
    if (hours > 15 || minutes > 59 || seconds > 59) {
      throw Error("22009", fmt::format("time zone displacement out of range: \"{}\"", text_));
    }
    const auto offset = static_cast<int>(hours * 3600 + minutes * 60 + seconds);
    result_.offset = west ? -offset : offset;
  }

  void word() {
    const std::string_view start = rest_;
    const std::string_view word = take_while(is_letter);
    if (word == "t" && !rest_.empty() && is_digit(rest_.front()) && !result_.has_time) {
      after_t_ = true;
      return;
    }
    if (word == "j" && !rest_.empty() && is_digit(rest_.front()) && !has_date()) return julian(take_while(is_digit));
    const bool zone_name = !rest_.empty() && (rest_.front() == '/' || rest_.front() == '_' || word == "etc");
    if (zone_name) return named_zone(start);
    if (meridian(word) || special(word)) return;
    if (const int month = number_of_name(kMonths, word); month != 0) return month_word(month);
    if (number_of_name(kWeekdays, word) != 0 || word == "on" || word == "at") return;
    if (word == "bc" || word == "ad") {
      before_christ_ = word == "bc";
      return;
    }
    if (const auto offset = abbreviated_offset(word); offset && !result_.offset) {
      result_.offset = *offset;
      if (rest_.starts_with('+') || rest_.starts_with('-')) named_zone(start);
      return;
    }
    named_zone(start);
  }

  void named_zone(std::string_view start) {
    rest_ = start;
    const std::string_view name = take_while([](char c) { return c != ' ' && c != ','; });
    if (!result_.has_date && !result_.has_time && !month_) fail();
    if (result_.zone != nullptr) fail();
    result_.offset.reset();
    try {
      result_.zone = &find_time_zone(name);
    } catch (const Error&) {
      if (name.find('/') != std::string_view::npos) throw;
      fail();
    }
  }

  void julian(std::string_view digits) {
    result_.has_date = true;
    result_.days = number_of(digits) - 2440588;
  }

  bool meridian(std::string_view word) {
    if (word != "am" && word != "pm") return false;
    if (rest_.starts_with('+') || rest_.starts_with('-')) fail();  // to PostgreSQL that is a zone's name
    if (!result_.has_time || hour_ > 12) fail_range();
    if (word == "pm" && hour_ != 12) result_.time += 12 * 3600 * kSecond;
    if (word == "am" && hour_ == 12) result_.time -= 12 * 3600 * kSecond;
    return true;
  }

  bool special(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, Special>, 5> kWords = {{{"epoch", Special::kEpoch},
                                                                             {"now", Special::kNow},
                                                                             {"today", Special::kToday},
                                                                             {"tomorrow", Special::kTomorrow},
                                                                             {"yesterday", Special::kYesterday}}};
    for (const auto& [name, value] : kWords) {
      if (name != word) continue;
      if (has_date()) fail();
      result_.special = value;
      result_.has_date = true;
      return true;
    }
    if (word == "allballs") {
      set_time(0, 0, 0, 0);
      return true;
    }
    if (word == "infinity" || word == "inf") {
      throw Error(sqlstate::kFeatureNotSupported,
                  fmt::format("infinite dates and timestamps are not supported: \"{}\"", text_));
    }
    return false;
  }

  // jan-08-1999 goes on behind the name; else the numbers come as words of their own.
  void month_word(int month) {
    if (has_date()) fail();
    month_ = month;
    if (!rest_.starts_with('-') && !rest_.starts_with('/')) return;
    const char separator = rest_.front();
    rest_.remove_prefix(1);
    day_ = number_of(take_while(is_digit));
    if (!accept(separator)) fail();
    year_ = year_of(take_while(is_digit));
  }

  void finish() {
    if (month_) {
      if (!day_) {
        if (!day_text_ || !year_text_) fail();
        day_ = number_of(*day_text_);
        year_ = year_of(*year_text_);
      }
      if (year_ == 0 || *month_ < 1 || *month_ > 12 || *day_ < 1) fail_range();
      const std::int64_t year = before_christ_ ? 1 - year_ : year_;
      const auto month = static_cast<int>(*month_);
      if (!by_day_of_year_ && *day_ > days_of_month(year, month)) fail_range();
      result_.days = days_from_civil(year, month, 1) + *day_ - 1;
      result_.has_date = true;
    } else if (day_text_ || year_text_ || before_christ_) {
      fail();
    }
  }

  std::string_view type_, text_;
  std::string lower_;
  std::string_view rest_;
  DateTimeInput result_;
  std::int64_t year_ = 0, hour_ = 0;
  std::optional<std::int64_t> month_, day_;
  std::optional<std::string_view> day_text_, year_text_;
  bool before_christ_ = false, after_t_ = false, by_day_of_year_ = false;
};

std::int64_t day_of(std::int64_t microseconds) {
  return microseconds / kDay - (microseconds % kDay < 0 ? 1 : 0);
}

// The local timestamp that was written; `now` and its like are those of the context.
int128 local_moment(const DateTimeInput& input, const TimeContext& context) {
  const std::int64_t now = context.time_zone().to_local(context.now);
  switch (input.special) {
    case Special::kNow:
      return now;
    case Special::kEpoch:
      return 0;
    case Special::kToday:
    case Special::kTomorrow:
    case Special::kYesterday: {
      const int step = input.special == Special::kTomorrow ? 1 : input.special == Special::kYesterday ? -1 : 0;
      return static_cast<int128>(day_of(now) + step) * kDay + input.time;
    }
    case Special::kNone:
      break;
  }
  return static_cast<int128>(input.days) * kDay + input.time;
}

[[noreturn]] void raise_syntax(std::string_view type, std::string_view text) {
  throw Error(sqlstate::kInvalidDatetimeFormat, fmt::format("invalid input syntax for type {}: \"{}\"", type, text));
}

}  // namespace

std::int64_t parse_date(std::string_view text, const TimeContext& context) {
  const DateTimeInput input = DateTimeParser("date", text).parse();
  if (!input.has_date) raise_syntax("date", text);
  const std::int64_t days =
      input.special == Special::kNone ? input.days : day_of(static_cast<std::int64_t>(local_moment(input, context)));
  return checked_date(days, text);
}

std::int64_t parse_time(std::string_view text, const TimeContext& context) {
  const DateTimeInput input = DateTimeParser("time", text).parse();
  if (input.special == Special::kNow) {
    const std::int64_t now = context.time_zone().to_local(context.now);
    return now - day_of(now) * kDay;
  }
  if (!input.has_time) raise_syntax("time", text);
  return input.time;
}

std::int64_t parse_timestamp(std::string_view text, const TimeContext& context) {
  const DateTimeInput input = DateTimeParser("timestamp", text).parse();
  if (!input.has_date) raise_syntax("timestamp", text);
  return checked_timestamp(local_moment(input, context));
}

std::int64_t parse_timestamptz(std::string_view text, const TimeContext& context) {
  constexpr std::string_view kType = "timestamp with time zone";
  const DateTimeInput input = DateTimeParser(kType, text).parse();
  if (!input.has_date) raise_syntax(kType, text);
  if (input.special == Special::kNow) return context.now;
  if (input.special == Special::kEpoch) return 0;
  const std::int64_t local = checked_timestamp(local_moment(input, context));
  if (input.offset) return checked_timestamp(static_cast<int128>(local) - kSecond * *input.offset);
  const TimeZone& zone = input.zone != nullptr ? *input.zone : context.time_zone();
  return checked_timestamp(zone.to_utc(local));
}

}  // namespace saccade
