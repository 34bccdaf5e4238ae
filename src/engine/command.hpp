// What rank 0 tells the ranks in other processes to do, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/settings.hpp"
#include "engine/value_codec.hpp"
#include "exchange/communicator.hpp"

namespace saccade {

// What becomes of the rows of a plan's Insert.
enum class InsertMode : std::uint8_t {
  kCreate,   // a new table
  kAppend,   // behind those of the table
  kReplace,  // in place of those of the table
  kUpdate,   // the same; the last column is no part of it but tells which rows were changed
};

struct Command {
  enum class Kind : std::uint8_t {
    kRun,          // plan, mode
    kCreateTable,  // payload: the definition; a table of that name is replaced
    kAppendRows,   // name, payload: the rows
    kLoadTpch,     // name, columns, payload: the scale
    kCreateView,   // payload: the view; one of that name is replaced
    kDrop,         // name: of a table or view
    kExit,
  };
  Kind kind = Kind::kExit;
  std::string plan;
  InsertMode mode = InsertMode::kCreate;
  std::string name;
  std::vector<int> columns;
  std::string payload;
  std::uint64_t serial = 0;  // of the statement
  Settings settings;
};

// Rank 0 sends; the others wait for the next one. Collective between processes.
void send_command(const Command& command, Communicator& communicator);
Command receive_command(Communicator& communicator);

}  // namespace saccade
