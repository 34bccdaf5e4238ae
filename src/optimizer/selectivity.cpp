// The part of Cardinality that estimates conditions.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "function/like.hpp"
#include "optimizer/cardinality.hpp"
#include "optimizer/rewrite.hpp"

namespace saccade {
namespace {

constexpr double kUnknownComparison = 1.0 / 3;  // as System R assumed
constexpr double kUnknownCondition = 0.5;
constexpr double kLeast = 1e-9;

bool is_range_comparison(Operation operation) {
  return operation == Operation::kLess || operation == Operation::kLessEqual || operation == Operation::kGreater ||
         operation == Operation::kGreaterEqual;
}

// expression op literal, with the literal on the right whichever side it stood on.
struct LiteralComparison {
  const Expression* expression;
  Operation operation;
  const Value* value;
};

std::optional<LiteralComparison> literal_comparison(const Expression& condition) {
  if (condition.arguments.size() != 2) return std::nullopt;
  const Expression &a = condition.arguments[0], &b = condition.arguments[1];
  if (is_literal(b) && !is_literal(a)) return LiteralComparison{&a, condition.operation, &b.literal};
  if (is_literal(a) && !is_literal(b)) return LiteralComparison{&b, mirrored(condition.operation), &a.literal};
  return std::nullopt;
}

// Nothing for a pattern that is an error: raising it is not an estimate's business.
std::optional<LikePattern> make_pattern(const std::string& pattern, bool ignore_case) {
  try {
    return LikePattern(pattern, ignore_case);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Conditions on `column` alone among the filters and joins of a relation, written as if they were on column `as`.
void collect_conditions(const LogicalNode& node, ColumnId column, ColumnId as, std::vector<Expression>& conditions) {
  if (node.kind != LogicalKind::kFilter && node.kind != LogicalKind::kJoin) return;
  for (const LogicalNode& child : node.children) collect_conditions(child, column, as, conditions);
  for (const Expression& conjunct : node.conjuncts) {
    if (columns_of(conjunct) != std::vector{column}) continue;
    const DataType type = conjunct.arguments.empty() ? conjunct.type : conjunct.arguments.front().type;
    conditions.push_back(substitute(conjunct, {{column, column_expression(as, type)}}));
  }
}

double clamp_share(double share) {
  return std::clamp(share, kLeast, 1.0);
}

}  // namespace

double Cardinality::selectivity(const std::vector<Expression>& conjuncts) const {
  return conjunction_selectivity(conjuncts);
}

double Cardinality::selectivity(const Expression& condition) const {
  switch (condition.operation) {
    case Operation::kLiteral: {
      const auto* truth = std::get_if<bool>(&condition.literal.data);
      return truth != nullptr && *truth ? 1 : kLeast;
    }
    case Operation::kAnd:
      return conjunction_selectivity(condition.arguments);
    case Operation::kOr: {
      double none = 1;
      for (const Expression& argument : condition.arguments) none *= 1 - selectivity(argument);
      return clamp_share(1 - none);
    }
    case Operation::kNot:
      return clamp_share(1 - selectivity(condition.arguments.at(0)));
    case Operation::kIsNull:
    case Operation::kIsNotNull: {
      const Expression& argument = condition.arguments.at(0);
      const bool known = argument.operation == Operation::kColumn && !column(argument.column).may_be_null;
      const double null_share = known ? kLeast : 0.05;
      return condition.operation == Operation::kIsNull ? null_share : 1 - null_share;
    }
    case Operation::kLike:
      return like_selectivity(condition);
    case Operation::kEqual:
    case Operation::kNotEqual: {
      const double equal = equality_selectivity(condition.arguments.at(0), condition.arguments.at(1));
      return clamp_share(condition.operation == Operation::kEqual ? equal : 1 - equal);
    }
    default:
      return is_range_comparison(condition.operation) ? comparison_selectivity(condition) : kUnknownCondition;
  }
}

double Cardinality::join_selectivity(const Expression& conjunct, const std::vector<const LogicalNode*>& inputs) const {
  const double plain = selectivity(conjunct);
  if (conjunct.operation != Operation::kEqual) return plain;
  const Expression &a = conjunct.arguments.at(0), &b = conjunct.arguments.at(1);
  if (a.operation != Operation::kColumn || b.operation != Operation::kColumn) return plain;
  std::vector<Expression> on_a, on_b;
  for (const LogicalNode* input : inputs) {
    collect_conditions(*input, a.column, a.column, on_a);
    collect_conditions(*input, b.column, a.column, on_b);
  }
  std::erase_if(on_a,
                [&](const Expression& condition) { return std::find(on_b.begin(), on_b.end(), condition) == on_b.end(); });
  return clamp_share(plain / selectivity(on_a));
}

std::optional<double> Cardinality::place_of(const Value& value, const Expression& expression) const {
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    if (expression.operation != Operation::kColumn || !column(expression.column).dictionary) return std::nullopt;
    const Dictionary& dictionary = *column(expression.column).dictionary;
    if (dictionary.size() == 0) return std::nullopt;
    return static_cast<double>(dictionary.lower_bound(*text)) / static_cast<double>(dictionary.size());
  }
  const auto* integer = std::get_if<int128>(&value.data);
  const auto range = range_of(expression, ranges());
  if (integer == nullptr || !range) return std::nullopt;
  const double low = static_cast<double>(range->low), width = static_cast<double>(range->high) - low + 1;
  return (static_cast<double>(*integer) - low) / width;
}

double Cardinality::comparison_selectivity(const Expression& condition) const {
  const auto comparison = literal_comparison(condition);
  if (!comparison) return kUnknownComparison;
  const auto place = place_of(*comparison->value, *comparison->expression);
  if (!place) return kUnknownComparison;
  const bool less = comparison->operation == Operation::kLess || comparison->operation == Operation::kLessEqual;
  return clamp_share(less ? *place : 1 - *place);
}

double Cardinality::equality_selectivity(const Expression& a, const Expression& b) const {
  if (is_literal(a) || is_literal(b)) {
    const Expression& other = is_literal(a) ? b : a;
    const Value& value = (is_literal(a) ? a : b).literal;
    const auto place = place_of(value, other);
    if (place && (*place < 0 || *place >= 1)) return kLeast;
    return 1 / std::max(1.0, distinct_of(other));
  }
  // Each value of the side with fewer of them is taken to occur on the other side.
  return 1 / std::max({1.0, distinct_of(a), distinct_of(b)});
}

// Over a small dictionary the pattern is tried out; otherwise a guess.
double Cardinality::like_selectivity(const Expression& condition) const {
  constexpr std::int64_t kTries = 1000;
  const Expression &text = condition.arguments.at(0), &pattern = condition.arguments.at(1);
  const auto* wanted = std::get_if<std::string>(&pattern.literal.data);
  if (text.operation != Operation::kColumn || !is_literal(pattern) || wanted == nullptr) return 0.1;
  const auto& dictionary = column(text.column).dictionary;
  if (!dictionary || dictionary->size() == 0) return 0.1;
  const auto matcher = make_pattern(*wanted, condition.name == "ilike");
  if (!matcher) return 0.1;
  const std::int64_t step = std::max<std::int64_t>(1, dictionary->size() / kTries);
  double tried = 0, matched = 0;
  for (std::int64_t code = 0; code < dictionary->size(); code += step) {
    tried += 1;
    matched += matcher->matches(dictionary->at(code)) ? 1 : 0;
  }
  return clamp_share(std::max(matched, 0.1) / tried);
}

// Range conditions on one expression cut its range from both sides: their shares overlap instead of multiplying.
double Cardinality::conjunction_selectivity(const std::vector<Expression>& conjuncts) const {
  struct Interval {
    const Expression* expression;
    double low = 0, high = 1;
  };
  std::vector<Interval> intervals;
  double share = 1;
  for (const Expression& conjunct : conjuncts) {
    const auto comparison = is_range_comparison(conjunct.operation) ? literal_comparison(conjunct) : std::nullopt;
    const auto place = comparison ? place_of(*comparison->value, *comparison->expression) : std::nullopt;
    if (!place) {
      share *= selectivity(conjunct);
      continue;
    }
    auto found = std::find_if(intervals.begin(), intervals.end(),
                              [&](const Interval& interval) { return *interval.expression == *comparison->expression; });
    if (found == intervals.end()) found = intervals.insert(intervals.end(), Interval{comparison->expression});
    const bool less = comparison->operation == Operation::kLess || comparison->operation == Operation::kLessEqual;
    if (less) {
      found->high = std::min(found->high, *place);
    } else {
      found->low = std::max(found->low, *place);
    }
  }
  for (const Interval& interval : intervals) {
    // An interval that is narrower than one value still holds one: a BETWEEN of equal ends.
    const double one = 1 / std::max(1.0, distinct_of(*interval.expression));
    const bool outside = interval.high < 0 || interval.low > 1 || interval.high < interval.low;
    share *= outside ? kLeast : std::max(interval.high - interval.low, std::min(one, 1.0));
  }
  return clamp_share(share);
}

}  // namespace saccade
