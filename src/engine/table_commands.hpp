// Changes of the tables and views of all ranks: rank 0 sends them as commands, and every process carries them out alike.
#pragma once

#include <string>
#include <vector>

#include "engine/command.hpp"
#include "engine/core.hpp"

namespace saccade {

// Sends `command` to the ranks of other processes and carries it out on those of this one. Called by rank 0 under
// core.execution. Errors: those of apply_command.
void run_on_all_ranks(Core& core, Command command);

// Carries out one command on this process's ranks; where ranks are processes, collective for kAppendRows and kLoadTpch.
// Errors: 42P07, 53200, 23502.
void apply_command(Core& core, const Command& command);

// Rows of INSERT ... VALUES are kept back, and appended together before a statement reads any table: appending to an encoded
// table has a price for each time, not only for each row. Errors: 53200; nothing is kept then.
void keep_rows(Core& core, const std::string& table, ValueRows rows, const Settings& settings);
// Appends what was kept back. Errors: 53200; the rows are still kept back then.
void append_kept_rows(Core& core, const Settings& settings);

}  // namespace saccade
