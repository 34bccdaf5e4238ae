#include "physical/aggregate_layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/error.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

namespace {

int add_state(AggregateLayout& layout, AggregateState state) {
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    if (layout.states[i].aggregate == state.aggregate) return static_cast<int>(i);
  }
  layout.states.push_back(std::move(state));
  return static_cast<int>(layout.states.size()) - 1;
}

int add_count_star(AggregateLayout& layout, const OpenPipeline& open) {
  return add_state(layout, {Aggregate{}, Bounds{0, open.max_rows}, nullptr, false});
}

int add_count(AggregateLayout& layout, const OpenPipeline& open, const Lowered& argument) {
  if (!argument.node.nullable) return add_count_star(layout, open);
  return add_state(
      layout, {Aggregate{AggregateFunction::kCount, Lane::kInt64, {argument.node}}, Bounds{0, open.max_rows}, nullptr, false});
}

// Sum of at most `rows` values within `bounds`, and of fewer.
OptionalBounds sum_bounds(const OptionalBounds& bounds, int128 rows) {
  return multiply_bounds(bounds, Bounds{0, rows});
}

void add_sum(AggregateLayout& layout, OpenPipeline& open, const Lowered& argument, CallStates& call) {
  const auto sum = [&](Lane state, Node node, OptionalBounds bounds) {
    const bool positive = argument.bounds && argument.bounds->low > 0;
    return add_state(layout, {Aggregate{AggregateFunction::kSum, state, {std::move(node)}}, bounds, nullptr, positive});
  };
  if (argument.node.lane == Lane::kFloat64) {
    call.value = sum(Lane::kFloat64, argument.node, std::nullopt);
    Node zero = float_literal(open.pipeline, 0);
    call.witness = sum(Lane::kFloat64, call_node(FunctionId::multiply_f64, {argument.node, std::move(zero)}), std::nullopt);
    return;
  }
  const OptionalBounds total = sum_bounds(argument.bounds, open.max_rows);
  if (argument.node.lane == Lane::kInt64) {
    call.value = sum(within(total, kInt64Bounds) ? Lane::kInt64 : Lane::kInt128, argument.node, total);
    return;
  }
  if (total) {
    call.value = sum(Lane::kInt128, argument.node, total);
    return;
  }
  // Up to 191 bits: the high and the low 64 bits of each value are summed apart.
  const OptionalBounds half = Bounds{-(int128{1} << 63), (int128{1} << 64)};
  call.value = sum(Lane::kInt128, call_node(FunctionId::sum_high_i128, {argument.node}), sum_bounds(half, open.max_rows));
  call.low_half = sum(Lane::kInt128, call_node(FunctionId::sum_low_i128, {argument.node}), sum_bounds(half, open.max_rows));
}

// The kinds whose state is the least or the greatest value.
bool is_extreme(AggregateKind kind) {
  return kind == AggregateKind::kMin || kind == AggregateKind::kMax || kind == AggregateKind::kAnyValue ||
         kind == AggregateKind::kBoolAnd || kind == AggregateKind::kBoolOr;
}

// Of booleans, as 0 and 1, the least value tells whether all are true, the greatest whether one is.
int add_extreme(AggregateLayout& layout, AggregateKind kind, Lowered argument) {
  if (argument.node.lane == Lane::kBoolean) {
    argument.node = call_node(FunctionId::int64_of_boolean, {std::move(argument.node)});
    argument.bounds = Bounds{0, 1};
  }
  const bool greatest = kind == AggregateKind::kMax || kind == AggregateKind::kBoolOr;
  const auto function = greatest ? AggregateFunction::kMax : AggregateFunction::kMin;
  return add_state(layout,
                   {Aggregate{function, argument.node.lane, {argument.node}}, argument.bounds, argument.dictionary, false});
}

}  // namespace

