#include "physical/device_support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/error.hpp"

namespace saccade::physical {

namespace {

bool has_text(const Node& node) {
  return node.lane == Lane::kText || std::any_of(node.arguments.begin(), node.arguments.end(), has_text);
}

bool have_text(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), has_text);
}

bool step_has_text(const Step& step) {
  if (const auto* filter = std::get_if<Filter>(&step)) return has_text(filter->predicate);
  if (const auto* compute = std::get_if<Compute>(&step)) return have_text(compute->expressions);
  const auto* probe = std::get_if<Probe>(&step);
  return probe != nullptr && (have_text(probe->keys) || have_text(probe->condition));
}

bool sink_has_text(const Sink& sink) {
  if (const auto* build = std::get_if<JoinBuild>(&sink)) return have_text(build->keys);
  if (const auto* sort = std::get_if<Sort>(&sink)) return have_text(sort->keys);
  if (const auto* exchange = std::get_if<Exchange>(&sink)) return have_text(exchange->keys);
  const auto* aggregation = std::get_if<Aggregation>(&sink);
  if (aggregation == nullptr) return false;
  return have_text(aggregation->keys) || std::any_of(aggregation->aggregates.begin(), aggregation->aggregates.end(),
                                                     [](const Aggregate& aggregate) { return have_text(aggregate.argument); });
}

bool computes_strings(const Pipeline& pipeline) {
  const bool slots =
      std::any_of(pipeline.slots.begin(), pipeline.slots.end(), [](const Slot& slot) { return slot.lane == Lane::kText; });
  return slots || std::any_of(pipeline.steps.begin(), pipeline.steps.end(), step_has_text) || sink_has_text(pipeline.sink);
}

// Some functions that only the host has take and give no strings.
bool calls_host(const Node& node) {
  return node.kind == NodeKind::kTextCall ||
         std::any_of(node.arguments.begin(), node.arguments.end(), [](const Node& argument) { return calls_host(argument); });
}

bool calls_host(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return calls_host(node); });
}

bool calls_host(const Step& step) {
  if (const auto* filter = std::get_if<Filter>(&step)) return calls_host(filter->predicate);
  if (const auto* compute = std::get_if<Compute>(&step)) return calls_host(compute->expressions);
  const auto* probe = std::get_if<Probe>(&step);
  return probe != nullptr && (calls_host(probe->keys) || calls_host(probe->condition));
}

bool calls_host(const Sink& sink) {
  if (const auto* build = std::get_if<JoinBuild>(&sink)) return calls_host(build->keys);
  if (const auto* sort = std::get_if<Sort>(&sink)) return calls_host(sort->keys);
  if (const auto* exchange = std::get_if<Exchange>(&sink)) return calls_host(exchange->keys);
  const auto* aggregation = std::get_if<Aggregation>(&sink);
  return aggregation != nullptr && (calls_host(aggregation->keys) ||
                                    std::any_of(aggregation->aggregates.begin(), aggregation->aggregates.end(),
                                                [](const Aggregate& aggregate) { return calls_host(aggregate.argument); }));
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

[[noreturn]] void refuse(std::string_view lacking) {
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("{} can't run on the GPU yet", lacking), 0,
              "SET gpu_fallback = on runs what the GPU can't on the CPU; SET device = cpu runs all of it there.");
}

// One pass; true where a placement changed. Without fallback only pipelines over few rows were placed on the host
// (plan_output.cpp), and no scan of a table may follow them there unasked.
bool spread_host(Plan& plan, bool fallback) {
  bool changed = false;
  const auto place = [&](Pipeline& pipeline) {
    if (pipeline.placement == Placement::kHost) return;
    if (!fallback && std::holds_alternative<TableScan>(pipeline.source)) refuse("a join of a table with constant rows");
    pipeline.placement = Placement::kHost;
    changed = true;
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
  const auto step_calls_host = [](const Step& step) { return calls_host(step); };
  if (calls_host(pipeline.sink) || std::any_of(pipeline.steps.begin(), pipeline.steps.end(), step_calls_host))
    return "a function of the C library";
  if (std::holds_alternative<Window>(pipeline.sink)) return "a window function";
  const bool repeats = std::any_of(pipeline.steps.begin(), pipeline.steps.end(),
                                   [](const Step& step) { return std::holds_alternative<Repeat>(step); });
  return repeats ? "repeating rows" : std::string();
}

void place_for_gpu(Plan& plan, bool fallback) {
  for (Pipeline& pipeline : plan.pipelines) {
    if (pipeline.placement == Placement::kHost) continue;
    const std::string lacking = gpu_lacks(plan, pipeline);
    if (lacking.empty()) continue;
    if (!fallback) refuse(lacking);
    pipeline.placement = Placement::kHost;
  }
  while (spread_host(plan, fallback)) {
  }
}

}  // namespace saccade::physical
