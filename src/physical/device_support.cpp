#include "physical/device_support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"

namespace saccade::physical {

namespace {

std::string probe_lacks(const Probe& probe) {
  static constexpr const char* kNames[] = {"", "a left join", "a semi join", "an anti join", "a mark join", "an outer join"};
  return kNames[static_cast<int>(probe.kind)];
}

std::string build_lacks(const JoinBuild& build) {
  if (build.layout == JoinBuild::Layout::kAllRows) return "a join without an equality";
  if (build.track_matches) return "an outer join";
  if (build.distinct) return "a semi join";
  return {};
}

// Every node over text has a slot, a literal or a dictionary of strings somewhere below it.
bool computes_strings(const Pipeline& pipeline) {
  const auto is_text = [](const auto& value) { return value.lane == Lane::kText; };
  return !pipeline.text_dictionaries.empty() || std::any_of(pipeline.slots.begin(), pipeline.slots.end(), is_text) ||
         std::any_of(pipeline.literals.begin(), pipeline.literals.end(), is_text);
}

// Builds that a pipeline reads in place: they lie on the device that it runs on.
std::vector<int> shared_builds(const Pipeline& pipeline) {
  std::vector<int> builds;
  if (const auto* scan = std::get_if<BuildScan>(&pipeline.source)) builds.push_back(scan->build);
  for (const Step& step : pipeline.steps) {
    if (const auto* probe = std::get_if<Probe>(&step)) builds.push_back(probe->build);
  }
  const auto* aggregation = std::get_if<Aggregation>(&pipeline.sink);
  if (aggregation != nullptr && aggregation->build >= 0) builds.push_back(aggregation->build);
  return builds;
}

// One pass; true where a placement changed.
bool spread_host(Plan& plan) {
  bool changed = false;
  const auto place = [&](Pipeline& pipeline) {
    changed |= pipeline.placement != Placement::kHost;
    pipeline.placement = Placement::kHost;
  };
  for (Pipeline& pipeline : plan.pipelines) {
    for (const int build : shared_builds(pipeline)) {
      Pipeline& builder = plan.pipelines.at(static_cast<std::size_t>(build));
      if (pipeline.placement == Placement::kHost) place(builder);
      if (builder.placement == Placement::kHost) place(pipeline);
    }
  }
  return changed;
}

}  // namespace

std::string gpu_lacks(const Plan&, const Pipeline& pipeline) {
  if (computes_strings(pipeline)) return "computing strings";
  if (std::holds_alternative<BuildScan>(pipeline.source)) return "an outer join";
  if (std::holds_alternative<Concatenation>(pipeline.source)) return "reading several pipelines";
  if (std::holds_alternative<Window>(pipeline.sink)) return "a window function";
  for (const Step& step : pipeline.steps) {
    if (std::holds_alternative<Repeat>(step)) return "repeating rows";
    const auto* probe = std::get_if<Probe>(&step);
    std::string lacking = probe == nullptr ? std::string() : probe_lacks(*probe);
    if (!lacking.empty()) return lacking;
  }
  const auto* build = std::get_if<JoinBuild>(&pipeline.sink);
  return build == nullptr ? std::string() : build_lacks(*build);
}

void place_for_gpu(Plan& plan, bool fallback) {
  for (Pipeline& pipeline : plan.pipelines) {
    if (pipeline.placement == Placement::kHost) continue;
    const std::string lacking = gpu_lacks(plan, pipeline);
    if (lacking.empty()) continue;
    if (!fallback)
      throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} can't run on the GPU yet", lacking), 0,
                  "SET gpu_fallback = on runs what the GPU can't on the CPU; SET device = cpu runs all of it there.");
    pipeline.placement = Placement::kHost;
  }
  while (spread_host(plan)) {
  }
}

}  // namespace saccade::physical
