// What rank 0 tells the ranks in other processes to do, as text.
#pragma once

#include <string>

#include "common/settings.hpp"
#include "exchange/communicator.hpp"

namespace saccade {

struct Command {
  enum class Kind : std::uint8_t { kRun, kDropTable, kExit };
  Kind kind = Kind::kExit;
  std::string plan;   // kRun: serialised
  std::string table;  // kDropTable
  Settings settings;  // kRun
};

// Rank 0 sends; the others wait for the next one. Collective between processes.
void send_command(const Command& command, Communicator& communicator);
Command receive_command(Communicator& communicator);

}  // namespace saccade
