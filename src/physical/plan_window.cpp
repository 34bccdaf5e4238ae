// Windows: partitions are brought together, their functions become states, places and values, and results are made from these
// by the pipeline that reads them.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "physical/aggregate_layout.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

void require(const Expression& expression, ColumnSet& columns) {
  for (const ColumnId column : columns_of(expression)) columns.insert(column);
}

ColumnSet inputs_of(const LogicalNode& node) {
  ColumnSet inputs;
  for (const Expression& key : node.expressions) require(key, inputs);
  for (const SortKey& key : node.sort_keys) require(key.expression, inputs);
  for (const WindowCall& call : node.window_calls) {
    for (const Expression& argument : call.arguments) require(argument, inputs);
    if (!call.aggregate) continue;
    for (const Expression& argument : call.aggregate->arguments) require(argument, inputs);
  }
  return inputs;
}

bool has_offset(WindowFrame::Bound bound) {
  return bound == WindowFrame::Bound::kPreceding || bound == WindowFrame::Bound::kFollowing;
}

// `scale`: that of the key, to which a numeric is brought.
Frame::Offset lower_offset(const Value& value, int scale) {
  Frame::Offset offset;
  if (const auto* integer = std::get_if<int128>(&value.data)) {
    const int digits = value.type.kind == TypeKind::kNumeric ? std::max(0, scale - value.type.scale) : 0;
    if (__builtin_mul_overflow(*integer, power_of_ten(digits), &offset.integer)) offset.integer = kInt128Max;
  }
  if (const auto* real = std::get_if<double>(&value.data)) offset.real = *real;
  if (const auto* interval = std::get_if<Interval>(&value.data)) {
    offset.is_interval = true;
    offset.months = interval->months;
    offset.days = interval->days;
    offset.microseconds = interval->microseconds;
  }
  return offset;
}

// The scale in which a numeric key and its distances can all be written.
int range_scale(const LogicalNode& node, const WindowFrame& frame) {
  int scale = 0;
  for (const SortKey& key : node.sort_keys) scale = std::max<int>(scale, key.expression.type.scale);
  if (has_offset(frame.start)) scale = std::max<int>(scale, frame.start_offset.type.scale);
  if (has_offset(frame.end)) scale = std::max<int>(scale, frame.end_offset.type.scale);
  return scale;
}

}  // namespace

// The window's sink while its functions are gathered.
struct WindowLayout {
  Window sink;
  std::vector<ColumnId> passed;  // of sink.output
  // By frame of the sink: the frame as the query has it, the aggregates over it with their states, and the function that is the
  // first of these states.
  struct FrameAggregates {
    WindowFrame frame;
    std::vector<AggregateCall> calls;
    AggregateLayout layout;
    int first_state = -1;
  };
  std::vector<FrameAggregates> frames;
  // By call of the node: its function, or the place of its aggregate among those of its frame.
  struct Place {
    int frame = -1, aggregate = -1, function = -1;
  };
  std::vector<Place> places;
};

namespace {

bool takes_value(WindowKind kind) {
  return kind == WindowKind::kLag || kind == WindowKind::kLead || kind == WindowKind::kFirstValue ||
         kind == WindowKind::kLastValue || kind == WindowKind::kNthValue;
}

// The one sort key as a slot, from which the frame's distances are measured.
void set_range_key(const LogicalNode& node, OpenPipeline& open, int scale, Frame& frame) {
  SACCADE_CHECK(node.sort_keys.size() == 1);
  const SortKey& key = node.sort_keys.front();
  Expression expression = key.expression;
  const bool interval = frame.start_offset.is_interval || frame.end_offset.is_interval;
  if (interval && expression.type.kind == TypeKind::kDate)
    expression = call_expression(Operation::kCast, {TypeKind::kTimestamp}, {std::move(expression)});
  const DataType& type = expression.type;
  if (type.kind == TypeKind::kNumeric && type.scale < scale) {
    const DataType wider = DataType::numeric(std::min(38, type.precision + scale - type.scale), scale);
    expression = call_expression(Operation::kCast, wider, {std::move(expression)});
  }
  const Lowered value = Lowering(open).lower(expression);
  frame.range_descending = key.descending;
  frame.range_nulls_first = key.nulls_first;
  frame.range_slot = value.node.index;
  if (value.node.kind == NodeKind::kSlot) return;
  frame.range_slot =
      open.add_slot({"range_key", expression.type, value.node.lane, value.node.nullable, value.bounds, -1}, nullptr);
  open.pipeline.steps.emplace_back(Compute{{frame.range_slot}, {value.node}});
}

// The number of a frame in the layout; equal ones are one.
int frame_number(const LogicalNode& node, OpenPipeline& open, const WindowFrame& frame, WindowLayout& layout) {
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    if (layout.frames[f].frame == frame) return static_cast<int>(f);
  }
  Frame lowered;
  lowered.mode = frame.mode;
  lowered.start = frame.start;
  lowered.end = frame.end;
  lowered.exclusion = frame.exclusion;
  const int scale = frame.mode == WindowFrame::Mode::kRange ? range_scale(node, frame) : 0;
  if (has_offset(frame.start)) lowered.start_offset = lower_offset(frame.start_offset, scale);
  if (has_offset(frame.end)) lowered.end_offset = lower_offset(frame.end_offset, scale);
  const bool distance = has_offset(frame.start) || has_offset(frame.end);
  if (frame.mode == WindowFrame::Mode::kRange && distance) set_range_key(node, open, scale, lowered);
  layout.sink.frames.push_back(std::move(lowered));
  layout.frames.push_back({frame, {}, {}, -1});
  return static_cast<int>(layout.frames.size()) - 1;
}

