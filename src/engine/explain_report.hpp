// EXPLAIN's lines from a plan and what the ranks of this process measured.
#pragma once

#include <string>
#include <vector>

#include "engine/core.hpp"
#include "physical/physical_plan.hpp"

namespace saccade {

// `workers`: of each pipeline, for EXPLAIN PIPELINE; else 0. `profile`: empty for plain EXPLAIN. Rows and bytes are summed over
// ranks, times are those of the slowest.
std::vector<std::string> explain_report(Core& core, const Settings& settings, const physical::Plan& plan,
                                        const std::vector<PipelineProfile>& profile, int workers = 0);

}  // namespace saccade
