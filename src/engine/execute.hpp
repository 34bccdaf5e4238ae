// Runs a planned query on all ranks of this process, after telling those of other processes.
#pragma once

#include <memory>
#include <vector>

#include "data/text_store.hpp"
#include "engine/command.hpp"
#include "engine/core.hpp"
#include "physical/planner.hpp"

namespace saccade {

// What other threads may do to a running statement: end it, and ask how far it is.
struct StatementControl {
  Cancellation cancellation;
  ProgressMeter progress;
};

struct Execution {
  std::shared_ptr<MemoryPool> pool;      // what the rows are counted in
  std::shared_ptr<TextStore> text;       // the strings that rows point to
  RowSet rows;                           // rank 0's result
  std::vector<PipelineProfile> profile;  // of this process's ranks
  std::shared_ptr<Table> table;          // of an Insert, not yet in the catalog
  std::int64_t changed = 0;              // rows, of InsertMode::kUpdate
};

// Workers of each of this process's ranks.
int threads_of_rank(const Settings& settings, std::size_t local_ranks);

// `mode`: what an Insert does; the other ranks put the table it makes into their catalogs themselves. Called under
// core.execution. Errors: those of the query; AssumptionFailed.
Execution execute_plan(Core& core, const std::string& plan_text, const physical::Plan& plan, const Settings& settings,
                       StatementControl& control, InsertMode mode = InsertMode::kCreate);

// On ranks other than 0 of an mpirun job: obeys commands until kExit. Returns the exit code.
int serve_commands(Core& core);

}  // namespace saccade
