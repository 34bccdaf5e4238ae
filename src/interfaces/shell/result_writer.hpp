// Results as text. Cells are turned into text while they are written, never all of them at once. Every writer ends with 57014
// once Ctrl-C is pressed (interrupt.hpp).
//
// Errors of all: OutputError; QueryError 57014 and, of JSON, 22021 where a text is no UTF-8.
#pragma once

#include <string_view>

#include "interfaces/shell/output.hpp"
#include "interfaces/shell/print_options.hpp"
#include "interfaces/shell/rows.hpp"

namespace saccade::shell {

// In the format of the options. `title` stands above a table.
void write_rows(const Rows& rows, const PrintOptions& options, Output& output, std::string_view title = "");

// psql's aligned table with "(N rows)": numbers to the right, a value of several lines goes on in lines marked by '+'.
// Expanded, each row is a block of lines "name | value".
void write_table(const Rows& rows, const PrintOptions& options, Output& output, std::string_view title);

// RFC 4180 with a header, but lines end with LF. NULL is nothing, an empty string is "".
void write_csv(const Rows& rows, const PrintOptions& options, Output& output);

// An array of objects, or (lines) an object a line. Numbers carry all their digits; NaN and the infinities, dates and all other
// types are strings.
void write_json(const Rows& rows, Output& output);
void write_json_lines(const Rows& rows, Output& output);

// A table of GitHub's Markdown. What would be markup in a value is escaped, a newline is <br>.
void write_markdown(const Rows& rows, const PrintOptions& options, Output& output);

// "name = value", one column a line, with an empty line after each row.
void write_lines(const Rows& rows, const PrintOptions& options, Output& output);

}  // namespace saccade::shell
