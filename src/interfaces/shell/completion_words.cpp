#include "interfaces/shell/completion_words.hpp"

namespace saccade::shell {
namespace {

constexpr std::string_view kStatementStarts[] = {"CALL",   "COPY", "CREATE", "DELETE", "DROP",   "EXPLAIN", "INSERT", "RESET",
                                                 "SELECT", "SET",  "SHOW",   "TABLE",  "UPDATE", "VALUES",  "WITH"};

constexpr std::string_view kKeywords[] = {
    "ALL",       "ANALYZE",  "AND",          "ANY",       "AS",        "ASC",       "BETWEEN", "BIGINT",    "BOOLEAN",
    "BY",        "CASE",     "CAST",         "CROSS",     "CURRENT",   "DATE",      "DESC",    "DISTINCT",  "DOUBLE PRECISION",
    "ELSE",      "END",      "EXCEPT",       "EXISTS",    "EXTRACT",   "FALSE",     "FILTER",  "FIRST",     "FOLLOWING",
    "FROM",      "FULL",     "GROUP BY",     "HAVING",    "IF",        "ILIKE",     "IN",      "INNER",     "INTEGER",
    "INTERSECT", "INTERVAL", "INTO",         "IS",        "JOIN",      "LAST",      "LATERAL", "LEFT",      "LIKE",
    "LIMIT",     "NOT",      "NULL",         "NULLS",     "NUMERIC",   "OFFSET",    "ON",      "OR",        "ORDER BY",
    "OUTER",     "OVER",     "PARTITION BY", "PIPELINE",  "PRECEDING", "RANGE",     "REAL",    "RECURSIVE", "REPLACE",
    "RIGHT",     "ROW",      "ROWS",         "SMALLINT",  "TABLE",     "TEMPORARY", "TEXT",    "THEN",      "TIME",
    "TIMESTAMP", "TO",       "TRUE",         "UNBOUNDED", "UNION",     "USING",     "UUID",    "VALUES",    "VARCHAR",
    "VIEW",      "WHEN",     "WHERE",        "WINDOW",    "WITH"};

constexpr std::string_view kFunctions[] = {
    "abs(",        "avg(",          "ceil(",           "coalesce(",    "concat(",   "count(",    "date_trunc(",
    "dense_rank(", "exp(",          "extract(",        "first_value(", "floor(",    "greatest(", "lag(",
    "last_value(", "lead(",         "least(",          "left(",        "length(",   "ln(",       "lower(",
    "max(",        "min(",          "ntile(",          "nullif(",      "position(", "power(",    "rank(",
    "read_csv(",   "read_parquet(", "regexp_replace(", "replace(",     "right(",    "round(",    "row_number(",
    "sign(",       "sqrt(",         "stddev(",         "substring(",   "sum(",      "trim(",     "trunc(",
    "upper(",      "variance("};

}  // namespace

std::span<const std::string_view> statement_starts() {
  return kStatementStarts;
}
std::span<const std::string_view> keywords() {
  return kKeywords;
}
std::span<const std::string_view> functions() {
  return kFunctions;
}

}  // namespace saccade::shell
