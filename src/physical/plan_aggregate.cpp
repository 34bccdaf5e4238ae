// Aggregations: the layout of groups, partial and final aggregation over ranks, and results from states.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "physical/aggregate_layout.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

ColumnSet inputs_of(const LogicalNode& node) {
  ColumnSet inputs;
  for (const Expression& key : node.expressions) {
    for (const ColumnId column : columns_of(key)) inputs.insert(column);
  }
  for (const AggregateCall& call : node.aggregates) {
    for (const Expression& argument : call.arguments) {
      for (const ColumnId column : columns_of(argument)) inputs.insert(column);
    }
  }
  return inputs;
}

void set_aggregates(AggregateLayout& layout) {
  const bool needs_presence =
      layout.sink.layout == Aggregation::Layout::kPerfect || layout.sink.layout == Aggregation::Layout::kBuildRow;
  layout.sink.presence = -1;
  if (needs_presence) choose_presence(layout);
  layout.sink.aggregates.clear();
  for (const AggregateState& state : layout.states) layout.sink.aggregates.push_back(state.aggregate);
}

// The least of a group's values; the packed form orders equal intervals too.
int add_representative(AggregateLayout& layout, const Lowered& value) {
  const Aggregate least{AggregateFunction::kMin, value.node.lane, {value.node}};
  layout.states.push_back({least, std::nullopt, nullptr, false});
  return static_cast<int>(layout.states.size()) - 1;
}

Node representative_value(OpenPipeline& open, const KeyOutput& key, int first_state) {
  Node value = slot_node(open.pipeline, first_state + key.representative);
  if (!key.shape.nullable) return value;
  Node is_null = call_node(FunctionId::boolean_of_i64, {slot_node(open.pipeline, key.first)});
  Node null = null_literal(open.pipeline, value.lane);
  return case_node({std::move(is_null), std::move(null), std::move(value)});
}

}  // namespace

void PlanBuilder::use_key_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout) {
  std::vector<KeyPart> parts;
  layout.keys.clear();
  for (std::size_t i = 0; i < node.expressions.size(); ++i) {
    const Lowered value = Lowering(open).lower(node.expressions[i]);
    KeyOutput key;
    key.first = static_cast<int>(parts.size());
    if (node.expressions[i].type.kind == TypeKind::kInterval) {
      key.representative = add_representative(layout, value);
      key.shape = append_group_parts(open, Lowering(open).lower_key(node.expressions[i]), parts);
    } else {
      key.shape = append_group_parts(open, value, parts);
    }
    key.dictionary = value.dictionary;
    key.slot =
        Slot{column_name(node.outputs[i]),      node.expressions[i].type, value.node.lane, value.node.nullable, value.bounds,
             dictionary_index(value.dictionary)};
    layout.keys.push_back(std::move(key));
  }
  set_key_layout(layout.sink, parts);
}

// Every key is the key or a payload column of one unique build that this pipeline probes: a group is then a row of that build.
bool PlanBuilder::use_build_row_layout(const LogicalNode& node, OpenPipeline& open, AggregateLayout& layout) {
  for (Step& step : open.pipeline.steps) {
    auto* probe = std::get_if<Probe>(&step);
    const bool inner = probe != nullptr && probe->kind == ProbeKind::kInner;
    const auto remembered = inner ? unique_probes_.find(probe->build) : unique_probes_.end();
    if (remembered == unique_probes_.end()) continue;
    const auto& [probe_key, build_key, payload] = remembered->second;
    std::vector<KeyOutput> keys;
    bool has_key = false;
    for (const Expression& expression : node.expressions) {
      if (expression.operation != Operation::kColumn) break;
      has_key |= expression.column == probe_key || expression.column == build_key;
      const ColumnId wanted = expression.column == probe_key ? build_key : expression.column;
      const auto found = std::find(payload.begin(), payload.end(), wanted);
      if (found == payload.end()) break;
      const auto slot = static_cast<std::size_t>(open.columns.at(wanted));
      KeyOutput key{{}, open.pipeline.slots[slot], open.slot_dictionaries[slot], static_cast<int>(found - payload.begin())};
      keys.push_back(std::move(key));
    }
    if (!has_key || keys.size() != node.expressions.size()) continue;
    Slot row{"build_row", {TypeKind::kBigint}, Lane::kInt64, false, Bounds{0, kInt64Bounds.high}, -1};
    const int build = probe->build;
    if (probe->row_slot < 0) {
      open.pipeline.slots.push_back(row);
      open.slot_dictionaries.push_back(nullptr);
      probe->row_slot = static_cast<int>(open.pipeline.slots.size()) - 1;
    }
    layout.keys = std::move(keys);
    layout.sink.layout = Aggregation::Layout::kBuildRow;
    layout.sink.build = build;
    layout.sink.keys = {slot_node(open.pipeline, probe->row_slot)};
    return true;
  }
  return false;
}

