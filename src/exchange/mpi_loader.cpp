// Finds and loads the MPI plug-in. The binary itself knows nothing of MPI, so that it starts where there is none.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "common/error.hpp"
#include "exchange/communicator.hpp"
#include "exchange/mpi/plugin.hpp"

namespace saccade {
namespace {

constexpr const char* kPluginFile = "libsaccade_mpi.so";

// What Open MPI, PMIx and PMI launchers tell the processes that they start.
bool started_as_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

std::filesystem::path plugin_file() {
  if (const char* folder = std::getenv("SACCADE_PLUGIN_PATH"); folder != nullptr && *folder != '\0') {
    return std::filesystem::path(folder) / kPluginFile;
  }
  std::error_code ignored;  // an unreadable link leaves an empty path, and the loader says what it misses
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / kPluginFile;
}

}  // namespace

std::unique_ptr<Communicator> make_mpi_communicator() {
  if (!started_as_rank()) return nullptr;
  const std::string file = plugin_file().string();
  // MPI's own plug-ins look up its symbols globally. The handle is never closed: MPI cannot be unloaded.
  void* plugin = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (plugin == nullptr) {
    const char* reason = dlerror();
    throw Error(sqlstate::kSystemError, std::string("could not load the MPI plug-in: ") + (reason != nullptr ? reason : file),
                0,
                "Install Open MPI (libopenmpi-dev) and build again, or set SACCADE_PLUGIN_PATH to the folder of the plug-in.");
  }
  auto* make = reinterpret_cast<MakeMpiCommunicator*>(dlsym(plugin, kMakeMpiCommunicatorName));
  if (make == nullptr) {
    throw Error(sqlstate::kSystemError, "the MPI plug-in " + file + " is of another version", 0,
                "Build Saccade and its plug-in together.");
  }
  char message[512] = "";
  std::unique_ptr<Communicator> communicator(make(message, sizeof message));
  if (!communicator) throw Error(sqlstate::kSystemError, std::string("could not start MPI: ") + message);
  return communicator;
}

}  // namespace saccade