void add_states(OpenPipeline& open, const std::vector<AggregateCall>& calls, bool single, AggregateLayout& layout) {
  for (const AggregateCall& call : calls) {
    CallStates states;
    if (call.kind == AggregateKind::kCountStar) {
      states.value = add_count_star(layout, open);
      layout.calls.push_back(states);
      continue;
    }
    const Expression& expression = call.arguments.at(0);
    const Lowered argument = Lowering(open).lower(expression);
    states.scale = expression.type.kind == TypeKind::kNumeric ? expression.type.scale : 0;
    states.argument_lane = argument.node.lane;
    if (call.kind == AggregateKind::kCount) {
      states.value = add_count(layout, open, argument);
      layout.calls.push_back(states);
      continue;
    }
    if (is_extreme(call.kind)) {
      states.value = add_extreme(layout, call.kind, argument);
    } else {
      add_sum(layout, open, argument, states);
    }
    // Without GROUP BY a sum may have seen no row at all.
    if (argument.node.nullable || single || call.kind == AggregateKind::kAvg) states.count = add_count(layout, open, argument);
    layout.calls.push_back(states);
  }
}

void choose_presence(AggregateLayout& layout) {
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    const AggregateState& state = layout.states[i];
    const bool counts = state.aggregate.function == AggregateFunction::kCountStar;
    if (counts) layout.sink.presence = static_cast<int>(i);
    if (counts) return;
  }
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    const AggregateState& state = layout.states[i];
    if (state.aggregate.function != AggregateFunction::kSum || state.aggregate.argument.front().nullable) continue;
    if (state.aggregate.state == Lane::kFloat64 || !state.positive) continue;
    layout.sink.presence = static_cast<int>(i);
    return;
  }
  layout.sink.presence = add_state(layout, {Aggregate{}, std::nullopt, nullptr, false});
}

namespace {

Lowered state_value(OpenPipeline& open, int slot) {
  const auto index = static_cast<std::size_t>(slot);
  return {slot_node(open.pipeline, slot), open.pipeline.slots[index].bounds, open.slot_dictionaries[index]};
}

// Finite doubles whose sum is not finite are an overflow; where one of them was not finite already, nor is the sum.
Lowered checked_float_sum(OpenPipeline& open, Lowered sum, Node witness) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();  // of sums of ranks or threads that overflowed both ways
  const auto equals = [&](Node value, double constant) {
    return call_node(FunctionId::equal_f64, {std::move(value), float_literal(open.pipeline, constant)});
  };
  Node infinite = or_node({equals(sum.node, kInfinity), equals(sum.node, -kInfinity), equals(sum.node, kNaN)});
  Node overflow = and_node({std::move(infinite), equals(std::move(witness), 0)});
  constexpr double kMax = std::numeric_limits<double>::max();
  Node raise = call_node(FunctionId::multiply_f64, {float_literal(open.pipeline, kMax), float_literal(open.pipeline, kMax)});
  sum.node = case_node({std::move(overflow), std::move(raise), std::move(sum.node)});
  return sum;
}

// A sum in the lane of its type, checked where it might not fit.
Lowered sum_result(OpenPipeline& open, const AggregateCall& call, const CallStates& states, int first_state) {
  Lowered value = state_value(open, first_state + states.value);
  if (states.low_half >= 0) {
    Lowered low = state_value(open, first_state + states.low_half);
    return {call_node(FunctionId::combine_sum_i128, {std::move(value.node), std::move(low.node)}), numeric_bounds(), nullptr};
  }
  if (states.witness >= 0) {
    value = checked_float_sum(open, std::move(value), state_value(open, first_state + states.witness).node);
    if (call.type.kind == TypeKind::kReal) value.node = call_node(FunctionId::real_of_f64, {std::move(value.node)});
    return value;
  }
  if (value.node.lane != Lane::kInt128) return value;
  if (call.kind == AggregateKind::kSum && call.type.is_integer()) {
    const bool proven = within(value.bounds, kInt64Bounds);
    value.node = call_node(proven ? FunctionId::int64_of_i128 : FunctionId::bigint_of_i128, {std::move(value.node)});
    value.bounds = clamp_bounds(value.bounds, kInt64Bounds);
    return value;
  }
  if (within(value.bounds, numeric_bounds())) return value;
  Node limit = integer_literal(open.pipeline, Lane::kInt128, numeric_bounds().high);
  value.node = call_node(FunctionId::check_magnitude_i128, {std::move(value.node), std::move(limit)});
  value.bounds = numeric_bounds();
  return value;
}

