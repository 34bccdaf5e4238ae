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
// The string of a code of `dictionary`.
Node dictionary_text_node(OpenPipeline& open, const std::shared_ptr<const Dictionary>& dictionary, Node code);
Node intern_node(Node text);
Node text_of_key_node(Node key);
// `can_fail`: the function itself, for some row.
Node text_call_node(TextFunctionId function, std::vector<Node> arguments, bool can_fail);
// The node with each kIntern replaced by the hash of its text: what ranks may agree on.
Node hashed_texts(Node node);
Node text_literal(Pipeline& pipeline, std::string text);
Node integer_literal(Pipeline& pipeline, Lane lane, int128 value);
Node float_literal(Pipeline& pipeline, double value);
Node null_literal(Pipeline& pipeline, Lane lane);

}  // namespace saccade::physical
