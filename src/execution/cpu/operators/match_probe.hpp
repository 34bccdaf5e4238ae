// Probes of all kinds of joins, with conditions on pairs, with builds that learn which of their rows match, and without keys.
#pragma once

#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {

std::unique_ptr<Step> make_match_probe(const physical::Probe& probe, PipelineRun& run);

}  // namespace saccade::cpu
