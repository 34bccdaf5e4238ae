#include "physical/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "common/error.hpp"
#include "physical/node.hpp"

namespace saccade::physical {

Lowered Lowering::lower(const Expression& expression) {
  switch (expression.operation) {
    case Operation::kColumn:
      return lower_column(expression);
    case Operation::kLiteral:
      return lower_literal(expression);
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kModulo:
      return lower_arithmetic(expression);
    case Operation::kNegate:
      return lower_negate(expression);
    case Operation::kEqual:
    case Operation::kNotEqual:
    case Operation::kLess:
    case Operation::kLessEqual:
    case Operation::kGreater:
    case Operation::kGreaterEqual:
      return lower_comparison(expression);
    case Operation::kLike:
      return lower_like(expression);
    case Operation::kAnd:
    case Operation::kOr:
    case Operation::kNot:
    case Operation::kIsNull:
    case Operation::kIsNotNull:
      return lower_connective(expression);
    case Operation::kCase:
    case Operation::kCoalesce:
      return lower_choice(expression);
    case Operation::kCast:
      return lower_cast(expression);
    case Operation::kFunction:
      return lower_function(expression);
    case Operation::kExtract:
      return lower_extract(expression);
    case Operation::kTextFunction:
      return lower_text_function(expression);
    case Operation::kSingleRow:
      return lower_single_row(expression);
  }
  throw Error(sqlstate::kInternalError, "unknown operation in an expression");
}

Lowered Lowering::constant(Lane lane, int128 value) {
  return {integer_literal(open_.pipeline, lane, value), Bounds{value, value}, nullptr};
}

Lowered Lowering::lower_column(const Expression& expression) {
  const auto found = open_.columns.find(expression.column);
  SACCADE_CHECK(found != open_.columns.end());
  const int slot = found->second;
  return {slot_node(open_.pipeline, slot), open_.pipeline.slots[static_cast<std::size_t>(slot)].bounds,
          open_.slot_dictionaries[static_cast<std::size_t>(slot)]};
}

Lowered Lowering::lower_literal(const Expression& expression) {
  const Value& value = expression.literal;
  if (value.is_null()) {
    const Lane lane = expression.type.kind == TypeKind::kNumeric ? Lane::kInt64 : lane_of(expression.type);
    Lowered result{null_literal(open_.pipeline, lane), Bounds{0, 0}, nullptr};
    if (expression.type.is_text()) result.dictionary = Dictionary::from_strings({});
    return result;
  }
  if (const auto* boolean = std::get_if<bool>(&value.data)) return constant(Lane::kBoolean, *boolean ? 1 : 0);
  if (const auto* real = std::get_if<double>(&value.data)) return {float_literal(open_.pipeline, *real), std::nullopt, nullptr};
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    Lowered result = constant(Lane::kInt64, 0);
    result.dictionary = Dictionary::from_strings({*text});
    return result;
  }
  if (const auto* interval = std::get_if<Interval>(&value.data)) {
    return {integer_literal(open_.pipeline, Lane::kInt128, pack_interval(*interval)), std::nullopt, nullptr};
  }
  if (const auto* integer = std::get_if<int128>(&value.data)) {
    const bool fits = expression.type.kind != TypeKind::kUuid && within(Bounds{*integer, *integer}, kInt64Bounds);
    return constant(fits ? Lane::kInt64 : Lane::kInt128, *integer);
  }
  throw Error(sqlstate::kInternalError, "a literal holds a value of no lane");
}

Lowered Lowering::lower_key(const Expression& expression) {
  Lowered value = lower(expression);
  if (expression.type.kind != TypeKind::kInterval) return value;
  return {call_node(FunctionId::interval_order_i128, {std::move(value.node)}), std::nullopt, nullptr};
}

Lowered Lowering::to_int128(Lowered value) {
  if (value.node.lane == Lane::kInt128) return value;
  SACCADE_CHECK(value.node.lane == Lane::kInt64);
  // A literal is widened in place: no conversion is left for run time.
  if (value.node.kind == NodeKind::kLiteral) {
    open_.pipeline.literals[static_cast<std::size_t>(value.node.index)].lane = Lane::kInt128;
    value.node.lane = Lane::kInt128;
    return value;
  }
  if (!value.bounds) value.bounds = kInt64Bounds;
  value.node = call_node(FunctionId::int128_of_i64, {std::move(value.node)});
  return value;
}

Lowered Lowering::lower_connective(const Expression& expression) {
  std::vector<Node> arguments;
  for (const Expression& argument : expression.arguments) arguments.push_back(lower(argument).node);
  Lowered result;
  switch (expression.operation) {
    case Operation::kAnd:
      result.node = and_node(std::move(arguments));
      break;
    case Operation::kOr:
      result.node = or_node(std::move(arguments));
      break;
    case Operation::kNot:
      result.node = not_node(std::move(arguments.at(0)));
      break;
    case Operation::kIsNull:
      result.node = is_null_node(std::move(arguments.at(0)));
      break;
    default:
      result.node = not_node(is_null_node(std::move(arguments.at(0))));
      break;
  }
  result.bounds = Bounds{0, 1};
  return result;
}

