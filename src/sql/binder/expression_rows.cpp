// Comparisons of rows: (a, b) < (c, d), (a, b) IS DISTINCT FROM (c, d).
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "sql/binder/expression_binder.hpp"

namespace saccade {

namespace {

constexpr DataType kBooleanType{TypeKind::kBoolean};

// An operator over rows by what it asks of single values: of all but the last, and of the last.
struct RowOperator {
  std::string_view symbol;
  Operation before, last;
};

constexpr std::array<RowOperator, 4> kOrdering = {{{"<", Operation::kLess, Operation::kLess},
                                                   {"<=", Operation::kLess, Operation::kLessEqual},
                                                   {">", Operation::kGreater, Operation::kGreater},
                                                   {">=", Operation::kGreater, Operation::kGreaterEqual}}};

Expression any_or_all(Operation operation, std::vector<Expression> parts, int position) {
  if (parts.size() == 1) return std::move(parts.front());
  Expression result = call_expression(operation, kBooleanType, std::move(parts));
  result.position = position;
  return result;
}

}  // namespace

Expression ExpressionBinder::compare_rows(const nlohmann::json& fields, int position) {
  std::vector<Expression> left = bind_row(fields.at("lexpr")), right = bind_row(fields.at("rexpr"));
  if (left.size() != right.size() || left.empty())
    throw Error(sqlstate::kSyntaxError, "unequal number of entries in row expressions", position);
  const std::string kind = text_field(fields, "kind");
  if (kind == "AEXPR_OP") {
    return compare_values(std::move(left), std::move(right), string_list(fields, "name").back(), position);
  }
  std::vector<Expression> parts;
  for (std::size_t i = 0; i < left.size(); ++i)
    parts.push_back(are_distinct(std::move(left[i]), std::move(right[i]), position));
  Expression result = any_or_all(Operation::kOr, std::move(parts), position);
  if (kind == "AEXPR_DISTINCT") return result;
  result = call_expression(Operation::kNot, kBooleanType, {std::move(result)});
  result.position = position;
  return result;
}

Expression ExpressionBinder::compare_values(std::vector<Expression> left, std::vector<Expression> right,
                                            const std::string& symbol, int position) {
  if (symbol == "=" || symbol == "<>") {
    const bool equal = symbol == "=";
    std::vector<Expression> parts;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Operation operation = equal ? Operation::kEqual : Operation::kNotEqual;
      parts.push_back(compare(operation, std::move(left[i]), std::move(right[i]), position));
    }
    return any_or_all(equal ? Operation::kAnd : Operation::kOr, std::move(parts), position);
  }
  const auto* ordering =
      std::find_if(kOrdering.begin(), kOrdering.end(), [&](const RowOperator& known) { return known.symbol == symbol; });
  if (ordering == kOrdering.end()) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("operator does not exist: record {} record", symbol), position,
                "Rows are compared by =, <>, <, <=, > and >=.");
  }
  // (a, b) < (c, d): a < c OR (a = c AND b < d), from the last values on.
  Expression result = compare(ordering->last, std::move(left.back()), std::move(right.back()), position);
  for (std::size_t i = left.size() - 1; i-- > 0;) {
    Expression equal = compare(Operation::kEqual, context_.duplicate(left[i]), context_.duplicate(right[i]), position);
    Expression before = compare(ordering->before, std::move(left[i]), std::move(right[i]), position);
    result = any_or_all(Operation::kAnd, {std::move(equal), std::move(result)}, position);
    result = any_or_all(Operation::kOr, {std::move(before), std::move(result)}, position);
  }
  return result;
}

}  // namespace saccade
