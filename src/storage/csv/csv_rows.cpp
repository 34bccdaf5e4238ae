#include "storage/csv/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/error.hpp"

namespace saccade {

std::string unescape(const CsvField& field, const CsvDialect& dialect) {
  std::string text;
  text.reserve(static_cast<std::size_t>(field.size));
  const char* end = field.data + field.size;
  for (const char* c = field.data; c < end; ++c) {
    const bool escapes = *c == dialect.escape && c + 1 < end && (c[1] == dialect.quote || c[1] == dialect.escape);
    if (escapes) ++c;
    text.push_back(*c);
  }
  return text;
}

CsvRows::CsvRows(std::string_view bytes, const CsvDialect& dialect, std::string where, std::int64_t first_line, bool cut)
    : begin_(bytes.data()),
      end_(bytes.data() + bytes.size()),
      at_(begin_),
      row_(begin_),
      dialect_(dialect),
      where_(std::move(where)),
      first_line_(first_line),
      cut_(cut) {
  for (const char c : {dialect.delimiter, '\n', '\r', '\0'}) special_[static_cast<unsigned char>(c)] = true;
  special_[static_cast<unsigned char>(dialect.quote)] = true;
}

std::int64_t CsvRows::line_of(const char* at) const {
  return first_line_ + std::count(begin_, std::min(at, end_), '\n');
}

void CsvRows::fail(const char* at, std::string_view sqlstate, const std::string& what, const std::string& hint) const {
  throw Error(sqlstate, fmt::format("{}, line {}: {}", where_, line_of(at), what), 0, hint);
}

bool CsvRows::next(std::vector<CsvField>& fields, std::size_t most, std::size_t& count) {
  while (most != 1 && at_ < end_ && (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n')))) {
    at_ = std::min(end_, at_ + (*at_ == '\n' ? 1 : 2));
  }
  if (at_ >= end_) return false;
  row_ = at_;
  fields.clear();
  count = 0;
  do {
    const bool quoted = dialect_.quote != '\0' && at_ < end_ && *at_ == dialect_.quote;
    const CsvField field = quoted ? quoted_field() : plain_field();
    if (count < most) fields.push_back(field);
    ++count;
  } while (row_goes_on());
  return !ran_out_;
}

CsvField CsvRows::plain_field() {
  const char* begin = at_;
  while (!special_[static_cast<unsigned char>(*at_)]) ++at_;  // a line feed stands behind the end
  if (at_ < end_ && *at_ == '\0') {
    fail(at_, sqlstate::kCharacterNotInRepertoire, "a zero byte",
         "Text files hold no zero bytes; is this a CSV file in UTF-8?");
  }
  if (at_ < end_ && *at_ == dialect_.quote && dialect_.quote != '\0') {
    fail(at_, sqlstate::kBadCopyFileFormat, "a quote within a field that does not begin with one",
         "Double it within a quoted field, or read the file without quotes: read_csv('...', quote => '').");
  }
  return {begin, at_ - begin, false, false};
}

CsvField CsvRows::quoted_field() {
  CsvField field{at_ + 1, 0, true, false};
  const char* at = at_ + 1;
  while (true) {
    while (at < end_ && *at != dialect_.quote && *at != dialect_.escape) ++at;
    if (at >= end_ && cut_) {
      ran_out_ = true;
      at_ = end_;
      return field;
    }
    if (at >= end_) {
      fail(at_, sqlstate::kBadCopyFileFormat, "a quoted field is not closed",
           "Close it, or read the file without quotes: read_csv('...', quote => '').");
    }
    const bool pair = at + 1 < end_ && (at[1] == dialect_.quote || at[1] == dialect_.escape);
    if (*at == dialect_.escape && pair) {
      field.escaped = true;
      at += 2;
    } else if (*at == dialect_.quote) {
      break;
    } else {
      ++at;
    }
  }
  field.size = at - field.data;
  at_ = at + 1;
  const bool ends = at_ >= end_ || *at_ == dialect_.delimiter || *at_ == '\n' || *at_ == '\r';
  if (!ends) {
    fail(at_, sqlstate::kBadCopyFileFormat, "characters behind a closing quote",
         "A quote within a quoted field is doubled; or read the file without quotes: read_csv('...', quote => '').");
  }
  return field;
}

bool CsvRows::row_goes_on() {
  if (at_ >= end_) return false;
  if (*at_ == dialect_.delimiter) {
    ++at_;
    return true;
  }
  if (*at_ == '\r') {
    if (at_ + 1 < end_ && at_[1] != '\n') {
      fail(at_, sqlstate::kBadCopyFileFormat, "an unquoted carriage return",
           "Lines end in a line feed, or in carriage return and line feed; quote the field otherwise.");
    }
    ++at_;
  }
  at_ = std::min(end_, at_ + 1);
  return false;
}

}  // namespace saccade
