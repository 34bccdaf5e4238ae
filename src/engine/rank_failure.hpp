// How a failure on one rank reaches the others: as the reason of Communicator::abort, which carries SQLSTATE and message.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace saccade {

// The reason that rank `rank` aborts with.
std::string encode_failure(const std::exception_ptr& failure, int rank);

// Raises what `failures` (one a rank of this process, null where a rank did not fail) amount to: a broken assumption first,
// then a rank's own error, then what another rank's abort carried. Returns where none failed.
void rethrow_failure(const std::vector<std::exception_ptr>& failures);

}  // namespace saccade
