// Which pipelines of a plan the GPU can't run, and where they run instead.
//
// A new operator that the GPU has no kernel for is named in gpu_lacks(), and nowhere else.
#pragma once

#include <string>

#include "physical/physical_plan.hpp"

namespace saccade::physical {

// What of this pipeline the GPU has no kernel for ("a left join"); empty where it can run all of it.
std::string gpu_lacks(const Plan& plan, const Pipeline& pipeline);

// Places what the GPU can't run on the host, together with the builds it probes and all pipelines that probe those: a build
// lives where it is probed. Errors: 0A000 naming the operator where `fallback` is off.
void place_for_gpu(Plan& plan, bool fallback);

}  // namespace saccade::physical
