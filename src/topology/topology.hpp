// The machine as the cost model sees it: ranks, links and bandwidths. A plain value.
#pragma once

#include <cstdint>

namespace saccade {

// Bandwidths in bytes a second. Defaults stand for a common laptop until `probe` has measured; see docs/performance.md.
struct Topology {
  int ranks = 1;
  int machines = 1;
  double memory_bandwidth = 20e9;     // DRAM, sequential read, all threads of a rank
  double rank_link_inside = 5e9;      // one rank to another of the same machine (Bg)
  double rank_link_outside = 1.25e9;  // one rank over its own link to other machines (NIC)
};

}  // namespace saccade
