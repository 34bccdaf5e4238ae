#include "execution/gpu/emitter.hpp"

#include <fmt/format.h>

#include "execution/gpu/operators/operators.hpp"

namespace saccade::gpu {

namespace {

// One less than 2^30: sums and differences of two such values fit 32 bits.
constexpr int128 kNarrowLimit = (int128{1} << 30) - 1;

void emit_step(KernelWriter& writer, const physical::Step& step) {
  if (const auto* filter = std::get_if<physical::Filter>(&step)) {
    writer.kernel().steps.emplace_back("filter");
    emit_filter(writer, *filter);
  } else if (const auto* compute = std::get_if<physical::Compute>(&step)) {
    writer.kernel().steps.emplace_back("compute");
    emit_compute(writer, *compute);
  } else {
    writer.kernel().steps.emplace_back("join");
    emit_probe(writer, std::get<physical::Probe>(step));
  }
}

void emit_sink(KernelWriter& writer, const physical::Sink& sink) {
  if (const auto* build = std::get_if<physical::JoinBuild>(&sink)) return emit_join_build(writer, *build);
  if (const auto* aggregation = std::get_if<physical::Aggregation>(&sink)) return emit_aggregation(writer, *aggregation);
  if (const auto* sort = std::get_if<physical::Sort>(&sink))
    return emit_collect(writer, sort->output, sort->keys, "sort: rows to order");
  if (const auto* exchange = std::get_if<physical::Exchange>(&sink)) {
    return emit_collect(writer, exchange->output, exchange->keys, "exchange: rows to send");
  }
  if (const auto* result = std::get_if<physical::Result>(&sink)) return emit_collect(writer, result->output, {}, "result");
  if (const auto* collect = std::get_if<physical::Collect>(&sink)) return emit_collect(writer, collect->output, {}, "keep");
  emit_collect(writer, std::get<physical::Insert>(sink).output, {}, "insert");
}

}  // namespace

bool is_narrow(const Bounds& bounds) {
  return bounds.low >= -kNarrowLimit && bounds.high <= kNarrowLimit;
}

Item item_of(Lane lane) {
  switch (lane) {
    case Lane::kBoolean:
      return Item::kBoolean;
    case Lane::kInt64:
      return Item::kInt64;
    case Lane::kInt128:
      return Item::kInt128;
    case Lane::kFloat64:
      return Item::kFloat64;
    case Lane::kText:
      break;
  }
  throw Error(sqlstate::kFeatureNotSupported, "strings that are computed can't be used on a GPU yet", 0, "SET device = cpu.");
}

Item item_of(Lane lane, const std::optional<Bounds>& bounds) {
  return lane == Lane::kInt64 && bounds && is_narrow(*bounds) ? Item::kInt : item_of(lane);
}

int item_bytes(Item item) {
  switch (item) {
    case Item::kBoolean:
      return 1;
    case Item::kInt:
      return 4;
    case Item::kInt128:
      return 16;
    default:
      return 8;
  }
}

const char* item_type(Item item) {
  switch (item) {
    case Item::kBoolean:
      return "bool";
    case Item::kInt:
      return "int";
    case Item::kInt64:
      return "i64";
    case Item::kInt128:
      return "i128";
    case Item::kFloat64:
      return "double";
  }
  return "";
}

const char* stored_type(Item item) {
  return item == Item::kBoolean ? "u8" : item_type(item);
}

EmittedColumn payload_column(const physical::Slot& slot) {
  return {item_of(slot.lane, slot.bounds), slot.nullable};
}

bool build_needs_rows(const physical::Plan& plan, int build) {
  const auto& sink = std::get<physical::JoinBuild>(plan.pipelines.at(static_cast<std::size_t>(build)).sink);
  if (!sink.payload.empty() || sink.track_matches) return true;
  for (const physical::Pipeline& pipeline : plan.pipelines) {
    for (const physical::Step& step : pipeline.steps) {
      const auto* probe = std::get_if<physical::Probe>(&step);
      if (probe == nullptr || probe->build != build) continue;
      const bool walks = probe->kind == physical::ProbeKind::kLeft || !probe->condition.empty();
      if (probe->row_slot >= 0 || walks) return true;
    }
    const auto* aggregation = std::get_if<physical::Aggregation>(&pipeline.sink);
    if (aggregation != nullptr && aggregation->build == build) return true;
  }
  return false;
}

EmittedKernel emit_pipeline(const physical::Plan& plan, int pipeline) {
  const physical::Pipeline& emitted = plan.pipelines.at(static_cast<std::size_t>(pipeline));
  KernelWriter writer(plan, emitted);
  emit_source(writer);
  load_early(writer);
  int counters = 0;
  for (const physical::Step& step : emitted.steps) {
    emit_step(writer, step);
    const bool changes_rows = !std::holds_alternative<physical::Compute>(step);
    if (changes_rows) writer.line(fmt::format("left.count({}, tile);", counters++));
    writer.kernel().step_counters.push_back(counters - 1);
  }
  emit_sink(writer, emitted.sink);
  if (counters > 0) {
    writer.before(fmt::format("LeftRows<{}> left;", counters), "rows left by each step");
    writer.after("left.finish(a.status);");
  }
  writer.kernel().counters = counters;
  EmittedKernel kernel = std::move(writer.kernel());
  writer.kernel() = kernel;
  kernel.text = writer.text(true);
  kernel.source = writer.text(false);
  return kernel;
}

std::string emit_kernel(const physical::Plan& plan, int pipeline) {
  return emit_pipeline(plan, pipeline).text;
}

}  // namespace saccade::gpu
