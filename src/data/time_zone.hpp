// Time zones of the machine's tz database (/usr/share/zoneinfo), and fixed offsets.
//
// A zone is read once a process and never changes; references stay valid. Any thread may ask for one and use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saccade {

// When summer time begins or ends in each year that a zone's table does not list: the day `weekday` (Sunday is 0) of week
// `week` (5: the last) of `month`, at `seconds` after midnight.
struct YearlyChange {
  int month = 0, week = 0, weekday = 0;
  std::int64_t seconds = 0;
};

class TimeZone {
 public:
  struct Change {
    std::int64_t at = 0;  // seconds since 1970 UTC
    int offset = 0;       // seconds east of UTC from then on
  };
  struct Rule {
    int standard = 0, summer = 0;  // seconds east of UTC
    std::optional<YearlyChange> begin, end;
  };

  TimeZone(std::string name, int first_offset, std::vector<Change> changes, std::optional<Rule> rule)
      : name_(std::move(name)), first_offset_(first_offset), changes_(std::move(changes)), rule_(rule) {}

  const std::string& name() const { return name_; }
  // Whether it has one offset for all times.
  bool is_fixed() const { return changes_.empty() && (!rule_ || !rule_->begin); }
  // Seconds east of UTC at a moment, in microseconds since 1970.
  int offset_at(std::int64_t utc) const;
  std::int64_t to_local(std::int64_t utc) const { return utc + std::int64_t{1000000} * offset_at(utc); }
  // PostgreSQL's choice: a time that a change skips is read with the offset before it, one that occurs twice is the later one.
  std::int64_t to_utc(std::int64_t local) const;

 private:
  std::string name_;
  int first_offset_ = 0;
  std::vector<Change> changes_;  // in their order
  std::optional<Rule> rule_;     // after the last change
};

const TimeZone& utc_zone();

// By a name of the database in any case ("Europe/Berlin"), an abbreviation ("EST"), a number of hours east ("5.5"), or in POSIX
// form, in which hours count to the west ("UTC+3", "<+03>-3"). Errors: 22023.
const TimeZone& find_time_zone(std::string_view name);

// Seconds east of UTC of a fixed abbreviation in lower case ("est"); nothing for other words.
std::optional<int> abbreviated_offset(std::string_view abbreviation);

// What times are read and shown by: now() in microseconds since 1970 UTC, and the session's zone.
struct TimeContext {
  std::int64_t now = 0;
  const TimeZone* zone = nullptr;  // null: UTC
  const TimeZone& time_zone() const { return zone == nullptr ? utc_zone() : *zone; }
};

}  // namespace saccade
