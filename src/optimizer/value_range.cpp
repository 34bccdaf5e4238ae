#include "optimizer/value_range.hpp"

#include <algorithm>

#include "common/int128.hpp"
#include "function/registry.hpp"

namespace saccade {
namespace {

using Range = std::optional<Bounds>;

// What values of a type the engine accepts; results outside raise an error.
Range type_range(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Bounds{0, 1};
    case TypeKind::kSmallint:
      return Bounds{INT16_MIN, INT16_MAX};
    case TypeKind::kInteger:
      return Bounds{INT32_MIN, INT32_MAX};
    case TypeKind::kBigint:
      return Bounds{INT64_MIN, INT64_MAX};
    case TypeKind::kNumeric:
      return Bounds{1 - power_of_ten(38), power_of_ten(38) - 1};
    case TypeKind::kDate:
      return Bounds{-2440588, 2145042905};
    case TypeKind::kTimestamp:
    case TypeKind::kTimestamptz:
      return Bounds{-int128{210866803200000000}, INT64_MAX};
    default:
      return std::nullopt;
  }
}

bool contains(const Range& outer, const Range& inner) {
  return outer && inner && outer->low <= inner->low && inner->high <= outer->high;
}

Range add(const Range& a, const Range& b, bool subtract) {
  Bounds result;
  if (!a || !b) return std::nullopt;
  const bool overflows =
      subtract ? __builtin_sub_overflow(a->low, b->high, &result.low) || __builtin_sub_overflow(a->high, b->low, &result.high)
               : __builtin_add_overflow(a->low, b->low, &result.low) || __builtin_add_overflow(a->high, b->high, &result.high);
  return overflows ? std::nullopt : Range(result);
}

Range multiply(const Range& a, const Range& b) {
  if (!a || !b) return std::nullopt;
  int128 products[4];
  const bool overflows =
      __builtin_mul_overflow(a->low, b->low, &products[0]) || __builtin_mul_overflow(a->low, b->high, &products[1]) ||
      __builtin_mul_overflow(a->high, b->low, &products[2]) || __builtin_mul_overflow(a->high, b->high, &products[3]);
  if (overflows) return std::nullopt;
  const auto [low, high] = std::minmax_element(std::begin(products), std::end(products));
  return Bounds{*low, *high};
}

int scale_of(const DataType& type) {
  return type.kind == TypeKind::kNumeric ? type.scale : 0;
}

Range rescale(const Range& range, int from, int to) {
  if (!range || from == to) return range;
  const int128 power = power_of_ten(std::abs(to - from));
  if (to > from) return multiply(range, Bounds{power, power});
  return Bounds{range->low / power - 1, range->high / power + 1};  // half away from zero moves by less than one
}

Range arithmetic_range(const Expression& expression, const ColumnRanges& columns) {
  const Expression &left = expression.arguments.at(0), &right = expression.arguments.at(1);
  const bool plain = (left.type.is_number() || left.type.kind == TypeKind::kDate) &&
                     (right.type.is_number() || right.type.kind == TypeKind::kDate);
  if (!plain) return std::nullopt;
  const Range a = range_of(left, columns), b = range_of(right, columns);
  const int scale = scale_of(expression.type), left_scale = scale_of(left.type), right_scale = scale_of(right.type);
  switch (expression.operation) {
    case Operation::kAdd:
    case Operation::kSubtract:
      return add(rescale(a, left_scale, scale), rescale(b, right_scale, scale), expression.operation == Operation::kSubtract);
    case Operation::kMultiply:
      return rescale(multiply(a, b), left_scale + right_scale, scale);
    default:
      return std::nullopt;
  }
}

// The union of the values an expression of several branches can have.
Range union_range(const std::vector<const Expression*>& values, const ColumnRanges& columns) {
  Range result;
  for (const Expression* value : values) {
    if (value->operation == Operation::kLiteral && value->literal.is_null()) continue;
    const Range range = range_of(*value, columns);
    if (!range) return std::nullopt;
    result = result ? Bounds{std::min(result->low, range->low), std::max(result->high, range->high)} : *range;
  }
  return result;
}

std::vector<const Expression*> branches_of(const Expression& expression) {
  std::vector<const Expression*> values;
  const std::size_t count = expression.arguments.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool condition = expression.operation == Operation::kCase && i % 2 == 0 && i + 1 < count;
    if (!condition) values.push_back(&expression.arguments[i]);
  }
  return values;
}

