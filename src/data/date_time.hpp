// Text of dates, times, timestamps and intervals as PostgreSQL prints them (DateStyle ISO, IntervalStyle postgres), and their
// limits.
//
// Reading them and the calendar are declared in data/value.hpp. Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "data/time_zone.hpp"
#include "data/value.hpp"

namespace saccade {

std::string date_text(std::int64_t days);
std::string time_text(std::int64_t microseconds);
std::string timestamp_text(std::int64_t microseconds);
std::string timestamptz_text(std::int64_t microseconds, const TimeZone& zone);
std::string interval_text(const Interval& interval);

int days_of_month(std::int64_t year, int month);
// The argument, where it lies within the type's range. Errors: 22008; `text` is what was read.
std::int64_t checked_date(std::int64_t days, std::string_view text);
std::int64_t checked_timestamp(int128 microseconds);

}  // namespace saccade