// The states of all aggregates, as functions of the sink.
void add_frame_states(OpenPipeline& open, WindowLayout& layout) {
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    WindowLayout::FrameAggregates& frame = layout.frames[f];
    // A frame may hold no row, as all rows of a query without GROUP BY may be none.
    add_states(open, frame.calls, true, frame.layout);
    frame.first_state = static_cast<int>(layout.sink.functions.size());
    for (const AggregateState& state : frame.layout.states) {
      WindowFunction function;
      function.kind = WindowKind::kAggregate;
      function.frame = static_cast<int>(f);
      function.aggregate = state.aggregate;
      layout.sink.functions.push_back(std::move(function));
    }
  }
}

}  // namespace

OpenPipeline PlanBuilder::bring_partitions_together(const LogicalNode& node, OpenPipeline open, const ColumnSet& needed) {
  if (ranks() == 1 || open.distribution == Distribution::kRankZero) return open;
  if (node.expressions.empty()) return gather_to_rank_zero(std::move(open), needed);
  std::vector<KeyPart> parts;
  for (const Expression& key : node.expressions) append_group_parts(open, Lowering(open).lower_key(key), parts);
  Exchange exchange;
  exchange.kind = Exchange::Kind::kShuffle;
  exchange.text = "shuffle by partition key";
  for (KeyPart& part : parts) exchange.keys.push_back(std::move(part.node));
  return exchange_rows(std::move(open), std::move(exchange), needed);
}

void PlanBuilder::add_window_calls(const LogicalNode& node, OpenPipeline& open, WindowLayout& layout) {
  for (const WindowCall& call : node.window_calls) {
    WindowLayout::Place place;
    if (call.kind >= WindowKind::kFirstValue) place.frame = frame_number(node, open, call.frame, layout);
    if (call.aggregate) {
      std::vector<AggregateCall>& calls = layout.frames[static_cast<std::size_t>(place.frame)].calls;
      place.aggregate = static_cast<int>(calls.size());
      calls.push_back(*call.aggregate);
      layout.places.push_back(place);
      continue;
    }
    WindowFunction function;
    function.kind = call.kind;
    function.frame = place.frame;
    const bool value = takes_value(call.kind);
    if (value) {
      const Expression& argument = call.arguments.at(0);
      function.value_slot = add_value_slot(open, column_name(call.output), argument.type, Lowering(open).lower(argument));
    }
    for (std::size_t a = value ? 1 : 0; a < call.arguments.size(); ++a) {
      function.number.push_back(Lowering(open).lower(call.arguments[a]).node);
      SACCADE_CHECK(function.number.back().lane == Lane::kInt64);
    }
    place.function = static_cast<int>(layout.sink.functions.size());
    layout.sink.functions.push_back(std::move(function));
    layout.places.push_back(place);
  }
  add_frame_states(open, layout);
}

