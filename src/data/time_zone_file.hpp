// Reads zones of the tz database (TZif files, RFC 8536) and the POSIX form of zones. Pure functions but for the files they
// read.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "data/time_zone.hpp"

namespace saccade {

// The zone of that name in any case; null where the database has none, or where its file can't be read.
std::unique_ptr<TimeZone> read_time_zone(std::string_view name);

// "EST5EDT,M3.2.0,M11.1.0", "<+0530>-5:30": offsets count to the west. Nothing for what is not of this form.
std::optional<TimeZone::Rule> parse_posix_zone(std::string_view text);

}  // namespace saccade
