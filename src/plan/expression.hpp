// Bound scalar expressions: every node has its type, every column is named by a number that is unique in the query.
//
// Values: copied freely, compared by structure, never changed once they stand in a plan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/value.hpp"

namespace saccade {

// Identifies a column within one query: the binder numbers every column of every relation, projection and aggregate.
using ColumnId = int;

enum class Operation : std::uint8_t {
  kColumn,   // column
  kLiteral,  // literal
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kNegate,  // arguments of one number type (numerics: any scales; the result's
            // type is in `type`); date + integer, date - integer, date - date,
            // date/timestamp +- interval literal
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,  // arguments of one type (numerics: of one scale)
  kAnd,
  kOr,  // two or more arguments, three-valued, evaluated left to right
  kNot,
  kIsNull,
  kIsNotNull,
  kLike,  // `name`: like, ilike; arguments: text, pattern
  kCase,  // when, then, when, then, ..., else
  kCoalesce,
  kCast,          // to `type`
  kTextFunction,  // `name`: one of the functions over text (function/text/registry.hpp); each argument's type is carried in the
                  // lane that the function takes there, but for text also as codes
  kFunction,   // `name`: one of the scalar functions over other lanes (function/registry.hpp); each argument's type is carried
               // in the lane that the function takes there, but an int64 stands for an int128 as well
  kExtract,    // `name`: year, month, day; argument date or timestamp; type numeric(4,0) or as PostgreSQL's numeric
  kSingleRow,  // argument: a count of rows (bigint, not null); true, or error 21000 where it is above 1
};

struct Expression {
  Operation operation = Operation::kLiteral;
  DataType type;
  ColumnId column = -1;
  Value literal;
  std::string name;
  std::vector<Expression> arguments;
  int position = 0;  // in the statement's text, 1-based characters; not part of equality
  // Of a literal that stands for a parameter while a statement is prepared: where the type is put that the binder gives it.
  // Not part of equality; null everywhere but within the binder.
  DataType* parameter = nullptr;

  bool operator==(const Expression& other) const;
};

Expression column_expression(ColumnId column, DataType type);
Expression literal_expression(Value value);
Expression call_expression(Operation operation, DataType type, std::vector<Expression> arguments);

// All columns an expression names, in ascending order without repeats.
std::vector<ColumnId> columns_of(const Expression& expression);

// SQL-like text, with `names` of columns where given ("l_shipdate > 1995-03-15").
using ColumnNames = std::vector<std::string>;  // by ColumnId
std::string to_string(const Expression& expression, const ColumnNames& names);

enum class AggregateKind : std::uint8_t {
  kCountStar,
  kCount,
  kSum,
  kAvg,
  kMin,
  kMax,
  kBoolAnd,
  kBoolOr,
  kAnyValue,  // of any row, not null where one is not
  kVarPop,
  kVarSamp,
  kStddevPop,
  kStddevSamp,
};

struct AggregateCall {
  AggregateKind kind = AggregateKind::kCountStar;
  DataType type;                      // of the result
  std::vector<Expression> arguments;  // none or one
  bool distinct = false;              // each value of the argument counts once
  std::optional<Expression> filter;   // only rows for which it is true count; the argument is evaluated for these alone
  ColumnId output = -1;
  bool operator==(const AggregateCall&) const = default;
};

std::string to_string(const AggregateCall& call, const ColumnNames& names);

}  // namespace saccade
