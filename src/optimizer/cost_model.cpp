#include "optimizer/cost_model.hpp"

namespace saccade {
namespace {

double machine_link(const Topology& topology) {
  return topology.rank_link_outside * topology.ranks / topology.machines;
}

}  // namespace

double shuffle_seconds(const Topology& topology, double r_bytes, double s_bytes) {
  const double n = topology.ranks, v = topology.machines;
  if (topology.ranks <= 1) return 0;
  if (topology.machines <= 1) return (n - 1) * (r_bytes + s_bytes) / (n * n * topology.rank_link_inside);
  return (v - 1) * (r_bytes + s_bytes) / (v * v * machine_link(topology));
}

double broadcast_seconds(const Topology& topology, double r_bytes) {
  const double n = topology.ranks;
  if (topology.ranks <= 1) return 0;
  const double link = topology.machines <= 1 ? topology.rank_link_inside : machine_link(topology);
  return (n - 1) * r_bytes / (n * link);
}

ExchangeChoice choose_exchange(const Topology& topology, double r_bytes, double s_bytes) {
  const bool broadcast = broadcast_seconds(topology, r_bytes) < shuffle_seconds(topology, r_bytes, s_bytes);
  return broadcast ? ExchangeChoice::kBroadcast : ExchangeChoice::kShuffle;
}

}  // namespace saccade
