#include "plan/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace saccade {
namespace {

void collect_columns(const Expression& expression, std::vector<ColumnId>& columns) {
  if (expression.operation == Operation::kColumn) columns.push_back(expression.column);
  for (const Expression& argument : expression.arguments) collect_columns(argument, columns);
}

// How tightly an operation binds in text; an argument that binds less tightly stands in parentheses.
int precedence(Operation operation) {
  switch (operation) {
    case Operation::kOr:
      return 1;
    case Operation::kAnd:
      return 2;
    case Operation::kNot:
      return 3;
    case Operation::kIsNull:
    case Operation::kIsNotNull:
      return 4;
    case Operation::kEqual:
    case Operation::kNotEqual:
    case Operation::kLess:
    case Operation::kLessEqual:
    case Operation::kGreater:
    case Operation::kGreaterEqual:
      return 5;
    case Operation::kLike:
      return 6;
    case Operation::kAdd:
    case Operation::kSubtract:
      return 7;
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kModulo:
      return 8;
    case Operation::kNegate:
      return 9;
    default:
      return 10;
  }
}

const char* infix_of(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "+";
    case Operation::kSubtract:
      return "-";
    case Operation::kMultiply:
      return "*";
    case Operation::kDivide:
      return "/";
    case Operation::kModulo:
      return "%";
    case Operation::kEqual:
      return "=";
    case Operation::kNotEqual:
      return "<>";
    case Operation::kLess:
      return "<";
    case Operation::kLessEqual:
      return "<=";
    case Operation::kGreater:
      return ">";
    case Operation::kGreaterEqual:
      return ">=";
    case Operation::kAnd:
      return "and";
    default:
      return "or";
  }
}

std::string literal_text(const Value& value) {
  if (value.is_null()) return "NULL";
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth ? "true" : "false";
  if (!std::holds_alternative<std::string>(value.data) || value.type.kind == TypeKind::kBytea) return to_string(value);
  std::string text = "'";
  for (const char c : std::get<std::string>(value.data)) text.append(c == '\'' ? 2 : 1, c);
  return text + "'";
}

// Writes one expression; a class only because its functions call each other with the same names.
class Printer {
 public:
  explicit Printer(const ColumnNames& names) : names_(names) {}

  std::string print(const Expression& expression) const {
    switch (expression.operation) {
      case Operation::kColumn:
        return column(expression.column);
      case Operation::kLiteral:
        return literal_text(expression.literal);
      case Operation::kNegate:
        return fmt::format("-{}", nested(expression, 0, true));
      case Operation::kNot:
        return "not " + nested(expression, 0, false);
      case Operation::kIsNull:
        return nested(expression, 0, true) + " is null";
      case Operation::kIsNotNull:
        return nested(expression, 0, true) + " is not null";
      case Operation::kLike:
        return fmt::format("{} {} {}", nested(expression, 0, true), expression.name, nested(expression, 1, true));
      case Operation::kCase:
        return choice(expression);
      case Operation::kCoalesce:
        return "coalesce(" + list(expression, ", ") + ")";
      case Operation::kCast:
        return fmt::format("cast({} as {})", print(expression.arguments.at(0)), to_string(expression.type));
      case Operation::kTextFunction:
        return fmt::format("{}({})", expression.name, list(expression, ", "));
      case Operation::kFunction:
        return expression.name.substr(0, expression.name.rfind('_')) + "(" + list(expression, ", ") + ")";
      case Operation::kExtract:
        return fmt::format("extract({} from {})", expression.name, print(expression.arguments.at(0)));
      case Operation::kSingleRow:
        return fmt::format("single_row({})", print(expression.arguments.at(0)));
      default:
        return infix(expression);
    }
  }

 private:
  std::string column(ColumnId id) const {
    const auto index = static_cast<std::size_t>(id);
    return id >= 0 && index < names_.size() && !names_[index].empty() ? names_[index] : fmt::format("#{}", id);
  }

  // Argument `index`, in parentheses where it binds less tightly than its parent (`strict`: or equally).
  std::string nested(const Expression& parent, std::size_t index, bool strict) const {
    const Expression& argument = parent.arguments.at(index);
    const int outer = precedence(parent.operation), inner = precedence(argument.operation);
    const std::string text = print(argument);
    return inner < outer || (strict && inner == outer) ? fmt::format("({})", text) : text;
  }

  std::string infix(const Expression& expression) const {
    std::string text = nested(expression, 0, precedence(expression.operation) == 5);
    for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
      text += fmt::format(" {} {}", infix_of(expression.operation), nested(expression, i, true));
    }
    return text;
  }

  std::string choice(const Expression& expression) const {
    std::string text = "case";
    std::size_t i = 0;
    for (; i + 1 < expression.arguments.size(); i += 2) {
      text += fmt::format(" when {} then {}", print(expression.arguments[i]), print(expression.arguments[i + 1]));
    }
    if (i < expression.arguments.size()) text += " else " + print(expression.arguments[i]);
    return text + " end";
  }

  std::string list(const Expression& expression, const char* separator) const {
    std::vector<std::string> texts;
    for (const Expression& argument : expression.arguments) texts.push_back(print(argument));
    return fmt::format("{}", fmt::join(texts, separator));
  }

  const ColumnNames& names_;
};

}  // namespace

bool Expression::operator==(const Expression& other) const {
  return operation == other.operation && type == other.type && column == other.column && literal == other.literal &&
         name == other.name && arguments == other.arguments;
}

Expression column_expression(ColumnId column, DataType type) {
  Expression expression;
  expression.operation = Operation::kColumn;
  expression.type = type;
  expression.column = column;
  return expression;
}

Expression literal_expression(Value value) {
  Expression expression;
  expression.operation = Operation::kLiteral;
  expression.type = value.type;
  expression.literal = std::move(value);
  return expression;
}

Expression call_expression(Operation operation, DataType type, std::vector<Expression> arguments) {
  Expression expression;
  expression.operation = operation;
  expression.type = type;
  expression.arguments = std::move(arguments);
  return expression;
}

std::vector<ColumnId> columns_of(const Expression& expression) {
  std::vector<ColumnId> columns;
  collect_columns(expression, columns);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::string to_string(const Expression& expression, const ColumnNames& names) {
  return Printer(names).print(expression);
}

std::string to_string(const AggregateCall& call, const ColumnNames& names) {
  static constexpr const char* kNames[] = {"count",    "count",      "sum",        "avg",       "min",
                                           "max",      "bool_and",   "bool_or",    "any_value", "var_pop",
                                           "var_samp", "stddev_pop", "stddev_samp"};
  std::string arguments = call.kind == AggregateKind::kCountStar ? "*" : "";
  for (const Expression& argument : call.arguments) arguments += (arguments.empty() ? "" : ", ") + to_string(argument, names);
  std::string text = fmt::format("{}({}{})", kNames[static_cast<int>(call.kind)], call.distinct ? "distinct " : "", arguments);
  if (call.filter) text += fmt::format(" filter (where {})", to_string(*call.filter, names));
  return text;
}

}  // namespace saccade