OpenPipeline PlanBuilder::read_groups(const LogicalNode& node, int id, const OpenPipeline& from,
                                      const AggregateLayout& layout) {
  OpenPipeline open;
  OutputScan scan{id, {}};
  for (Slot& slot : output_slots(plan_, id)) scan.slots.push_back(open.add_slot(std::move(slot), nullptr));
  const bool by_build_row = layout.sink.layout == Aggregation::Layout::kBuildRow;
  for (const KeyOutput& key : layout.keys) {
    // A key that is its only part is that slot; others are restored from their parts later.
    if (!by_build_row && (key.shape.nullable || key.shape.lane != Lane::kInt64)) continue;
    open.pipeline.slots[static_cast<std::size_t>(key.first)] = key.slot;
    open.slot_dictionaries[static_cast<std::size_t>(key.first)] = key.dictionary;
  }
  const std::size_t first_state = open.pipeline.slots.size() - layout.states.size();
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    open.pipeline.slots[first_state + i].bounds = layout.states[i].bounds;
    open.pipeline.slots[first_state + i].dictionary = dictionary_index(layout.states[i].dictionary);
    open.slot_dictionaries[first_state + i] = layout.states[i].dictionary;
  }
  open.pipeline.source = std::move(scan);
  open.max_rows = layout.keys.empty() ? ranks() : from.max_rows;
  open.rows = cardinality_.rows(node);
  open.distribution = from.distribution;
  return open;
}

void PlanBuilder::finish_groups(const LogicalNode& node, OpenPipeline& open, const AggregateLayout& layout) {
  const bool by_build_row = layout.sink.layout == Aggregation::Layout::kBuildRow;
  const int first_state =
      static_cast<int>(std::get<OutputScan>(open.pipeline.source).slots.size()) - static_cast<int>(layout.states.size());
  for (std::size_t i = 0; i < layout.keys.size(); ++i) {
    const KeyOutput& key = layout.keys[i];
    Lowered value{by_build_row ? slot_node(open.pipeline, key.first) : restore_key(open, key.shape, key.first), key.slot.bounds,
                  key.dictionary};
    if (!by_build_row && key.representative >= 0) {
      Slot& state = open.pipeline.slots[static_cast<std::size_t>(first_state + key.representative)];
      state.type = key.slot.type;
      value.node = representative_value(open, key, first_state);
    }
    compute(open, node.outputs[i], value);
  }
  if (layout.keys.size() == 1) open.unique[node.outputs[0]] = {};
  for (std::size_t i = 0; i < node.aggregates.size(); ++i) {
    const AggregateCall& call = node.aggregates[i];
    const Lowered value = call_result(open, call, layout.calls[i], first_state);
    if (value.node.kind == NodeKind::kSlot) {  // the state is the result: the slot takes its type and name
      Slot& slot = open.pipeline.slots[static_cast<std::size_t>(value.node.index)];
      slot.type = call.type;
      slot.name = column_name(call.output);
    }
    compute(open, call.output, value);
  }
}

OpenPipeline PlanBuilder::visit_aggregate(const LogicalNode& node) {
  OpenPipeline open = visit(node.children.at(0), inputs_of(node));
  AggregateLayout layout;
  if (!use_build_row_layout(node, open, layout)) use_key_layout(node, open, layout);
  add_states(open, node.aggregates, node.expressions.empty(), layout);
  set_aggregates(layout);
  layout.sink.estimated_groups = cardinality_.rows(node);
  layout.sink.only_rank_zero = is_single_at_zero(layout.sink, open);
  const int id = close(open, layout.sink);
  OpenPipeline groups = read_groups(node, id, open, layout);
  const bool spread = ranks() > 1 && open.distribution == Distribution::kSpread;
  if (spread) groups = merge_over_ranks(node, std::move(groups), layout);
  finish_groups(node, groups, layout);
  return groups;
}

}  // namespace saccade::physical
