// Measures the machine, for the cost model and for `saccade topology`. Nothing is measured unless it is asked for.
#pragma once

#include <cstdint>

#include "topology/topology.hpp"

namespace saccade {

// Sequential read bandwidth of DRAM in bytes a second, with `threads` threads (at least 1) that each read a block of
// `bytes_per_thread` of their own several times; the best time counts, as what else runs can only slow it down.
// Errors: 53200 where the memory is not there, 58000 where the threads are not.
double measure_memory_bandwidth(int threads, std::int64_t bytes_per_thread = std::int64_t{128} << 20);

// A topology of `ranks` ranks spread evenly over `machines` machines, with the defaults of Topology. Errors: XX000 where
// `machines` does not divide `ranks`.
Topology default_topology(int ranks, int machines = 1);

}  // namespace saccade
