#include "physical/keys.hpp"

#include <utility>

#include "physical/node.hpp"

namespace saccade::physical {

namespace {

// The value of a lane as int64 parts, null where the value is null.
std::vector<KeyPart> value_parts(const Lowered& value) {
  switch (value.node.lane) {
    case Lane::kBoolean:
      return {{call_node(FunctionId::int64_of_boolean, {value.node}), Bounds{0, 1}}};
    case Lane::kFloat64:
      return {{call_node(FunctionId::key_of_f64, {value.node}), std::nullopt}};
    case Lane::kInt128:
      return {{call_node(FunctionId::high_part_i128, {value.node}), std::nullopt},
              {call_node(FunctionId::low_part_i128, {value.node}), std::nullopt}};
    case Lane::kText:
      return {{intern_node(value.node), std::nullopt}};
    default:
      return {{value.node, value.bounds}};
  }
}

// Rows that are null get a constant that lies within the bounds, so that narrow layouts stay possible.
Node without_null(OpenPipeline& open, KeyPart part) {
  if (!part.node.nullable) return std::move(part.node);
  Node constant = integer_literal(open.pipeline, Lane::kInt64, part.bounds ? part.bounds->low : 0);
  return or_else_node(std::move(part.node), std::move(constant));
}

}  // namespace

KeyShape append_group_parts(OpenPipeline& open, const Lowered& value, std::vector<KeyPart>& parts) {
  const KeyShape shape{value.node.lane, value.node.nullable};
  if (shape.nullable) parts.push_back({call_node(FunctionId::int64_of_boolean, {is_null_node(value.node)}), Bounds{0, 1}});
  append_join_parts(open, value, parts);
  return shape;
}

void append_join_parts(OpenPipeline& open, const Lowered& value, std::vector<KeyPart>& parts) {
  for (KeyPart& part : value_parts(value)) {
    const OptionalBounds bounds = part.bounds;
    parts.push_back({without_null(open, std::move(part)), bounds});
  }
}

void append_sort_parts(OpenPipeline& open, const Lowered& value, bool descending, bool nulls_first, std::vector<Node>& parts) {
  const auto in_order = [&](Node part) {
    if (!descending) return part;
    if (part.lane != Lane::kText) return call_node(FunctionId::descending_i64, {std::move(part)});
    return text_call_node(TextFunctionId::descending_text, {std::move(part)}, false);
  };
  if (value.node.nullable) {
    Node is_null = is_null_node(value.node);
    if (nulls_first) is_null = not_node(std::move(is_null));
    parts.push_back(call_node(FunctionId::int64_of_boolean, {std::move(is_null)}));
  }
  if (value.node.lane == Lane::kText) {
    Node text = value.node;
    if (text.nullable) text = or_else_node(std::move(text), text_literal(open.pipeline, {}));
    parts.push_back(in_order(std::move(text)));
    return;
  }
  for (KeyPart& part : value_parts(value)) parts.push_back(in_order(without_null(open, std::move(part))));
}

Node restore_key(OpenPipeline& open, const KeyShape& shape, int first_part) {
  const int value_part = first_part + (shape.nullable ? 1 : 0);
  Node value = slot_node(open.pipeline, value_part);
  if (shape.lane == Lane::kBoolean) value = call_node(FunctionId::boolean_of_i64, {std::move(value)});
  if (shape.lane == Lane::kFloat64) value = call_node(FunctionId::float64_of_key_i64, {std::move(value)});
  if (shape.lane == Lane::kInt128) {
    value = call_node(FunctionId::int128_of_parts_i64, {std::move(value), slot_node(open.pipeline, value_part + 1)});
  }
  if (shape.lane == Lane::kText) value = text_of_key_node(std::move(value));
  if (!shape.nullable) return value;
  Node is_null = call_node(FunctionId::boolean_of_i64, {slot_node(open.pipeline, first_part)});
  Node null = null_literal(open.pipeline, shape.lane);
  return case_node({std::move(is_null), std::move(null), std::move(value)});
}

}  // namespace saccade::physical
