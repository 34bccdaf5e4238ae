#include "execution/cpu/program.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "function/hash.hpp"

namespace saccade::cpu {

using physical::NodeKind;

namespace {

std::size_t hash_of(const ExpressionNode& node) {
  u64 hash = hash_part(kHashSeed, static_cast<i64>(node.kind));
  hash = hash_part(hash, node.index);
  hash = hash_part(hash, static_cast<i64>(node.function));
  hash = hash_part(hash, static_cast<i64>(node.text_function));
  for (const int argument : node.arguments) hash = hash_part(hash, argument);
  return hash_finish(hash);
}

}  // namespace

Program::Program(const physical::Pipeline& pipeline, const RunState& state) : pipeline_(&pipeline), state_(&state) {
  for (const physical::Literal& literal : pipeline.literals) {
    LiteralStorage& storage = literals_.emplace_back();
    std::memset(storage.value, 0, sizeof(storage.value));
    if (literal.lane == Lane::kText) {
      if (!literal.is_null) {
        const TextValue text = text_store().add_arena().copy(literal.text);
        std::memcpy(storage.value, &text, sizeof(text));
      }
    } else if (literal.lane == Lane::kFloat64) {
      std::memcpy(storage.value, &literal.real, sizeof(literal.real));
    } else {
      std::memcpy(storage.value, &literal.integer, static_cast<std::size_t>(lane_bytes(literal.lane)));
    }
    storage.valid = literal.is_null ? 0 : 1;
    storage.vector = {literal.lane, true, storage.value, literal.is_null ? &storage.valid : nullptr};
  }
  mark_permanent_slots();
}

int Program::add(const physical::Node& tree) {
  ExpressionNode node{tree.kind, tree.lane, tree.can_fail, tree.index, tree.function, tree.text_function, {}};
  for (const physical::Node& argument : tree.arguments) {
    node.arguments.push_back(add(argument));
    node.can_fail |= this->node(node.arguments.back()).can_fail;
  }
  if (node.kind == NodeKind::kCall) {
    node.can_fail |= scalar_function(node.function).can_fail;
  } else {
    node.function = FunctionId{};
  }
  if (node.kind == NodeKind::kTextCall) {
    node.can_fail |= text_function(node.text_function).can_fail;
  } else {
    node.text_function = TextFunctionId{};
  }
  check(node);
  const std::size_t hash = hash_of(node);
  const auto [first, last] = numbers_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& entry) { return this->node(entry.second) == node; });
  if (same != last) return same->second;
  prepared_.push_back(prepare(node));
  prepared_.back().permanent = is_permanent(tree);
  nodes_.push_back(std::move(node));
  numbers_.emplace(hash, static_cast<int>(nodes_.size()) - 1);
  return static_cast<int>(nodes_.size()) - 1;
}

void Program::check(const ExpressionNode& n) const {
  const auto lane_of_argument = [&](std::size_t i) { return node(n.arguments[i]).lane; };
  const auto all_boolean = [&] {
    return std::all_of(n.arguments.begin(), n.arguments.end(), [&](int a) { return node(a).lane == Lane::kBoolean; });
  };
  switch (n.kind) {
    case NodeKind::kSlot:
      SACCADE_CHECK(n.index >= 0 && n.index < static_cast<int>(pipeline_->slots.size()) && slot(n.index).lane == n.lane);
      break;
    case NodeKind::kLiteral:
      SACCADE_CHECK(n.index >= 0 && n.index < static_cast<int>(literals_.size()) && literal(n.index).lane == n.lane);
      break;
    case NodeKind::kCall: {
      const ScalarFunction& function = scalar_function(n.function);
      SACCADE_CHECK(function.result == n.lane && n.arguments.size() == static_cast<std::size_t>(function.argument_count));
      for (std::size_t i = 0; i < n.arguments.size(); ++i) SACCADE_CHECK(lane_of_argument(i) == function.arguments[i]);
      break;
    }
    case NodeKind::kAnd:
    case NodeKind::kOr:
      SACCADE_CHECK(n.lane == Lane::kBoolean && !n.arguments.empty() && all_boolean());
      break;
    case NodeKind::kNot:
      SACCADE_CHECK(n.lane == Lane::kBoolean && n.arguments.size() == 1 && all_boolean());
      break;
    case NodeKind::kIsNull:
      SACCADE_CHECK(n.lane == Lane::kBoolean && n.arguments.size() == 1);
      break;
    case NodeKind::kCase:
      SACCADE_CHECK(n.arguments.size() % 2 == 1 && lane_of_argument(n.arguments.size() - 1) == n.lane);
      for (std::size_t i = 0; i + 1 < n.arguments.size(); i += 2) {
        SACCADE_CHECK(lane_of_argument(i) == Lane::kBoolean && lane_of_argument(i + 1) == n.lane);
      }
      break;
    case NodeKind::kOrElse:
      SACCADE_CHECK(n.arguments.size() == 2 && lane_of_argument(0) == n.lane && lane_of_argument(1) == n.lane);
      break;
    case NodeKind::kLookup:
      SACCADE_CHECK(n.index >= 0 && n.index < static_cast<int>(pipeline_->lookups.size()) && n.arguments.size() == 1);
      SACCADE_CHECK(lookup(n.index).lane == n.lane && lane_of_argument(0) == Lane::kInt64);
      break;
    case NodeKind::kDictionaryText:
    case NodeKind::kTextOfKey:
      SACCADE_CHECK(n.lane == Lane::kText && n.arguments.size() == 1 && lane_of_argument(0) == Lane::kInt64);
      break;
    case NodeKind::kIntern:
      SACCADE_CHECK(n.lane == Lane::kInt64 && n.arguments.size() == 1 && lane_of_argument(0) == Lane::kText);
      break;
    case NodeKind::kTextCall: {
      const TextFunction& function = text_function(n.text_function);
      SACCADE_CHECK(function.result == n.lane && takes_arguments(function, n.arguments.size()));
      for (std::size_t i = 0; i < n.arguments.size(); ++i)
        SACCADE_CHECK(lane_of_argument(i) == text_argument_lane(function, i));
      break;
    }
  }
}

