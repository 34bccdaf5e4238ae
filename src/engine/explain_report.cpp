#include "engine/explain_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "physical/explain.hpp"

namespace saccade {

namespace {

void add_profile(physical::MeasuredPipeline& measured, const PipelineProfile& profile) {
  measured.known = true;
  measured.device = profile.device;
  measured.seconds = std::max(measured.seconds, profile.seconds);
  measured.exchange_seconds = std::max(measured.exchange_seconds, profile.exchange_seconds);
  measured.rows_in += profile.rows_in;
  measured.rows_out += profile.rows_out;
  measured.bytes += profile.bytes;
  measured.exchange_bytes += profile.exchange_bytes;
  measured.chunks += profile.chunks;
  measured.chunks_skipped += profile.chunks_skipped;
  measured.launches += profile.launches;
  measured.synchronisations += profile.synchronisations;
  measured.allocations += profile.allocations;
  measured.compilations += profile.compilations;
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    if (measured.steps.size() <= i) measured.steps.push_back({profile.steps[i].name, 0});
    measured.steps[i].rows += profile.steps[i].rows;
  }
}

}  // namespace

std::vector<std::string> explain_report(Core& core, const Settings& settings, const physical::Plan& plan,
                                        const std::vector<PipelineProfile>& profile, int workers) {
  physical::ExplainOptions options;
  options.device = core.executors.front()->device_name(settings);
  options.workers = workers;
  options.communicator = core.executors.front()->transport_name(settings);
  std::vector<physical::MeasuredPipeline> measured(profile.empty() ? 0 : plan.pipelines.size());
  for (const PipelineProfile& pipeline : profile)
    add_profile(measured.at(static_cast<std::size_t>(pipeline.pipeline)), pipeline);
  std::vector<std::string> lines = physical::explain(plan, options, measured);
  if (plan.ranks > 1) lines.insert(lines.begin(), fmt::format("{} ranks over {}", plan.ranks, options.communicator));
  return lines;
}

}  // namespace saccade
