// Keys as tuples of non-null int64 parts (physical_plan.hpp): how values are split into parts and put together again.
#pragma once

#include <vector>

#include "physical/lowering.hpp"

namespace saccade::physical {

struct KeyPart {
  Node node;  // int64, never null
  OptionalBounds bounds;
};

// How the parts of one key were made; enough to restore the value from part slots.
struct KeyShape {
  Lane lane = Lane::kInt64;
  bool nullable = false;
  int parts() const { return (nullable ? 1 : 0) + (lane == Lane::kInt128 ? 2 : 1); }
};

// Appends the parts of one key value: equal values have equal parts (NULL counts as one value).
KeyShape append_group_parts(OpenPipeline& open, const Lowered& value, std::vector<KeyPart>& parts);

// As append_group_parts for rows that are known not to be null here: no part tells of NULL.
void append_join_parts(OpenPipeline& open, const Lowered& value, std::vector<KeyPart>& parts);

// Appends parts whose signed order is the wanted order; text in its own lane is one part in that lane (Sort::keys).
void append_sort_parts(OpenPipeline& open, const Lowered& value, bool descending, bool nulls_first, std::vector<Node>& parts);

// The value again, from the slots of its parts (first_part, first_part + 1, ...).
Node restore_key(OpenPipeline& open, const KeyShape& shape, int first_part);

}  // namespace saccade::physical