// A cast whose value may change is bounded only by what its argument becomes.
Range cast_range(const Expression& expression, const ColumnRanges& columns) {
  const Expression& argument = expression.arguments.at(0);
  const DataType &from = argument.type, &to = expression.type;
  const Range range = range_of(argument, columns);
  const bool exact =
      (from.is_integer() || from.kind == TypeKind::kNumeric) && (to.is_integer() || to.kind == TypeKind::kNumeric);
  if (exact) return rescale(range, scale_of(from), scale_of(to));
  if (from.kind == TypeKind::kDate && to.kind == TypeKind::kTimestamp) return multiply(range, Bounds{86400000000, 86400000000});
  return std::nullopt;
}

Range literal_range(const Value& value) {
  if (const auto* integer = std::get_if<int128>(&value.data)) return Bounds{*integer, *integer};
  if (const auto* truth = std::get_if<bool>(&value.data)) return Bounds{*truth, *truth};
  return std::nullopt;
}

bool cast_can_fail(const Expression& expression, const ColumnRanges& columns) {
  const DataType &from = expression.arguments.at(0).type, &to = expression.type;
  if (from == to || from.kind == TypeKind::kUnknown) return false;
  if (to.kind == TypeKind::kDouble) return !from.is_number();
  if (to.kind == TypeKind::kReal) return !(from.is_integer() || from.kind == TypeKind::kNumeric);
  if (to.kind == TypeKind::kTimestamptz && from.kind == TypeKind::kTimestamp) return false;
  if (from.kind == TypeKind::kTimestamptz && to.kind == TypeKind::kTimestamp) return false;
  if (from.kind == TypeKind::kTimestamp && to.kind == TypeKind::kDate) return false;
  if (from.kind == TypeKind::kBoolean && to.is_integer()) return false;
  if (from.is_integer() && to.kind == TypeKind::kBoolean) return false;
  Range limits = type_range(to);
  if (to.kind == TypeKind::kNumeric) limits = Bounds{1 - power_of_ten(to.precision), power_of_ten(to.precision) - 1};
  return !contains(limits, cast_range(expression, columns));
}

bool operation_can_fail(const Expression& expression, const ColumnRanges& columns) {
  switch (expression.operation) {
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kModulo:
      return !contains(type_range(expression.type), arithmetic_range(expression, columns));
    case Operation::kNegate:
      return !expression.type.is_float() && !contains(type_range(expression.type), range_of(expression, columns));
    case Operation::kCast:
      return cast_can_fail(expression, columns);
    case Operation::kFunction:
      return scalar_function(find_function(expression.name)).can_fail;
    case Operation::kSingleRow:
      return !contains(Bounds{INT64_MIN, 1}, range_of(expression.arguments.at(0), columns));
    default:
      return false;
  }
}

}  // namespace

std::optional<Bounds> range_of(const Expression& expression, const ColumnRanges& columns) {
  switch (expression.operation) {
    case Operation::kColumn: {
      const Range range = columns(expression.column);
      return range ? range : type_range(expression.type);
    }
    case Operation::kLiteral:
      return literal_range(expression.literal);
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
      return arithmetic_range(expression, columns);
    case Operation::kNegate:
      return add(Bounds{0, 0}, range_of(expression.arguments.at(0), columns), true);
    case Operation::kCase:
    case Operation::kCoalesce:
      return union_range(branches_of(expression), columns);
    case Operation::kCast:
      return cast_range(expression, columns);
    default:
      return expression.type.kind == TypeKind::kBoolean ? type_range(expression.type) : std::nullopt;
  }
}

bool can_fail(const Expression& expression, const ColumnRanges& columns) {
  return operation_can_fail(expression, columns) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const Expression& argument) { return can_fail(argument, columns); });
}

}  // namespace saccade
