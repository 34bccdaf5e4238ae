// Runs a plan on one rank: pipeline after pipeline, each on its device, with the exchanges between ranks.
#pragma once

#include "exchange/communicator.hpp"
#include "execution/backend.hpp"

namespace saccade {

struct RankBackends {
  Backend& device;  // Placement::kDevice
  Backend& host;    // Placement::kHost
};

// The output of the last pipeline (a Result or an Insert). Collective: every rank calls it with an equal plan. The caller turns
// an exception into Communicator::abort.
std::shared_ptr<PipelineOutput> run_plan(RunState& state, const RankBackends& backends, Communicator& communicator);

}  // namespace saccade
