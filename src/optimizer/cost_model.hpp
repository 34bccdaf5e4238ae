// Predicted times of exchanges between ranks, and the choice they lead to.
//
// N ranks on V machines, k = N / V on each; R is what would be broadcast, S what would stay, in bytes over all ranks. A machine
// takes in |R| (V-1)/V bytes of a broadcast and (|R| + |S|) (V-1)/V^2 of a shuffle over all its links to the others together,
// so both use the bandwidth of a machine, k links. One machine has formulas of its own: they are not the limit of the others.
#pragma once

#include "topology/topology.hpp"

namespace saccade {

enum class ExchangeChoice { kShuffle, kBroadcast };

// Every rank sends each row of R and S to the rank that its key names. 0 on one rank.
double shuffle_seconds(const Topology& topology, double r_bytes, double s_bytes);

// Every rank gets all of R. 0 on one rank.
double broadcast_seconds(const Topology& topology, double r_bytes);

// Broadcast exactly where it is predicted to be faster.
ExchangeChoice choose_exchange(const Topology& topology, double r_bytes, double s_bytes);

}  // namespace saccade
