// Aggregation by keys of any kind and number: see hash_aggregation.cpp.
#pragma once

#include "execution/cpu/operators/operator.hpp"

namespace saccade::cpu {

std::unique_ptr<Sink> make_hash_aggregation(const physical::Aggregation& aggregation, PipelineRun& run);

}  // namespace saccade::cpu
