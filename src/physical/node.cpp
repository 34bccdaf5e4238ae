#include "physical/node.hpp"

#include <algorithm>
#include <utility>

#include "common/error.hpp"

namespace saccade::physical {

namespace {

Node parent_node(NodeKind kind, Lane lane, std::vector<Node> arguments) {
  Node node;
  node.kind = kind;
  node.lane = lane;
  node.nullable = std::any_of(arguments.begin(), arguments.end(), [](const Node& a) { return a.nullable; });
  node.can_fail = std::any_of(arguments.begin(), arguments.end(), [](const Node& a) { return a.can_fail; });
  node.arguments = std::move(arguments);
  return node;
}

Node add_literal(Pipeline& pipeline, Literal literal) {
  Node node;
  node.kind = NodeKind::kLiteral;
  node.lane = literal.lane;
  node.nullable = literal.is_null;
  node.index = static_cast<int>(pipeline.literals.size());
  pipeline.literals.push_back(std::move(literal));
  return node;
}

}  // namespace

Node slot_node(const Pipeline& pipeline, int slot) {
  const Slot& described = pipeline.slots.at(static_cast<std::size_t>(slot));
  Node node;
  node.kind = NodeKind::kSlot;
  node.lane = described.lane;
  node.nullable = described.nullable;
  node.index = slot;
  return node;
}

Node call_node(FunctionId function, std::vector<Node> arguments) {
  const ScalarFunction& described = scalar_function(function);
  SACCADE_CHECK(static_cast<int>(arguments.size()) == described.argument_count);
  for (std::size_t i = 0; i < arguments.size(); ++i) SACCADE_CHECK(arguments[i].lane == described.arguments[i]);
  Node node = parent_node(NodeKind::kCall, described.result, std::move(arguments));
  node.function = function;
  node.can_fail |= described.can_fail;
  return node;
}

Node and_node(std::vector<Node> arguments) {
  if (arguments.size() == 1) return std::move(arguments.front());
  return parent_node(NodeKind::kAnd, Lane::kBoolean, std::move(arguments));
}

Node or_node(std::vector<Node> arguments) {
  if (arguments.size() == 1) return std::move(arguments.front());
  return parent_node(NodeKind::kOr, Lane::kBoolean, std::move(arguments));
}

Node not_node(Node argument) {
  return parent_node(NodeKind::kNot, Lane::kBoolean, {std::move(argument)});
}

Node is_null_node(Node argument) {
  Node node = parent_node(NodeKind::kIsNull, Lane::kBoolean, {std::move(argument)});
  node.nullable = false;
  return node;
}

Node case_node(std::vector<Node> arguments) {
  SACCADE_CHECK(arguments.size() >= 3 && arguments.size() % 2 == 1);
  const Lane lane = arguments.back().lane;
  bool nullable = arguments.back().nullable;
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    SACCADE_CHECK(arguments[i].lane == lane);
    nullable |= arguments[i].nullable;
  }
  Node node = parent_node(NodeKind::kCase, lane, std::move(arguments));
  node.nullable = nullable;
  return node;
}

Node or_else_node(Node value, Node otherwise) {
  SACCADE_CHECK(value.lane == otherwise.lane);
  if (!value.nullable) return value;
  const bool nullable = otherwise.nullable;
  const Lane lane = value.lane;
  Node node = parent_node(NodeKind::kOrElse, lane, {std::move(value), std::move(otherwise)});
  node.nullable = nullable;
  return node;
}

Node lookup_node(Pipeline& pipeline, Lookup lookup, Node argument) {
  Node node = parent_node(NodeKind::kLookup, lookup.lane, {std::move(argument)});
  node.index = static_cast<int>(pipeline.lookups.size());
  pipeline.lookups.push_back(std::move(lookup));
  return node;
}

Node dictionary_text_node(OpenPipeline& open, const std::shared_ptr<const Dictionary>& dictionary, Node code) {
  const auto& known = open.text_dictionaries;
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& d) { return d->identity() == dictionary->identity(); });
  Node node = parent_node(NodeKind::kDictionaryText, Lane::kText, {std::move(code)});
  node.index = static_cast<int>(found - known.begin());
  if (found == known.end()) open.text_dictionaries.push_back(dictionary);
  return node;
}

Node intern_node(Node text) {
  SACCADE_CHECK(text.lane == Lane::kText);
  return parent_node(NodeKind::kIntern, Lane::kInt64, {std::move(text)});
}

Node text_of_key_node(Node key) {
  SACCADE_CHECK(key.lane == Lane::kInt64);
  return parent_node(NodeKind::kTextOfKey, Lane::kText, {std::move(key)});
}

Node text_call_node(TextFunctionId function, std::vector<Node> arguments, bool can_fail) {
  const TextFunction& described = text_function(function);
  SACCADE_CHECK(takes_arguments(described, arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) SACCADE_CHECK(arguments[i].lane == text_argument_lane(described, i));
  Node node = parent_node(NodeKind::kTextCall, described.result, std::move(arguments));
  node.text_function = function;
  node.can_fail |= can_fail;
  if (described.nulls == TextNulls::kStrictOrNull || described.nulls == TextNulls::kOwn) node.nullable = true;
  if (described.nulls == TextNulls::kOwnNeverNull) node.nullable = false;
  return node;
}

Node hashed_texts(Node node) {
  for (Node& argument : node.arguments) argument = hashed_texts(std::move(argument));
  if (node.kind != NodeKind::kIntern) return node;
  return text_call_node(TextFunctionId::text_hash, std::move(node.arguments), false);
}

Node text_literal(Pipeline& pipeline, std::string text) {
  Literal literal;
  literal.lane = Lane::kText;
  literal.text = std::move(text);
  return add_literal(pipeline, std::move(literal));
}

Node integer_literal(Pipeline& pipeline, Lane lane, int128 value) {
  Literal literal;
  literal.lane = lane;
  literal.integer = value;
  return add_literal(pipeline, literal);
}

Node float_literal(Pipeline& pipeline, double value) {
  Literal literal;
  literal.lane = Lane::kFloat64;
  literal.real = value;
  return add_literal(pipeline, literal);
}

Node null_literal(Pipeline& pipeline, Lane lane) {
  Literal literal;
  literal.lane = lane;
  literal.is_null = true;
  return add_literal(pipeline, literal);
}

}  // namespace saccade::physical
