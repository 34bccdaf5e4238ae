// Text of dates, timestamps and intervals as PostgreSQL prints them (DateStyle ISO, IntervalStyle postgres).
//
// Reading them and the calendar are declared in data/value.hpp. Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "data/value.hpp"

namespace saccade {

std::string date_text(std::int64_t days);
std::string timestamp_text(std::int64_t microseconds);
std::string interval_text(const Interval& interval);

}  // namespace saccade