const Dictionary& Program::text_dictionary(int index) const {
  const int number = pipeline_->text_dictionaries.at(static_cast<std::size_t>(index));
  const auto& dictionary = state_->dictionaries.at(static_cast<std::size_t>(number));
  SACCADE_CHECK(dictionary != nullptr);
  return *dictionary;
}

TextStore& Program::text_store() const {
  SACCADE_CHECK(state_->query.text != nullptr);
  return *state_->query.text;
}

const TextPrepared* Program::prepared_text(const ExpressionNode& node) const {
  const Prepared& prepared = prepared_[static_cast<std::size_t>(&node - nodes_.data())];
  if (prepared.failure) std::rethrow_exception(prepared.failure);
  return prepared.text.get();
}

Program::Prepared Program::prepare(const ExpressionNode& node) const {
  Prepared prepared;
  if (node.kind != NodeKind::kTextCall) return prepared;
  const auto make = text_implementation(node.text_function).prepare;
  if (make == nullptr) return prepared;
  std::vector<std::optional<TextOperand>> constants;
  for (const int argument : node.arguments) {
    const ExpressionNode& literal_node = this->node(argument);
    constants.emplace_back();
    if (literal_node.kind != NodeKind::kLiteral || literal_value(literal_node.index).is_null) continue;
    constants.back() = TextOperand{literal(literal_node.index).values, nullptr, true};
  }
  try {
    prepared.text = make(constants);
  } catch (const Error&) {
    prepared.failure = std::current_exception();
  }
  return prepared;
}

void Program::mark_permanent_slots() {
  permanent_slots_.assign(pipeline_->slots.size(), false);
  const auto mark = [&](int slot) {
    if (slot >= 0) permanent_slots_[static_cast<std::size_t>(slot)] = true;
  };
  if (const auto* scan = std::get_if<physical::TableScan>(&pipeline_->source)) {
    for (const auto& column : scan->columns) {
      if (scan->opener.empty()) mark(column.slot);
    }
  } else if (const auto* output = std::get_if<physical::OutputScan>(&pipeline_->source)) {
    for (const int slot : output->slots) mark(slot);
  } else if (const auto* build = std::get_if<physical::BuildScan>(&pipeline_->source)) {
    for (const int slot : build->slots) mark(slot);
  } else if (const auto* all = std::get_if<physical::Concatenation>(&pipeline_->source)) {
    for (const physical::OutputScan& input : all->inputs) {
      for (const int slot : input.slots) mark(slot);
    }
  }
  for (const physical::Step& step : pipeline_->steps) {
    if (const auto* probe = std::get_if<physical::Probe>(&step)) {
      for (const int slot : probe->payload) mark(slot);
    } else if (const auto* compute = std::get_if<physical::Compute>(&step)) {
      for (std::size_t i = 0; i < compute->slots.size(); ++i) {
        if (is_permanent(compute->expressions[i])) mark(compute->slots[i]);
      }
    }
  }
}

bool Program::is_permanent(const physical::Node& node) const {
  const auto& arguments = node.arguments;
  switch (node.kind) {
    case NodeKind::kSlot:
      return is_permanent_slot(node.index);
    case NodeKind::kLiteral:
    case NodeKind::kDictionaryText:
    case NodeKind::kTextOfKey:
      return true;
    case NodeKind::kOrElse:
      return is_permanent(arguments[0]) && is_permanent(arguments[1]);
    case NodeKind::kCase: {
      bool all = is_permanent(arguments.back());
      for (std::size_t i = 1; i < arguments.size(); i += 2) all = all && is_permanent(arguments[i]);
      return all;
    }
    default:
      return false;
  }
}

void Program::mark_slots(int expression, std::vector<bool>& slots) const {
  const ExpressionNode& n = node(expression);
  if (n.kind == NodeKind::kSlot) slots[static_cast<std::size_t>(n.index)] = true;
  for (const int argument : n.arguments) mark_slots(argument, slots);
}

}  // namespace saccade::cpu
