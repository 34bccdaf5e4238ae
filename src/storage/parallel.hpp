// Work on independent parts by several threads: reading row groups, encoding chunks.
#pragma once

#include <cstdint>
#include <functional>

namespace saccade {

// Calls body(0) .. body(count - 1), each once, on up to `threads` threads (0: one per core) of which the caller is one.
// After the first exception no further part is begun; it is raised when all threads have stopped.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

}  // namespace saccade
