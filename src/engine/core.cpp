#include "engine/core.hpp"

#include <unistd.h>

#include <utility>

#include "common/error.hpp"
#include "engine/command.hpp"
#include "engine/system_tables.hpp"
#include "storage/file_opener.hpp"

namespace saccade {

std::int64_t memory_limit_of(const Settings& settings) {
  if (settings.memory_limit > 0) return settings.memory_limit;
  const auto pages = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
  return pages * page_bytes / 10 * 8;
}

Core::Core(Settings initial, int in_process_ranks)
    : settings(std::move(initial)),
      pool("memory_limit", memory_limit_of(settings)),
      opener(make_system_opener(make_file_opener(pool), catalog, pool)) {
  std::vector<std::unique_ptr<Communicator>> communicators;
  if (std::unique_ptr<Communicator> mpi = make_mpi_communicator()) {
    if (in_process_ranks != 1)
      throw Error(sqlstate::kInvalidParameterValue, "ranks can't be set under mpirun", 0,
                  "Choose the number of ranks by mpirun -np N.");
    communicators.push_back(std::move(mpi));
  } else {
    communicators = make_in_process_communicators(in_process_ranks);
  }
  for (std::unique_ptr<Communicator>& communicator : communicators)
    executors.push_back(std::make_unique<RankExecutor>(std::move(communicator), catalog, *opener, pool));
}

Core::~Core() {
  Communicator& communicator = executors.front()->communicator();
  if (!distributed() || communicator.rank() != 0) return;
  try {
    Command command;
    command.settings = settings;
    send_command(command, communicator);
  } catch (const std::exception&) {
    // The other ranks are gone already.
  }
}

}  // namespace saccade
