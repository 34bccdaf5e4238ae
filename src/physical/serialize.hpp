// Physical plans as JSON text: what rank 0 broadcasts. parse(serialize(plan)) == plan.
#pragma once

#include <string>

#include "physical/physical_plan.hpp"

namespace saccade::physical {

std::string serialize(const Plan& plan);
// Errors: XX000 where the text is no plan.
Plan parse_plan(const std::string& text);
// FNV-1a over the serialised text: ranks compare it before they run.
std::uint64_t plan_hash(const std::string& serialized);

}  // namespace saccade::physical
