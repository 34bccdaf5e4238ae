// Results as text: an aligned table as psql draws it, CSV, or JSON.
#pragma once

#include "interfaces/shell/output.hpp"
#include "saccade/saccade.hpp"

namespace saccade::shell {

enum class Format { kTable, kCsv, kJson };

// A statement without columns (SET, CREATE TABLE AS) leaves its command tag in a table, and nothing in CSV and JSON.
// Errors: OutputError.
void write_result(const QueryResult& result, Format format, Output& output);

// psql's aligned table with "(N rows)".
void write_table(const QueryResult& result, Output& output);
// RFC 4180 with a header; lines end with LF. NULL is nothing, an empty string is "".
void write_csv(const QueryResult& result, Output& output);
// An array of objects. Numbers carry all their digits; NaN and the infinities, dates and all other types are strings.
// Errors: QueryError 22021 where a text is no UTF-8.
void write_json(const QueryResult& result, Output& output);

// smallint, integer, bigint, numeric, real, double precision, by PostgreSQL's name of the type.
bool is_number_type(std::string_view type);

}  // namespace saccade::shell
