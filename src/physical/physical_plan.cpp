#include "physical/physical_plan.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace saccade::physical {

namespace {

std::vector<Slot> pick(const Pipeline& pipeline, const std::vector<int>& indexes) {
  std::vector<Slot> slots;
  slots.reserve(indexes.size());
  for (const int index : indexes) slots.push_back(pipeline.slots.at(static_cast<std::size_t>(index)));
  return slots;
}

Slot key_part_slot() {
  Slot slot;
  slot.type = {TypeKind::kBigint};
  return slot;
}

Slot state_slot(const Aggregate& aggregate) {
  Slot slot;
  slot.lane = aggregate.state;
  slot.type = aggregate.state == Lane::kFloat64  ? DataType{TypeKind::kDouble}
              : aggregate.state == Lane::kInt128 ? DataType::numeric(38, 0)
              : aggregate.state == Lane::kText   ? DataType{TypeKind::kText}
                                                 : DataType{TypeKind::kBigint};
  return slot;
}

std::vector<Slot> group_slots(const Plan& plan, const Aggregation& aggregation) {
  std::vector<Slot> slots;
  if (aggregation.layout == Aggregation::Layout::kBuildRow) {
    slots = payload_slots(plan, aggregation.build);
  } else {
    slots.assign(aggregation.keys.size(), key_part_slot());
  }
  for (const Aggregate& aggregate : aggregation.aggregates) slots.push_back(state_slot(aggregate));
  return slots;
}

Slot window_slot(const Pipeline& pipeline, const WindowFunction& function) {
  using Kind = WindowKind;
  if (function.kind == Kind::kAggregate) return state_slot(function.aggregate);
  Slot slot;
  if (function.value_slot >= 0) {
    slot = pipeline.slots.at(static_cast<std::size_t>(function.value_slot));
    slot.nullable = true;
  } else if (function.kind == Kind::kPercentRank || function.kind == Kind::kCumeDist) {
    slot.type = {TypeKind::kDouble};
    slot.lane = Lane::kFloat64;
  } else if (function.kind == Kind::kLagOutside || function.kind == Kind::kLeadOutside) {
    slot.type = {TypeKind::kBoolean};
    slot.lane = Lane::kBoolean;
  } else {
    slot.type = {TypeKind::kBigint};
    slot.nullable = function.kind == Kind::kNtile;
  }
  return slot;
}

std::vector<Slot> window_slots(const Pipeline& pipeline, const Window& window) {
  std::vector<Slot> slots = pick(pipeline, window.output);
  for (const WindowFunction& function : window.functions) slots.push_back(window_slot(pipeline, function));
  return slots;
}

}  // namespace

std::vector<Slot> output_slots(const Plan& plan, int pipeline) {
  const Pipeline& source = plan.pipelines.at(static_cast<std::size_t>(pipeline));
  if (const auto* aggregation = std::get_if<Aggregation>(&source.sink)) return group_slots(plan, *aggregation);
  if (const auto* sort = std::get_if<Sort>(&source.sink)) return pick(source, sort->output);
  if (const auto* exchange = std::get_if<Exchange>(&source.sink)) return pick(source, exchange->output);
  if (const auto* result = std::get_if<Result>(&source.sink)) return pick(source, result->output);
  if (const auto* insert = std::get_if<Insert>(&source.sink)) return pick(source, insert->output);
  if (const auto* collect = std::get_if<Collect>(&source.sink)) return pick(source, collect->output);
  if (const auto* window = std::get_if<Window>(&source.sink)) return window_slots(source, *window);
  return payload_slots(plan, pipeline);
}

std::vector<Slot> payload_slots(const Plan& plan, int build) {
  const Pipeline& pipeline = plan.pipelines.at(static_cast<std::size_t>(build));
  const auto* sink = std::get_if<JoinBuild>(&pipeline.sink);
  SACCADE_CHECK(sink != nullptr);
  return pick(pipeline, sink->payload);
}

std::vector<int> dependencies(const Pipeline& pipeline) {
  std::vector<int> result;
  const auto add = [&](int id) {
    if (std::find(result.begin(), result.end(), id) == result.end()) result.push_back(id);
  };
  if (const auto* scan = std::get_if<OutputScan>(&pipeline.source)) add(scan->pipeline);
  if (const auto* scan = std::get_if<BuildScan>(&pipeline.source)) add(scan->build);
  if (const auto* concatenation = std::get_if<Concatenation>(&pipeline.source)) {
    for (const OutputScan& input : concatenation->inputs) add(input.pipeline);
  }
  for (const Step& step : pipeline.steps) {
    if (const auto* probe = std::get_if<Probe>(&step)) add(probe->build);
  }
  if (const auto* aggregation = std::get_if<Aggregation>(&pipeline.sink)) {
    if (aggregation->build >= 0) add(aggregation->build);
  }
  return result;
}

}  // namespace saccade::physical
