// How the aggregates of a query are computed: which states an Aggregation keeps, and how results are made from them.
#pragma once

#include <vector>

#include "physical/keys.hpp"
#include "physical/lowering.hpp"
#include "plan/logical_plan.hpp"

namespace saccade::physical {

// A state of the sink, with what is proven of its value where it has seen one.
struct AggregateState {
  Aggregate aggregate;
  OptionalBounds bounds;
  std::shared_ptr<const Dictionary> dictionary;
  bool positive = false;  // a sum of values that are all greater than 0
};

// What one call is made from: states by number; -1: none.
struct CallStates {
  int value = -1;     // sum, min, max, count; of a wide sum the high half
  int low_half = -1;  // of a wide sum
  int witness = -1;   // of a sum of doubles: 0 while all of them are finite, else NaN
  int count = -1;     // rows that counted, where NULL or avg needs it
  int scale = 0;      // of the argument, for avg
  Lane argument_lane = Lane::kInt64;
};

struct KeyOutput {
  KeyShape shape;
  Slot slot;  // of the restored value
  std::shared_ptr<const Dictionary> dictionary;
  int first = 0;  // first part, or the payload column of the build
  // The state that holds one of the values with this key, where the parts do not restore it (equal intervals may be written
  // differently); -1: they do.
  int representative = -1;
};

struct AggregateLayout {
  Aggregation sink;  // without its aggregates until `states` is complete
  std::vector<AggregateState> states;
  std::vector<CallStates> calls;
  std::vector<KeyOutput> keys;
};

// The states of all calls over the rows of `open`, equal ones once. `single`: there is no GROUP BY.
void add_states(OpenPipeline& open, const std::vector<AggregateCall>& calls, bool single, AggregateLayout& layout);

// A single group of rows that stand on rank 0, which the other ranks must not put out as well.
bool is_single_at_zero(const Aggregation& sink, const OpenPipeline& open);

// Groups by `parts`: none, an array where their bounds allow one, or a hash table.
void set_key_layout(Aggregation& sink, const std::vector<KeyPart>& parts);

// Chooses (or adds) the state that tells which groups have a row.
void choose_presence(AggregateLayout& layout);

// The result of one call from the slots of its states (slot of state i: first_state + i).
Lowered call_result(OpenPipeline& open, const AggregateCall& call, const CallStates& states, int first_state);

}  // namespace saccade::physical
