#include "execution/gpu/gpu_backend_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"

namespace saccade::gpu {

namespace {

constexpr std::int64_t kTileItems = 8;
// What a thread may sum into a 64-bit share of a 128-bit sum (operators/aggregation.cpp).
constexpr std::int64_t kMostRowsPerThread = std::int64_t{1} << 24;

}  // namespace

GpuPipelineRun::GpuPipelineRun(const DeviceContext& context, const EmittedKernel& emitted, const Kernel* kernel,
                               const physical::Pipeline& pipeline, RunState& state, PipelineProfile& profile)
    : context_(context), emitted_(emitted), kernel_(kernel), pipeline_(pipeline), state_(state), profile_(profile) {}

std::shared_ptr<PipelineOutput> GpuPipelineRun::run() {
  open_source();
  upload_lookups();
  profile_.rows_in = rows_;
  if (const auto* build = std::get_if<physical::JoinBuild>(&pipeline_.sink)) return run_build(*build);
  if (const auto* aggregation = std::get_if<physical::Aggregation>(&pipeline_.sink)) return run_aggregation(*aggregation);
  if (const auto* sort = std::get_if<physical::Sort>(&pipeline_.sink)) return run_collect(sort->keys, sort);
  if (const auto* exchange = std::get_if<physical::Exchange>(&pipeline_.sink)) return run_collect(exchange->keys, nullptr);
  return run_collect({}, nullptr);
}

void GpuPipelineRun::open_source() {
  if (const auto* table = std::get_if<physical::TableScan>(&pipeline_.source)) return open_table(*table);
  if (const auto* output = std::get_if<physical::OutputScan>(&pipeline_.source)) return open_output(*output);
  if (const auto* build = std::get_if<physical::BuildScan>(&pipeline_.source)) return open_build(*build);
  if (const auto* inputs = std::get_if<physical::Concatenation>(&pipeline_.source)) return open_several(*inputs);
  SACCADE_CHECK(std::holds_alternative<physical::OneRow>(pipeline_.source));
  rows_ = state_.rank == 0 ? 1 : 0;
}

void GpuPipelineRun::open_table(const physical::TableScan& scan) {
  const std::shared_ptr<Table> table = state_.table(scan);
  resident_ = context_.residency.acquire(context_.runtime, {*table, scan, pipeline_.slots, state_.rank, state_.ranks},
                                         state_.query.pool, state_.query.cancellation);
  profile_.chunks = table->chunk_count(state_.rank, state_.ranks);
  for (std::int64_t chunk = 0; chunk < profile_.chunks; ++chunk) rows_ += table->chunk_rows(state_.rank, state_.ranks, chunk);
  for (std::size_t i = 0; i < resident_.size(); ++i) {
    columns_.push_back(resident_[i]->address);
    profile_.bytes += rows_ * scan.columns[i].encoding.width + (resident_[i]->address.validity != 0 ? rows_ / 8 : 0);
  }
}

void GpuPipelineRun::upload_lookups() {
  for (const physical::Lookup& lookup : pipeline_.lookups) {
    std::vector<std::uint8_t> flags;
    const void* values = lookup.values.data();
    auto bytes = static_cast<std::int64_t>(lookup.values.size() * sizeof(std::int64_t));
    if (lookup.lane == Lane::kBoolean) {
      flags.assign(lookup.values.begin(), lookup.values.end());
      values = flags.data();
      bytes = static_cast<std::int64_t>(flags.size());
    }
    memory_.push_back(context_.allocate(bytes));
    lookups_.push_back(memory_.back().address());
    if (bytes > 0) context_.runtime.upload(lookups_.back(), values, bytes);
  }
}

const DeviceBuild& GpuPipelineRun::build_of(int pipeline) const {
  const auto* build = dynamic_cast<const DeviceBuild*>(state_.outputs.at(static_cast<std::size_t>(pipeline)).get());
  SACCADE_CHECK(build != nullptr && build->runtime == &context_.runtime);
  return *build;
}

void GpuPipelineRun::set_common(ArgumentBlock& arguments, DeviceAddress status) {
  for (const Argument& argument : emitted_.arguments.arguments()) {
    const auto index = static_cast<std::size_t>(argument.index);
    switch (argument.kind) {
      case ArgumentKind::kRows:
        arguments.set(argument, rows_);
        break;
      case ArgumentKind::kStatus:
        arguments.set(argument, status);
        break;
      case ArgumentKind::kColumn:
        arguments.set(argument, columns_.at(index).values, columns_[index].base, columns_[index].validity);
        break;
      case ArgumentKind::kLiteral:
        set_literal(arguments, argument);
        break;
      case ArgumentKind::kLookup:
        arguments.set(argument, lookups_.at(index), pipeline_.lookups[index].base);
        break;
      case ArgumentKind::kBuild:
        set_build(arguments, argument);
        break;
      case ArgumentKind::kMatched:
        arguments.set(argument, build_of(argument.index).matched);
        break;
      case ArgumentKind::kPayload: {
        const ColumnAddress& address = build_of(argument.index).payload.at(static_cast<std::size_t>(argument.part)).address;
        arguments.set(argument, address.values, address.base, address.validity);
        break;
      }
      default:
        break;  // the sink's
    }
  }
}

void GpuPipelineRun::set_literal(ArgumentBlock& arguments, const Argument& argument) const {
  const physical::Literal& literal = pipeline_.literals.at(static_cast<std::size_t>(argument.index));
  if (literal.lane == Lane::kFloat64) return arguments.set(argument, literal.real);
  arguments.set_bytes(argument, &literal.integer);  // little-endian: the low bytes are the narrower integer
}

void GpuPipelineRun::set_build(ArgumentBlock& arguments, const Argument& argument) const {
  const DeviceBuild& build = build_of(argument.index);
  if (build.layout == physical::JoinBuild::Layout::kDense)
    return arguments.set(argument, build.entries, build.low, build.range);
  if (build.layout == physical::JoinBuild::Layout::kAllRows) return arguments.set(argument, build.rows);
  std::vector<std::uint64_t> words{build.slots, build.slot_mask, build.next};
  words.insert(words.end(), build.parts.begin(), build.parts.end());
  SACCADE_CHECK(static_cast<std::int64_t>(words.size() * 8) == argument.bytes);
  arguments.set_bytes(argument, words.data());
}

void GpuPipelineRun::launch(const ArgumentBlock& arguments) {
  state_.query.cancellation.check();
  if (rows_ == 0) return;
  const int threads = context_.runtime.properties().block_threads;
  const int blocks = context_.primitives.blocks_for(rows_, kTileItems);
  SACCADE_CHECK(rows_ / (static_cast<std::int64_t>(blocks) * threads) < kMostRowsPerThread);
  const std::int64_t shared = 8 * (emitted_.shared_words + emitted_.shared_words_per_thread * threads);
  context_.runtime.launch(kernel_, blocks, threads, shared, arguments.data(), arguments.bytes());
}

DeviceStatus GpuPipelineRun::read_status(DeviceAddress status) {
  DeviceStatus report;
  // The words in use: what steps have counted lies at the end.
  const auto bytes = static_cast<std::int64_t>(offsetof(DeviceStatus, left) + 8 * static_cast<std::size_t>(emitted_.counters));
  context_.runtime.download(&report, status, bytes);
  check_status(report);
  return report;
}

void GpuPipelineRun::check_status(const DeviceStatus& status) {
  if (status.error != 0) throw to_error(static_cast<FunctionError>(status.error));
  profile_.steps.clear();
  for (std::size_t i = 0; i < emitted_.steps.size(); ++i) {
    const int counter = emitted_.step_counters[i];
    profile_.steps.push_back(
        {emitted_.steps[i], counter < 0 ? rows_ : static_cast<std::int64_t>(status.left[static_cast<std::size_t>(counter)])});
  }
}

}  // namespace saccade::gpu
