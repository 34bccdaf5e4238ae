// Literals: what the text of an untyped constant means as a value of a type, and casts of constants that are exact.
#pragma once

#include <optional>
#include <string_view>

#include "plan/expression.hpp"
#include "sql/binder/statement_time.hpp"

namespace saccade {

// While it lives, literals and casts that this thread binds see this moment and zone: the rules of types, which convert them,
// are called from everywhere in the binder. bind_statement makes one, around all it does.
class LiteralTimes {
 public:
  explicit LiteralTimes(const StatementTime& time);  // Errors: 22023 where the zone is not known
  ~LiteralTimes();
  LiteralTimes(const LiteralTimes&) = delete;
  LiteralTimes& operator=(const LiteralTimes&) = delete;
};

// Of the statement that this thread binds; UTC and 1970 outside of one.
const TimeContext& literal_times();

// The value of an untyped literal as `type` (a numeric keeps the scale it is written with). Errors, with the position: 22P02,
// 22003, 22007, 22008; 0A000 for an interval's form that is not known.
Value parse_literal(std::string_view text, const DataType& type, int position);

// A literal's value as `type` where that is exact; nothing where a cast has to be evaluated (and may fail).
std::optional<Value> convert_exactly(const Value& value, const DataType& type);

// An integer or decimal constant as PostgreSQL types it: integer, bigint or numeric. Errors: 22003.
Value number_literal(std::string_view text, int position);

}  // namespace saccade
