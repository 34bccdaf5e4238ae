// What the MPI plug-in exports: one factory with C linkage, looked up by name. Plug-in and binary are of one build; the name
// carries a version that changes with Communicator.
#pragma once

#include <cstddef>

#include "exchange/communicator.hpp"

namespace saccade {

inline constexpr const char* kMakeMpiCommunicatorName = "saccade_make_mpi_communicator_1";

// Joins the job. The caller owns the result and destroys it on the same thread, once it needs MPI no more. Null on a failure,
// with its text in `message`.
using MakeMpiCommunicator = Communicator*(char* message, std::size_t message_size);

}  // namespace saccade
