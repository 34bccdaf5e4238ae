#include "interfaces/shell/completion_words.hpp"

namespace saccade::shell {
namespace {

constexpr std::string_view kStatementStarts[] = {"CALL",    "COPY",     "CREATE",  "DEALLOCATE", "DELETE", "DROP", "EXECUTE",
                                                 "EXPLAIN", "INSERT",   "PREPARE", "RESET",      "SELECT", "SET",  "SHOW",
                                                 "TABLE",   "TRUNCATE", "UPDATE",  "VALUES",     "WITH"};

constexpr std::string_view kKeywords[] = {"ALL",
                                          "ANALYZE",
                                          "AND",
                                          "ANY",
                                          "AS",
                                          "ASC",
                                          "BETWEEN",
                                          "BIGINT",
                                          "BOOLEAN",
                                          "BY",
                                          "CASE",
                                          "CAST",
                                          "CROSS",
                                          "CUBE",
                                          "CURRENT",
                                          "DATE",
                                          "DESC",
                                          "DISTINCT",
                                          "DOUBLE PRECISION",
                                          "ELSE",
                                          "END",
                                          "EXCEPT",
                                          "EXCLUDE",
                                          "EXISTS",
                                          "EXTRACT",
                                          "FALSE",
                                          "FETCH FIRST",
                                          "FILTER",
                                          "FIRST",
                                          "FOLLOWING",
                                          "FROM",
                                          "FULL",
                                          "GROUP BY",
                                          "GROUPING SETS",
                                          "HAVING",
                                          "IF",
                                          "ILIKE",
                                          "IN",
                                          "INNER",
                                          "INTEGER",
                                          "INTERSECT",
                                          "INTERVAL",
                                          "INTO",
                                          "IS",
                                          "JOIN",
                                          "LAST",
                                          "LATERAL",
                                          "LEFT",
                                          "LIKE",
                                          "LIMIT",
                                          "NATURAL",
                                          "NOT",
                                          "NULL",
                                          "NULLS",
                                          "NUMERIC",
                                          "OFFSET",
                                          "ON",
                                          "OR",
                                          "ORDER BY",
                                          "OUTER",
                                          "OVER",
                                          "PARTITION BY",
                                          "PIPELINE",
                                          "PRECEDING",
                                          "RANGE",
                                          "REAL",
                                          "RECURSIVE",
                                          "REPLACE",
                                          "RIGHT",
                                          "ROW",
                                          "ROLLUP",
                                          "ROWS",
                                          "SMALLINT",
                                          "TABLE",
                                          "TEMPORARY",
                                          "TEXT",
                                          "THEN",
                                          "TIES",
                                          "TIME",
                                          "TIMESTAMP",
                                          "TO",
                                          "TRUE",
                                          "UNBOUNDED",
                                          "UNION",
                                          "USING",
                                          "UUID",
                                          "VALUES",
                                          "VARCHAR",
                                          "VIEW",
                                          "WHEN",
                                          "WHERE",
                                          "WINDOW",
                                          "WITH"};

constexpr std::string_view kFunctions[] = {
    "abs(",     "any_value(",      "avg(",       "bool_and(",   "bool_or(",      "ceil(",       "coalesce(",
    "concat(",  "count(",          "cume_dist(", "date_trunc(", "dense_rank(",   "every(",      "exp(",
    "extract(", "first_value(",    "floor(",     "greatest(",   "grouping(",     "lag(",        "last_value(",
    "lead(",    "least(",          "left(",      "length(",     "ln(",           "lower(",      "max(",
    "min(",     "nth_value(",      "ntile(",     "nullif(",     "percent_rank(", "position(",   "power(",
    "rank(",    "regexp_replace(", "replace(",   "right(",      "round(",        "row_number(", "sign(",
    "sqrt(",    "substring(",      "sum(",       "trim(",       "trunc(",        "upper("};

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
