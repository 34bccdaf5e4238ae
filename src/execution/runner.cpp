#include "execution/runner.hpp"

#include <chrono>
#include <utility>

#include "exchange/row_exchange.hpp"

namespace saccade {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The backend has appended the key parts as further columns (backend.hpp).
RowSet take_keys(RowSet rows, std::size_t columns, std::vector<LaneColumn>& keys) {
  keys.assign(rows.columns.begin() + static_cast<std::ptrdiff_t>(columns), rows.columns.end());
  rows.columns.resize(columns);
  return rows;
}

RowSet exchange_rows(const physical::Exchange& exchange, const RowSet& local, Communicator& communicator, QueryContext& query,
                     ExchangeStatistics& statistics) {
  MemoryPool& pool = query.pool;
  TextStore* texts = query.text.get();
  switch (exchange.kind) {
    case physical::Exchange::Kind::kBroadcast:
      return broadcast_rows(local, communicator, pool, statistics, texts);
    case physical::Exchange::Kind::kGather:
      return gather_rows(local, communicator, pool, statistics, texts);
    case physical::Exchange::Kind::kShuffle:
      break;
  }
  std::vector<LaneColumn> keys;
  const RowSet rows = take_keys(local, exchange.output.size(), keys);
  return shuffle_rows(rows, keys, communicator, pool, statistics, texts);
}

// A single group that only rank 0 puts out, on another rank.
bool is_of_rank_zero(const physical::Pipeline& pipeline, const RunState& state) {
  const auto* aggregation = std::get_if<physical::Aggregation>(&pipeline.sink);
  return aggregation != nullptr && aggregation->only_rank_zero && state.rank != 0;
}

std::shared_ptr<PipelineOutput> without_rows(PipelineOutput& output) {
  RowSet rows = output.host_rows();
  rows.rows = 0;
  return std::make_shared<HostRows>(std::move(rows));
}

// No reader is left after `pipeline`: the output's memory goes back before the query ends.
void release_finished(RunState& state, const std::vector<int>& last_reader, int pipeline) {
  for (std::size_t i = 0; i < last_reader.size(); ++i) {
    if (last_reader[i] == pipeline) state.outputs[i].reset();
  }
}

std::vector<int> last_readers(const physical::Plan& plan) {
  std::vector<int> last(plan.pipelines.size(), -1);
  for (const physical::Pipeline& pipeline : plan.pipelines) {
    for (const int source : physical::dependencies(pipeline)) last[static_cast<std::size_t>(source)] = pipeline.id;
  }
  return last;
}

// The rows a pipeline's source is expected to hold.
double source_rows(const physical::Plan& plan, const physical::Pipeline& pipeline) {
  if (const auto* scan = std::get_if<physical::TableScan>(&pipeline.source))
    return static_cast<double>(scan->rows) / plan.ranks;
  if (const auto* output = std::get_if<physical::OutputScan>(&pipeline.source))
    return plan.pipelines[static_cast<std::size_t>(output->pipeline)].estimated_rows;
  return 1;
}

// Rank 0 of the process tells how far the plan is.
ProgressMeter* progress_of(const RunState& state) {
  return state.rank == 0 ? state.query.progress : nullptr;
}

void tell_start(const RunState& state) {
  ProgressMeter* progress = progress_of(state);
  if (progress == nullptr) return;
  std::vector<double> rows;
  for (const physical::Pipeline& pipeline : state.plan.pipelines) rows.push_back(source_rows(state.plan, pipeline));
  progress->start_plan(std::move(rows));
}

void tell_pipeline(const RunState& state, const physical::Pipeline& pipeline) {
  ProgressMeter* progress = progress_of(state);
  if (progress == nullptr) return;
  double rows = -1;
  if (const auto* scan = std::get_if<physical::OutputScan>(&pipeline.source)) {
    if (auto* host = dynamic_cast<HostRows*>(state.outputs[static_cast<std::size_t>(scan->pipeline)].get()))
      rows = static_cast<double>(host->host_rows().rows);
  }
  progress->start_pipeline(pipeline.id, rows);
}

}  // namespace

std::shared_ptr<PipelineOutput> run_plan(RunState& state, const RankBackends& backends, Communicator& communicator) {
  const std::vector<int> last_reader = last_readers(state.plan);
  state.outputs.assign(state.plan.pipelines.size(), nullptr);
  tell_start(state);
  for (const physical::Pipeline& pipeline : state.plan.pipelines) {
    state.query.cancellation.check();
    tell_pipeline(state, pipeline);
    PipelineProfile profile;
    profile.pipeline = pipeline.id;
    profile.rank = state.rank;
    Backend& backend = pipeline.placement == physical::Placement::kHost ? backends.host : backends.device;
    std::shared_ptr<PipelineOutput> output = backend.run(pipeline, state, profile);
    if (is_of_rank_zero(pipeline, state)) output = without_rows(*output);
    if (const auto* exchange = std::get_if<physical::Exchange>(&pipeline.sink)) {
      const auto start = Clock::now();
      ExchangeStatistics statistics;
      output = std::make_shared<HostRows>(exchange_rows(*exchange, output->host_rows(), communicator, state.query, statistics));
      profile.exchange_seconds = seconds_since(start);
      profile.exchange_bytes = statistics.bytes_sent;
    }
    state.query.profile.add(std::move(profile));
    state.outputs[static_cast<std::size_t>(pipeline.id)] = std::move(output);
    release_finished(state, last_reader, pipeline.id);
  }
  return state.outputs.back();
}

}  // namespace saccade
