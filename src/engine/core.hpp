// What the sessions of one database share: settings, memory, tables, and the ranks of this process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/settings.hpp"
#include "engine/rank_executor.hpp"
#include "engine/value_codec.hpp"
#include "exchange/communicator.hpp"
#include "memory/memory_pool.hpp"

namespace saccade {

// memory_limit, or 80 % of the machine's memory where it is 0.
std::int64_t memory_limit_of(const Settings& settings);

// Rows of INSERT that are not yet part of their table (table_commands.hpp).
struct KeptRows {
  ValueRows rows;
  Reservation memory;
};

struct Core {
  // `in_process_ranks`: threads of this process as ranks; under mpirun the job's processes are the ranks and it must be 1.
  Core(Settings initial, int in_process_ranks);
  ~Core();

  int ranks() const { return executors.front()->communicator().size(); }
  // Whether ranks run in other processes, which are then told of every command.
  bool distributed() const { return ranks() > static_cast<int>(executors.size()); }

  Settings settings;  // new sessions start with these
  MemoryPool pool;
  Catalog catalog;
  std::unique_ptr<FileOpener> opener;
  std::map<std::string, KeptRows> kept_rows;             // by table; under `execution`
  std::uint64_t serial = 0;                              // of the last statement that changed a table; under `execution`
  std::vector<std::unique_ptr<RankExecutor>> executors;  // this process's ranks
  // One statement at a time: ranks run the same commands in the same order. Timed, so that who waits for it can be cancelled.
  std::timed_mutex execution;
};

}  // namespace saccade
