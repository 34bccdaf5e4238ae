#include "data/time_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "common/error.hpp"
#include "data/time_zone_file.hpp"
#include "data/value.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kDay = 86400;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Seconds since 1970, as if in UTC, of a yearly change.
std::int64_t moment_of(const YearlyChange& change, std::int64_t year) {
  const std::int64_t first = days_from_civil(year, change.month, 1);
  const std::int64_t weekday = ((first % 7) + 11) % 7;  // 1970-01-01 was a Thursday, Sunday is 0
  std::int64_t day = first + (change.weekday - weekday + 7) % 7 + std::int64_t{7} * (change.week - 1);
  const std::int64_t next = days_from_civil(change.month == 12 ? year + 1 : year, change.month % 12 + 1, 1);
  while (day >= next) day -= 7;
  return day * kDay + change.seconds;
}

int offset_by_rule(const TimeZone::Rule& rule, std::int64_t utc) {
  if (!rule.begin || !rule.end) return rule.standard;
  std::int64_t year = 0;
  int month = 0, day = 0;
  civil_from_days(floor_divide(utc + rule.standard, kDay), year, month, day);
  const std::int64_t begin = moment_of(*rule.begin, year) - rule.standard, end = moment_of(*rule.end, year) - rule.summer;
  const bool summer = begin < end ? utc >= begin && utc < end : utc >= begin || utc < end;
  return summer ? rule.summer : rule.standard;
}

constexpr std::array<std::pair<std::string_view, int>, 38> kAbbreviations = {{
    {"acdt", 37800}, {"acst", 34200}, {"aedt", 39600}, {"aest", 36000}, {"akdt", -28800}, {"akst", -32400}, {"awst", 28800},
    {"bst", 3600},   {"cdt", -18000}, {"cest", 7200},  {"cet", 3600},   {"cst", -21600},  {"edt", -14400},  {"eest", 10800},
    {"eet", 7200},   {"est", -18000}, {"gmt", 0},      {"hkt", 28800},  {"hst", -36000},  {"jst", 32400},   {"kst", 32400},
    {"mdt", -21600}, {"met", 3600},   {"mest", 7200},  {"msk", 10800},  {"mst", -25200},  {"nzdt", 46800},  {"nzst", 43200},
    {"pdt", -25200}, {"pst", -28800}, {"sast", 7200},  {"sgt", 28800},  {"ut", 0},        {"utc", 0},       {"wet", 0},
    {"west", 3600},  {"z", 0},        {"zulu", 0},
}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// A number of hours east, as SET TIME ZONE takes it.
std::optional<int> hours_east(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double hours = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hours);
  if (error != std::errc() || end != text.data() + text.size() || !(hours > -168 && hours < 168)) return std::nullopt;
  return static_cast<int>(hours * 3600);
}

std::unique_ptr<TimeZone> fixed_zone(std::string_view name, int offset) {
  return std::make_unique<TimeZone>(std::string(name), offset, std::vector<TimeZone::Change>(), std::nullopt);
}

std::unique_ptr<TimeZone> load(std::string_view name) {
  const std::string word = lower(name);
  if (word == "utc" || word == "gmt" || word == "z" || word == "zulu") return fixed_zone(word == "gmt" ? "GMT" : "UTC", 0);
  if (const auto offset = hours_east(name)) return fixed_zone(name, *offset);
  if (auto zone = read_time_zone(name)) return zone;
  if (const auto offset = abbreviated_offset(word)) return fixed_zone(name, *offset);
  if (const auto rule = parse_posix_zone(name)) {
    return std::make_unique<TimeZone>(std::string(name), rule->standard, std::vector<TimeZone::Change>(), rule);
  }
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("time zone \"{}\" not recognized", name), 0,
              "Name a zone of the tz database, as in Europe/Berlin, or UTC.");
}

}  // namespace

int TimeZone::offset_at(std::int64_t utc) const {
  const std::int64_t seconds = floor_divide(utc, 1000000);
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), seconds,
                                      [](std::int64_t moment, const Change& change) { return moment < change.at; });
  if (after == changes_.end() && rule_) return offset_by_rule(*rule_, seconds);
  return after == changes_.begin() ? first_offset_ : std::prev(after)->offset;
}

std::int64_t TimeZone::to_utc(std::int64_t local) const {
  if (changes_.empty() && !rule_) return local - std::int64_t{1000000} * first_offset_;
  constexpr std::int64_t kMicroseconds = 1000000;
  const int before = offset_at(local - kDay * kMicroseconds), after = offset_at(local + kDay * kMicroseconds);
  const std::int64_t early = local - kMicroseconds * before, late = local - kMicroseconds * after;
  if (before == after) return early;
  const bool early_valid = offset_at(early) == before, late_valid = offset_at(late) == after;
  return late_valid ? late : early_valid || early > late ? early : late;
}

const TimeZone& utc_zone() {
  static const TimeZone zone("UTC", 0, {}, std::nullopt);
  return zone;
}

std::optional<int> abbreviated_offset(std::string_view abbreviation) {
  for (const auto& [name, offset] : kAbbreviations) {
    if (name == abbreviation) return offset;
  }
  return std::nullopt;
}

const TimeZone& find_time_zone(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<TimeZone>, std::less<>> zones;
  const std::lock_guard lock(mutex);
  const auto known = zones.find(name);
  if (known != zones.end()) return *known->second;
  std::unique_ptr<TimeZone> zone = load(name);
  return *zones.emplace(std::string(name), std::move(zone)).first->second;
}

}  // namespace saccade