Lowered average(OpenPipeline& open, const AggregateCall& call, const CallStates& states, int first_state) {
  Lowered sum = sum_result(open, call, states, first_state);
  Lowered count = state_value(open, first_state + states.count);
  if (sum.node.lane == Lane::kFloat64) {
    Node divisor = call_node(FunctionId::float64_of_i64, {std::move(count.node)});
    return {call_node(FunctionId::divide_f64, {std::move(sum.node), std::move(divisor)}), std::nullopt, nullptr};
  }
  Lowering lowering(open);
  Node shift = integer_literal(open.pipeline, Lane::kInt64, call.type.scale - states.scale);
  return {call_node(FunctionId::divide_numeric_i128,
                    {lowering.to_int128(std::move(sum)).node, lowering.to_int128(std::move(count)).node, std::move(shift)}),
          numeric_bounds(), nullptr};
}

}  // namespace

Lowered call_result(OpenPipeline& open, const AggregateCall& call, const CallStates& states, int first_state) {
  Lowered value = call.kind == AggregateKind::kAvg   ? average(open, call, states, first_state)
                  : call.kind == AggregateKind::kSum ? sum_result(open, call, states, first_state)
                                                     : state_value(open, first_state + states.value);
  if (states.argument_lane == Lane::kBoolean && is_extreme(call.kind)) {
    value.node = call_node(FunctionId::boolean_of_i64, {std::move(value.node)});
    value.bounds = Bounds{0, 1};
  }
  if (states.count < 0) return value;
  Node zero = integer_literal(open.pipeline, Lane::kInt64, 0);
  Node nothing = call_node(FunctionId::equal_i64, {slot_node(open.pipeline, first_state + states.count), std::move(zero)});
  Node null = null_literal(open.pipeline, value.node.lane);
  value.node = case_node({std::move(nothing), std::move(null), std::move(value.node)});
  return value;
}

namespace {

// Groups that an array may hold for each worker; beyond, a hash table serves better.
constexpr int128 kPerfectGroups = 1 << 16;

// The number of groups when every part's value is an index; 0 where it is unknown or too large.
std::int64_t perfect_groups(const std::vector<KeyPart>& parts) {
  int128 groups = 1;
  for (const KeyPart& part : parts) {
    if (!part.bounds) return 0;
    const int128 range = part.bounds->high - part.bounds->low + 1;
    if (range > kPerfectGroups) return 0;
    groups *= range;
    if (groups > kPerfectGroups) return 0;
  }
  return static_cast<std::int64_t>(groups);
}

}  // namespace

bool is_single_at_zero(const Aggregation& sink, const OpenPipeline& open) {
  return sink.layout == Aggregation::Layout::kSingle && open.distribution == Distribution::kRankZero;
}

void set_key_layout(Aggregation& sink, const std::vector<KeyPart>& parts) {
  sink.keys.clear();
  sink.key_bounds.clear();
  sink.build = -1;
  sink.groups = parts.empty() ? 0 : perfect_groups(parts);
  sink.layout = parts.empty()     ? Aggregation::Layout::kSingle
                : sink.groups > 0 ? Aggregation::Layout::kPerfect
                                  : Aggregation::Layout::kHash;
  for (const KeyPart& part : parts) {
    sink.keys.push_back(part.node);
    if (sink.layout == Aggregation::Layout::kPerfect) sink.key_bounds.push_back(*part.bounds);
  }
}

}  // namespace saccade::physical
