// From an optimized logical plan to pipelines: lays out joins and aggregations, places exchanges between ranks, and lowers
// expressions. Deterministic: the same logical plan, statistics and options give the same physical plan.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "physical/physical_plan.hpp"
#include "plan/logical_plan.hpp"
#include "topology/topology.hpp"

namespace saccade::physical {

struct PlannerOptions {
  Topology topology;  // ranks included
  // Columns that a run has shown to repeat values: (table, column number). See execution/assumption.hpp.
  std::set<std::pair<std::string, int>> refuted;
  bool gpu = false;           // the session's device is a GPU
  bool gpu_fallback = false;  // what it can't run is placed on the host; else an error
};

struct PlannedQuery {
  Plan plan;
  std::vector<std::shared_ptr<const Dictionary>> dictionaries;  // of Plan::dictionaries
};

// The result's rows on rank 0. Errors: 0A000 for what the backends can't run yet.
PlannedQuery plan_query(const LogicalPlan& logical, const PlannerOptions& options);

// The same rows as a new table, each rank keeping its own.
PlannedQuery plan_insert(const LogicalPlan& logical, const std::string& table, const PlannerOptions& options);

}  // namespace saccade::physical
