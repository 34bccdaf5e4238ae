// Makers of lowered nodes: small, pure, each sets lane, nullability and the can_fail of what it makes.
#pragma once

#include <vector>

#include "physical/open_pipeline.hpp"

namespace saccade::physical {

Node slot_node(const Pipeline& pipeline, int slot);
Node call_node(FunctionId function, std::vector<Node> arguments);
Node and_node(std::vector<Node> arguments);
Node or_node(std::vector<Node> arguments);
Node not_node(Node argument);
Node is_null_node(Node argument);
// condition, value, ..., else.
Node case_node(std::vector<Node> arguments);
// `value` where it is not null, else `otherwise`.
Node or_else_node(Node value, Node otherwise);
Node lookup_node(Pipeline& pipeline, Lookup lookup, Node argument);
Node integer_literal(Pipeline& pipeline, Lane lane, int128 value);
Node float_literal(Pipeline& pipeline, double value);
Node null_literal(Pipeline& pipeline, Lane lane);

}  // namespace saccade::physical
