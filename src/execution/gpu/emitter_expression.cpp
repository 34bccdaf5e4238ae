// Expressions as text: scalar functions by their registry's name, logic, CASE and lookups by the words of
// device/expressions.cuh.
#include <fmt/format.h>

#include <algorithm>

#include "execution/gpu/kernel_writer.hpp"
#include "physical/interval_arithmetic.hpp"

namespace saccade::gpu {

namespace {

using physical::Node;
using physical::NodeKind;

constexpr std::size_t kLargestScannedLookup = 65536;

std::optional<Bounds> call_bounds(FunctionId function, const std::vector<Printed>& arguments) {
  const auto bounds = [&](std::size_t i) { return arguments[i].bounds; };
  switch (function) {
    case FunctionId::add_i64:
    case FunctionId::add_checked_i64:
      return physical::add_bounds(bounds(0), bounds(1));
    case FunctionId::subtract_i64:
    case FunctionId::subtract_checked_i64:
      return physical::subtract_bounds(bounds(0), bounds(1));
    case FunctionId::multiply_i64:
    case FunctionId::multiply_checked_i64:
      return physical::multiply_bounds(bounds(0), bounds(1));
    case FunctionId::negate_i64:
    case FunctionId::negate_checked_i64:
      return physical::negate_bounds(bounds(0));
    case FunctionId::check_smallint_i64:
    case FunctionId::check_integer_i64:
    case FunctionId::check_date_i64:
      return bounds(0);
    case FunctionId::int64_of_boolean:
      return Bounds{0, 1};
    case FunctionId::month_of_date_i64:
      return Bounds{1, 12};
    case FunctionId::day_of_date_i64:
      return Bounds{1, 31};
    default:
      return std::nullopt;
  }
}

// A function's argument that the rows before it have not settled is printed as a function of the tile that is left.
std::string later(const std::string& text) {
  return "[&](const Tile& tile) { return " + text + "; }";
}

}  // namespace

Printed KernelWriter::print(const Node& node) {
  switch (node.kind) {
    case NodeKind::kSlot: {
      const SlotValue& value = slot(node.index);
      SACCADE_CHECK(!value.text.empty() && value.pending.empty());
      return {value.text, value.item, value.nullable, value.bounds};
    }
    case NodeKind::kLiteral:
      return print_literal(node);
    case NodeKind::kCall:
      return print_call(node);
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return print_logic(node);
    case NodeKind::kNot: {
      const Printed argument = print(node.arguments.at(0));
      return {fmt::format("negation({})", argument.text), Item::kBoolean, argument.nullable, std::nullopt};
    }
    case NodeKind::kIsNull:
      return {fmt::format("is_null({})", print(node.arguments.at(0)).text), Item::kBoolean, false, std::nullopt};
    case NodeKind::kCase:
      return print_case(node, 0);
    case NodeKind::kOrElse:
      return print_or_else(node);
    case NodeKind::kLookup:
      return print_lookup(node);
    case NodeKind::kDictionaryText:
    case NodeKind::kIntern:
    case NodeKind::kTextOfKey:
    case NodeKind::kTextCall:
      break;
  }
  throw Error(sqlstate::kFeatureNotSupported, "strings that are computed can't be used on a GPU yet", 0, "SET device = cpu.");
}

Printed KernelWriter::print_literal(const Node& node) {
  const auto index = static_cast<std::size_t>(node.index);
  const physical::Literal& literal = pipeline_.literals.at(index);
  Printed printed;
  printed.nullable = literal.is_null;
  if (literal.lane == Lane::kInt64 && !literal.is_null) printed.bounds = Bounds{literal.integer, literal.integer};
  printed.item = item_of(literal.lane, printed.bounds);
  if (literal.is_null) {
    printed.text = fmt::format("null_value<{}>()", item_type(printed.item));
    return printed;
  }
  if (literals_[index].empty()) {
    const std::int64_t bytes = item_bytes(printed.item);
    literals_[index] = argument({.kind = ArgumentKind::kLiteral,
                                 .index = node.index,
                                 .type = item_type(printed.item),
                                 .name = fmt::format("literal_{}", node.index),
                                 .comment = {},
                                 .bytes = bytes,
                                 .alignment = bytes});
  }
  printed.text = literals_[index];
  return printed;
}

Printed KernelWriter::print_call(const Node& node) {
  const ScalarFunction& function = scalar_function(node.function);
  std::vector<Printed> arguments;
  Printed printed;
  std::string list = function.can_fail ? "tile" : "";
  for (const Node& argument : node.arguments) {
    arguments.push_back(print(argument));
    list += (list.empty() ? "" : ", ") + arguments.back().text;
    printed.nullable = printed.nullable || arguments.back().nullable;
  }
  printed.text = fmt::format("{}({})", function.name, list);
  printed.bounds = call_bounds(node.function, arguments);
  printed.item = item_of(function.result, printed.bounds);
  if (printed.item == Item::kInt) printed.text = "narrow(" + printed.text + ")";
  return printed;
}

Printed KernelWriter::print_logic(const Node& node) {
  const std::string word = node.kind == NodeKind::kAnd ? "both" : "either";
  Printed result = print(node.arguments.at(0));
  for (std::size_t i = 1; i < node.arguments.size(); ++i) {
    const Printed next = print(node.arguments[i]);
    result.text = node.arguments[i].can_fail ? fmt::format("{}_checked(tile, {}, {})", word, result.text, later(next.text))
                                             : fmt::format("{}({}, {})", word, result.text, next.text);
    result.nullable = result.nullable || next.nullable;
  }
  result.item = Item::kBoolean;
  result.bounds.reset();
  return result;
}

Printed KernelWriter::print_case(const Node& node, std::size_t first) {
  if (first + 1 == node.arguments.size()) return print(node.arguments[first]);
  const Printed condition = print(node.arguments[first]);
  const Printed value = print(node.arguments[first + 1]);
  const Printed otherwise = print_case(node, first + 2);
  Printed result;
  result.text = fmt::format("choose(tile, {}, {}, {})", condition.text, later(value.text), later(otherwise.text));
  result.nullable = value.nullable || otherwise.nullable;
  result.bounds = physical::union_bounds(value.bounds, otherwise.bounds);
  result.item = value.item == otherwise.item ? value.item : Item::kInt64;
  return result;
}

Printed KernelWriter::print_or_else(const Node& node) {
  const Printed value = print(node.arguments.at(0));
  if (!value.nullable) return value;
  const Printed otherwise = print(node.arguments.at(1));
  Printed result;
  result.text = fmt::format("or_else(tile, {}, {})", value.text, later(otherwise.text));
  result.nullable = otherwise.nullable;
  result.bounds = physical::union_bounds(value.bounds, otherwise.bounds);
  result.item = value.item == otherwise.item ? value.item : Item::kInt64;
  return result;
}

Printed KernelWriter::print_lookup(const Node& node) {
  const auto index = static_cast<std::size_t>(node.index);
  const physical::Lookup& lookup = pipeline_.lookups.at(index);
  const bool boolean = lookup.lane == Lane::kBoolean;
  if (lookups_[index].empty()) {
    lookups_[index] = argument({.kind = ArgumentKind::kLookup,
                                .index = node.index,
                                .type = boolean ? "Lookup<u8>" : "Lookup<i64>",
                                .name = fmt::format("lookup_{}", node.index),
                                .comment = {},
                                .bytes = 16});
  }
  const Printed argument = print(node.arguments.at(0));
  Printed result;
  result.nullable = argument.nullable;
  if (!boolean && !lookup.values.empty() && lookup.values.size() <= kLargestScannedLookup) {
    const auto [low, high] = std::minmax_element(lookup.values.begin(), lookup.values.end());
    result.bounds = Bounds{*low, *high};
  }
  result.item = item_of(lookup.lane, result.bounds);
  result.text = fmt::format("lookup<{}>(tile, {}, {})", item_type(result.item), lookups_[index], argument.text);
  return result;
}

}  // namespace saccade::gpu