void Lowering::unify_codes(std::vector<Lowered>& values) {
  std::shared_ptr<const Dictionary> target = Dictionary::from_strings({});
  for (const Lowered& value : values) {
    if (value.dictionary) target = merge(target, value.dictionary);
  }
  for (Lowered& value : values) {
    if (!value.dictionary) continue;  // NULL without a type
    value.node = remap(value, target);
    value.bounds = Bounds{0, std::max<int128>(target->size() - 1, 0)};
    value.dictionary = target;
  }
}

// Codes of different dictionaries stay codes, of the union, where that is small; else the strings themselves are taken.
void Lowering::unify(std::vector<Lowered>& values) {
  constexpr std::int64_t kLargestUnion = 1 << 18;
  bool text = false;
  bool strings = false;
  std::map<std::uint64_t, std::int64_t> sizes;
  for (const Lowered& value : values) {
    text |= value.dictionary != nullptr || value.node.lane == Lane::kText;
    strings |= value.node.lane == Lane::kText;
    if (value.dictionary) sizes[value.dictionary->identity()] = value.dictionary->size();
  }
  if (text) {
    std::int64_t total = 0;
    for (const auto& [identity, size] : sizes) total += size;
    if (strings || (sizes.size() > 1 && total > kLargestUnion)) {
      for (Lowered& value : values) value = to_text(std::move(value));
    } else {
      unify_codes(values);
    }
    return;
  }
  const bool wide = std::any_of(values.begin(), values.end(), [](const Lowered& v) { return v.node.lane == Lane::kInt128; });
  if (!wide) return;
  for (Lowered& value : values) value = to_int128(std::move(value));
}

Lowered Lowering::lower_choice(const Expression& expression) {
  const bool coalesce = expression.operation == Operation::kCoalesce;
  const auto& arguments = expression.arguments;
  std::vector<Node> conditions;
  std::vector<Lowered> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_condition = !coalesce && i % 2 == 0 && i + 1 < arguments.size();
    if (is_condition) {
      conditions.push_back(lower(arguments[i]).node);
    } else {
      values.push_back(lower(arguments[i]));
    }
  }
  if (!coalesce && arguments.size() % 2 == 0) values.push_back(lower(literal_expression(Value::null(expression.type))));
  unify(values);
  Lowered result{std::move(values.back().node), std::nullopt, values.back().dictionary};
  for (const Lowered& value : values) {
    result.bounds = &value == &values.front() ? value.bounds : union_bounds(result.bounds, value.bounds);
    if (value.dictionary) result.dictionary = value.dictionary;
  }
  if (coalesce) {
    for (std::size_t i = values.size() - 1; i-- > 0;)
      result.node = or_else_node(std::move(values[i].node), std::move(result.node));
    return result;
  }
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    nodes.push_back(std::move(conditions[i]));
    nodes.push_back(std::move(values[i].node));
  }
  nodes.push_back(std::move(result.node));
  result.node = case_node(std::move(nodes));
  return result;
}

// Arguments come in the function's lanes; a numeric that bounds have narrowed is widened again.
Lowered Lowering::lower_function(const Expression& expression) {
  const ScalarFunction& function = scalar_function(find_function(expression.name));
  SACCADE_CHECK(static_cast<int>(expression.arguments.size()) == function.argument_count);
  std::vector<Node> arguments;
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    Lowered argument = lower(expression.arguments[i]);
    if (function.arguments[i] == Lane::kInt128) argument = to_int128(std::move(argument));
    arguments.push_back(std::move(argument.node));
  }
  OptionalBounds bounds = type_bounds(expression.type);
  if (bounds && function.result == Lane::kInt64) bounds = clamp_bounds(bounds, kInt64Bounds);
  return {call_node(function.id, std::move(arguments)), bounds, nullptr};
}

Lowered Lowering::lower_single_row(const Expression& expression) {
  Lowered rows = lower(expression.arguments.at(0));
  if (within(rows.bounds, {kInt64Bounds.low, 1})) return constant(Lane::kBoolean, 1);
  return {call_node(FunctionId::check_single_row_i64, {std::move(rows.node)}), Bounds{0, 1}, nullptr};
}

Lowered Lowering::lower_extract(const Expression& expression) {
  const DataType& from = expression.arguments.at(0).type;
  Lowered value = lower(expression.arguments.at(0));
  if (from.kind == TypeKind::kTimestamp) value.node = call_node(FunctionId::date_of_timestamp_i64, {std::move(value.node)});
  Lowered result;
  if (expression.name == "year") {
    result.node = call_node(FunctionId::year_of_date_i64, {std::move(value.node)});
    result.bounds = Bounds{-300000, 6000000};
  } else if (expression.name == "month") {
    result.node = call_node(FunctionId::month_of_date_i64, {std::move(value.node)});
    result.bounds = Bounds{1, 12};
  } else if (expression.name == "day") {
    result.node = call_node(FunctionId::day_of_date_i64, {std::move(value.node)});
    result.bounds = Bounds{1, 31};
  } else {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("extract({} from ...) is not supported yet", expression.name),
                expression.position, "Supported fields are year, month and day.");
  }
  // Narrower where the dates' own bounds are known: a group by year then needs a handful of slots.
  if (expression.name == "year" && from.kind == TypeKind::kDate && within(value.bounds, {-5000000, 100000000})) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    int month = 0;
    int day = 0;
    civil_from_days(static_cast<std::int64_t>(value.bounds->low), low, month, day);
    civil_from_days(static_cast<std::int64_t>(value.bounds->high), high, month, day);
    result.bounds = Bounds{low, high};
  }
  return result;
}

}  // namespace saccade::physical
