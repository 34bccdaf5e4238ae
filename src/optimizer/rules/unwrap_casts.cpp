#include <algorithm>
#include <optional>
#include <utility>

#include "optimizer/rewrite.hpp"
#include "optimizer/rules/rules.hpp"

namespace saccade {
namespace {

// A cast that multiplies by a constant and loses nothing: what one unit of the argument becomes. 0: another kind of cast.
int128 unit_of_cast(const DataType& from, const DataType& to) {
  if (from.kind == TypeKind::kDate && to.kind == TypeKind::kTimestamp) return 86400000000;
  const bool exact_from = from.is_integer() || from.kind == TypeKind::kNumeric;
  const bool exact_to = to.is_integer() || to.kind == TypeKind::kNumeric;
  if (!exact_from || !exact_to || to.scale < from.scale) return 0;
  // A cast to fewer digits raises an error for some values; it must stay to do so.
  const auto digits = [](const DataType& type) {
    return type.kind == TypeKind::kSmallint  ? 5
           : type.kind == TypeKind::kInteger ? 10
           : type.kind == TypeKind::kBigint  ? 19
                                             : type.precision - type.scale;
  };
  if (to.is_integer() && from.kind == TypeKind::kNumeric) return 0;
  if (digits(to) < digits(from)) return 0;
  return power_of_ten(to.scale - from.scale);
}

int128 floor_divide(int128 a, int128 b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Whether `value` can stand as a literal of an integer type; numerics, dates and timestamps take any of the values met here.
bool fits(int128 value, const DataType& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
      return value >= INT16_MIN && value <= INT16_MAX;
    case TypeKind::kInteger:
    case TypeKind::kDate:
      return value >= INT32_MIN && value <= INT32_MAX;
    case TypeKind::kBigint:
      return value >= INT64_MIN && value <= INT64_MAX;
    default:
      return true;
  }
}

// x * unit op value, for whole x: the bound on x, rounded so that the same x pass. Nothing for = and <> between two units.
std::optional<int128> bound_of(Operation operation, int128 value, int128 unit) {
  const int128 floor = floor_divide(value, unit);
  const bool exact = floor * unit == value;
  switch (operation) {
    case Operation::kLess:
    case Operation::kGreaterEqual:
      return exact ? floor : floor + 1;
    case Operation::kLessEqual:
    case Operation::kGreater:
      return floor;
    default:
      return exact ? std::optional(floor) : std::nullopt;
  }
}

void unwrap(Expression& expression) {
  for (Expression& argument : expression.arguments) unwrap(argument);
  if (!is_comparison(expression.operation)) return;
  Expression &cast = expression.arguments.at(0), &constant = expression.arguments.at(1);
  const auto* value = std::get_if<int128>(&constant.literal.data);
  if (cast.operation != Operation::kCast || !is_literal(constant) || value == nullptr || cast.type.scale != constant.type.scale)
    return;
  const DataType type = cast.arguments.at(0).type;
  const int128 unit = unit_of_cast(type, cast.type);
  const auto bound = unit == 0 ? std::nullopt : bound_of(expression.operation, *value, unit);
  if (!bound || !fits(*bound, type)) return;
  Expression argument = std::move(cast.arguments[0]);
  cast = std::move(argument);
  constant.literal = {type, *bound};
  constant.type = type;
  unwrap(expression);
}

}  // namespace

void unwrap_casts(LogicalPlan& plan) {
  for_each_node(plan, [](LogicalNode& node) { for_each_expression(node, unwrap); });
}

}  // namespace saccade
