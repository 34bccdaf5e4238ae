#include "optimizer/null_rejection.hpp"

#include <algorithm>

#include "optimizer/rewrite.hpp"

namespace saccade {
namespace {

using Columns = std::vector<ColumnId>;

template <class Test>
bool any_argument(const Expression& expression, const Columns& columns, const Test& test) {
  return std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const Expression& argument) { return test(argument, columns); });
}

template <class Test>
bool all_arguments(const Expression& expression, const Columns& columns, const Test& test) {
  return std::all_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const Expression& argument) { return test(argument, columns); });
}

// NULL in such rows.
bool is_null_there(const Expression& expression, const Columns& columns) {
  if (expression.operation == Operation::kColumn) return std::binary_search(columns.begin(), columns.end(), expression.column);
  if (expression.operation == Operation::kLiteral) return expression.literal.is_null();
  if (expression.operation == Operation::kCoalesce) return all_arguments(expression, columns, is_null_there);
  const bool connective = expression.operation == Operation::kAnd || expression.operation == Operation::kOr;
  if (connective) return all_arguments(expression, columns, is_null_there);
  return is_strict(expression.operation) && any_argument(expression, columns, is_null_there);
}

}  // namespace

bool rejects_null(const Expression& condition, const Columns& columns) {
  switch (condition.operation) {
    case Operation::kLiteral: {
      const auto* truth = std::get_if<bool>(&condition.literal.data);
      return condition.literal.is_null() || (truth != nullptr && !*truth);
    }
    case Operation::kAnd:
      return any_argument(condition, columns, rejects_null);
    case Operation::kOr:
      return all_arguments(condition, columns, rejects_null);
    case Operation::kIsNotNull:
      return is_null_there(condition.arguments.at(0), columns);
    case Operation::kNot:
      if (condition.arguments.at(0).operation == Operation::kIsNull) {
        return is_null_there(condition.arguments[0].arguments.at(0), columns);
      }
      return is_null_there(condition, columns);
    default:
      return is_null_there(condition, columns);
  }
}

}  // namespace saccade