// The output of a closed window: the columns that passed through, then a slot for each function.
OpenPipeline PlanBuilder::read_window(int id, const OpenPipeline& from, const WindowLayout& layout) {
  OpenPipeline open;
  OutputScan scan{id, {}};
  std::vector<Slot> outputs = output_slots(plan_, id);
  const std::size_t first_function = layout.passed.size();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool passed = i < first_function;
    const WindowFunction* function = passed ? nullptr : &layout.sink.functions[i - first_function];
    const int source = passed ? from.columns.at(layout.passed[i]) : function->value_slot;
    if (passed) outputs[i].name = column_name(layout.passed[i]);
    const bool numbers_rows = !passed && function->kind <= WindowKind::kNtile && outputs[i].lane == Lane::kInt64;
    if (numbers_rows) outputs[i].bounds = Bounds{1, kInt64Bounds.high};
    if (numbers_rows && function->kind != WindowKind::kNtile) outputs[i].bounds->high = std::max<int128>(from.max_rows, 1);
    std::shared_ptr<const Dictionary> dictionary;
    if (source >= 0) dictionary = from.slot_dictionaries[static_cast<std::size_t>(source)];
    scan.slots.push_back(open.add_slot(std::move(outputs[i]), std::move(dictionary)));
    if (passed) open.columns[layout.passed[i]] = scan.slots.back();
  }
  for (const WindowLayout::FrameAggregates& frame : layout.frames) {
    for (std::size_t s = 0; s < frame.layout.states.size(); ++s) {
      const std::size_t slot = first_function + static_cast<std::size_t>(frame.first_state) + s;
      open.pipeline.slots[slot].bounds = frame.layout.states[s].bounds;
      open.pipeline.slots[slot].dictionary = dictionary_index(frame.layout.states[s].dictionary);
      open.slot_dictionaries[slot] = frame.layout.states[s].dictionary;
    }
  }
  open.pipeline.source = std::move(scan);
  open.unique = from.unique;
  open.max_rows = from.max_rows;
  open.rows = from.rows;
  open.distribution = from.distribution;
  return open;
}

void PlanBuilder::finish_window(const LogicalNode& node, OpenPipeline& open, const WindowLayout& layout) {
  const int first_function = static_cast<int>(layout.passed.size());
  for (std::size_t c = 0; c < node.window_calls.size(); ++c) {
    const WindowCall& call = node.window_calls[c];
    const WindowLayout::Place& place = layout.places[c];
    Lowered value;
    if (call.aggregate) {
      const WindowLayout::FrameAggregates& frame = layout.frames[static_cast<std::size_t>(place.frame)];
      const CallStates& states = frame.layout.calls[static_cast<std::size_t>(place.aggregate)];
      value = call_result(open, *call.aggregate, states, first_function + frame.first_state);
    } else {
      const auto slot = static_cast<std::size_t>(first_function + place.function);
      value = {slot_node(open.pipeline, static_cast<int>(slot)), open.pipeline.slots[slot].bounds,
               open.slot_dictionaries[slot]};
    }
    if (value.node.kind == NodeKind::kSlot) {  // a slot that is the result itself takes its type and name
      Slot& slot = open.pipeline.slots[static_cast<std::size_t>(value.node.index)];
      slot.type = call.type;
      slot.name = column_name(call.output);
    }
    compute(open, call.output, value);
  }
}

OpenPipeline PlanBuilder::visit_window(const LogicalNode& node, const ColumnSet& required) {
  ColumnSet needed = inputs_of(node);
  needed.insert(required.begin(), required.end());
  for (const WindowCall& call : node.window_calls) needed.erase(call.output);
  OpenPipeline open = bring_partitions_together(node, visit(node.children.at(0), needed), needed);
  WindowLayout layout;
  std::vector<KeyPart> partition;
  for (const Expression& key : node.expressions) append_group_parts(open, Lowering(open).lower_key(key), partition);
  for (KeyPart& part : partition) layout.sink.partition.push_back(std::move(part.node));
  for (const SortKey& key : node.sort_keys)
    append_sort_parts(open, Lowering(open).lower_key(key.expression), key.descending, key.nulls_first, layout.sink.order);
  add_window_calls(node, open, layout);
  for (const ColumnId column : required) {
    if (open.columns.contains(column)) layout.passed.push_back(column);
  }
  layout.sink.output = slots_of(open, layout.passed);
  const int id = close(open, layout.sink);
  OpenPipeline next = read_window(id, open, layout);
  finish_window(node, next, layout);
  return next;
}

}  // namespace saccade::physical
