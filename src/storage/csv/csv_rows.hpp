// Splits the bytes of a CSV file into rows and fields by RFC 4180: rows end in LF or CRLF, a field may stand in quotes and then
// hold delimiters and line breaks, and quotes by doubling (or behind the escape character).
//
// Blank lines are no rows, except in files of one column, where they are rows of one empty field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/csv/csv_options.hpp"

namespace saccade {

struct CsvField {
  const char* data = nullptr;  // without the quotes around it
  std::int64_t size = 0;
  bool quoted = false;
  bool escaped = false;  // holds escapes: its text is that of unescape()

  std::string_view raw() const { return {data, static_cast<std::size_t>(size)}; }
};

// The text of a field with escapes.
std::string unescape(const CsvField& field, const CsvDialect& dialect);

// Reads rows of a part of a file that begins where a row begins and ends where one ends. Used by one thread.
class CsvRows {
 public:
  // `bytes` must outlive this, followed by one readable byte that is '\n'. `where` names the file in errors, `first_line` is
  // the number of the first line. `cut`: the file goes on behind `bytes`, so that a last row that is not complete is left out.
  CsvRows(std::string_view bytes, const CsvDialect& dialect, std::string where, std::int64_t first_line, bool cut = false);

  // Reads the next row into `fields`, of which it keeps at most `most` but counts all; false at the end. Blank lines are
  // skipped where `most` is not 1. Errors: 22P04 a quote that is not closed or stands where none may; a lone CR.
  bool next(std::vector<CsvField>& fields, std::size_t most, std::size_t& count);

  // The number of the line that holds `at`, counting from the file's start.
  std::int64_t line_of(const char* at) const;
  const char* row_begin() const { return row_; }  // of the last row read
  const char* position() const { return at_; }
  [[noreturn]] void fail(const char* at, std::string_view sqlstate, const std::string& what, const std::string& hint) const;

 private:
  CsvField quoted_field();
  CsvField plain_field();
  // Consumes what follows a field: true where the row goes on.
  bool row_goes_on();

  const char* begin_;
  const char* end_;
  const char* at_;
  const char* row_;
  CsvDialect dialect_;
  std::string where_;
  std::int64_t first_line_;
  bool cut_, ran_out_ = false;
  bool special_[256] = {};  // ends a plain field
};

}  // namespace saccade
