// Aggregations over several ranks: partial groups are exchanged, then aggregated again.
#include <numeric>
#include <utility>

#include "optimizer/cost_model.hpp"
#include "physical/aggregate_layout.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

// The key parts of partial groups: slots of theirs, or made from the payload columns of a build.
// `slots`: those of the parts; text instead of an interned key stands for the key made of it.
std::vector<KeyPart> group_parts(OpenPipeline& open, const AggregateLayout& layout, const std::vector<int>& slots,
                                 std::vector<KeyShape>& shapes) {
  std::vector<KeyPart> parts;
  if (layout.sink.layout == Aggregation::Layout::kBuildRow) {
    for (const KeyOutput& key : layout.keys) {
      const Lowered value{slot_node(open.pipeline, key.first), key.slot.bounds, key.dictionary};
      shapes.push_back(append_group_parts(open, value, parts));
    }
    return parts;
  }
  const std::vector<Bounds>& bounds = layout.sink.key_bounds;
  for (std::size_t i = 0; i < layout.sink.keys.size(); ++i) {
    Node part = slot_node(open.pipeline, slots[i]);
    if (part.lane == Lane::kText) part = intern_node(std::move(part));
    parts.push_back({std::move(part), i < bounds.size() ? OptionalBounds(bounds[i]) : std::nullopt});
  }
  return parts;
}

// States are merged as they were made: counts and sums are added, minima and maxima compared.
void merge_states(const OpenPipeline& merged, AggregateLayout& layout) {
  const std::size_t first_state = merged.pipeline.slots.size() - layout.states.size();
  layout.sink.aggregates.clear();
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    Aggregate& aggregate = layout.states[i].aggregate;
    const bool adds = aggregate.function != AggregateFunction::kMin && aggregate.function != AggregateFunction::kMax;
    if (adds) aggregate.function = AggregateFunction::kSum;
    aggregate.argument = {slot_node(merged.pipeline, static_cast<int>(first_state + i))};
    layout.sink.aggregates.push_back(aggregate);
  }
}

}  // namespace

std::vector<int> PlanBuilder::sendable_groups(OpenPipeline& partial, const AggregateLayout& layout) {
  std::vector<int> slots(std::get<OutputScan>(partial.pipeline.source).slots.size());
  std::iota(slots.begin(), slots.end(), 0);
  if (layout.sink.layout == Aggregation::Layout::kBuildRow) return slots;
  for (const KeyOutput& key : layout.keys) {
    if (key.shape.lane != Lane::kText) continue;
    const int part = key.first + (key.shape.nullable ? 1 : 0);
    const Lowered text{text_of_key_node(slot_node(partial.pipeline, part)), std::nullopt, nullptr};
    slots[static_cast<std::size_t>(part)] = add_value_slot(partial, key.slot.name, key.slot.type, text);
  }
  return slots;
}

OpenPipeline PlanBuilder::exchange_groups(OpenPipeline partial, const std::vector<int>& slots,
                                          const std::vector<KeyPart>& parts, bool gather) {
  Exchange exchange;
  exchange.kind = gather ? Exchange::Kind::kGather : Exchange::Kind::kShuffle;
  exchange.text = gather ? "gather partial groups" : "shuffle partial groups by key";
  exchange.estimated_rows = partial.rows;
  double bytes = 0;
  for (const Slot& slot : partial.pipeline.slots) bytes += partial.rows * lane_bytes(slot.lane);
  exchange.shuffle_seconds = shuffle_seconds(options_.topology, bytes, 0);
  exchange.broadcast_seconds = broadcast_seconds(options_.topology, bytes);
  const std::size_t columns = slots.size();
  exchange.output = slots;
  if (!gather) {
    for (const KeyPart& part : parts) exchange.keys.push_back(part.node);
  }
  const int id = close(partial, std::move(exchange));
  OpenPipeline merged;
  OutputScan scan{id, {}};
  for (std::size_t i = 0; i < columns; ++i) {
    const auto slot = static_cast<std::size_t>(slots[i]);
    scan.slots.push_back(
        merged.add_slot(plan_.pipelines[static_cast<std::size_t>(id)].slots[slot], partial.slot_dictionaries[slot]));
  }
  merged.pipeline.source = std::move(scan);
  merged.max_rows = partial.max_rows;
  merged.rows = partial.rows;
  merged.distribution = gather ? Distribution::kRankZero : Distribution::kSpread;
  return merged;
}

OpenPipeline PlanBuilder::merge_over_ranks(const LogicalNode& node, OpenPipeline partial, AggregateLayout& layout) {
  constexpr double kFewGroups = 10000;
  const bool gather = layout.keys.empty() || partial.rows <= kFewGroups;
  std::vector<KeyShape> shapes;
  const std::vector<int> slots = sendable_groups(partial, layout);
  const std::vector<KeyPart> sent = group_parts(partial, layout, slots, shapes);
  OpenPipeline merged = exchange_groups(std::move(partial), slots, sent, gather);
  merge_states(merged, layout);
  shapes.clear();
  std::vector<int> places(slots.size());
  std::iota(places.begin(), places.end(), 0);
  const std::vector<KeyPart> parts = group_parts(merged, layout, places, shapes);
  int first = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    layout.keys[i].shape = shapes[i];
    layout.keys[i].first = first;
    first += shapes[i].parts();
  }
  const int presence = layout.sink.presence;
  set_key_layout(layout.sink, parts);
  layout.sink.presence = layout.sink.layout == Aggregation::Layout::kPerfect ? presence : -1;
  layout.sink.only_rank_zero = is_single_at_zero(layout.sink, merged);
  const int id = close(merged, layout.sink);
  return read_groups(node, id, merged, layout);
}

}  // namespace saccade::physical
