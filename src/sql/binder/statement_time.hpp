// What now() is and in which zone times are read and shown, for one statement.
//
// A plain value that the session makes when a statement starts, so that every use within it sees one moment.
#pragma once

#include <cstdint>
#include <string>

namespace saccade {

struct StatementTime {
  std::int64_t now = 0;           // microseconds since 1970-01-01 00:00:00 UTC
  std::string time_zone = "UTC";  // as SET timezone took it
};

}  // namespace saccade
