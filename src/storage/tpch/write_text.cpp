#include "storage/tpch/write_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "data/date_time.hpp"

namespace saccade::tpch {
namespace {

constexpr std::size_t kLongestValue = 256;  // more than twice any text, so that it may be quoted
constexpr std::size_t kIsoDate = 10;

char* write_integer(std::int64_t number, char* out) {
  return std::to_chars(out, out + 20, number).ptr;
}

char* write_cents(std::int64_t cents, char* out) {
  if (cents < 0) *out++ = '-';
  const std::int64_t magnitude = cents < 0 ? -cents : cents;
  out = write_integer(magnitude / 100, out);
  *out++ = '.';
  *out++ = static_cast<char>('0' + magnitude / 10 % 10);
  *out++ = static_cast<char>('0' + magnitude % 10);
  return out;
}

// Every date of TPC-H, once.
class DateTexts {
 public:
  DateTexts() {
    for (std::size_t i = 0; i < kDays; ++i)
      std::memcpy(texts_[i].data(), date_text(kFirst + static_cast<std::int64_t>(i)).data(), kIsoDate);
  }
  char* write(std::int64_t day, char* out) const {
    std::memcpy(out, texts_[static_cast<std::size_t>(day - kFirst)].data(), kIsoDate);
    return out + kIsoDate;
  }

 private:
  static constexpr std::int64_t kFirst = 8035;  // 1992-01-01
  static constexpr std::size_t kDays = 2557;    // to 1998-12-31
  std::array<std::array<char, kIsoDate>, kDays> texts_;
};

char* write_string(std::string_view text, TextFormat format, char* out) {
  // No value holds a quote or a line's end.
  const bool quoted = format == TextFormat::kCsv && text.find(',') != std::string_view::npos;
  if (quoted) *out++ = '"';
  std::memcpy(out, text.data(), text.size());
  out += text.size();
  if (quoted) *out++ = '"';
  return out;
}

class ColumnWriter {
 public:
  ColumnWriter(const ColumnSpec& spec, const GeneratedColumn& column, TextFormat format)
      : column_(&column), format_(format), kind_(spec.type.kind), whole_(spec.whole) {}

  char* write(std::size_t row, char* out) const {
    static const DateTexts dates;
    switch (column_->content) {
      case Content::kChoices:
        return write_string(column_->choices[static_cast<std::size_t>(column_->numbers[row])], format_, out);
      case Content::kNumbered:
        return write_numbered(column_->prefix, column_->numbers[row], out);
      case Content::kTexts:
        return write_string(column_->texts[row], format_, out);
      case Content::kNumbers:
        break;
    }
    const std::int64_t number = column_->numbers[row];
    if (kind_ == TypeKind::kDate) return dates.write(number, out);
    if (kind_ != TypeKind::kNumeric) return write_integer(number, out);
    return whole_ ? write_integer(number / 100, out) : write_cents(number, out);
  }

 private:
  const GeneratedColumn* column_;
  TextFormat format_;
  TypeKind kind_;
  bool whole_;
};

}  // namespace

std::string text_header(TableId table, std::span<const int> columns, TextFormat format) {
  std::string header;
  if (format == TextFormat::kTbl) return header;
  for (const int column : columns) {
    if (!header.empty()) header += ',';
    header += table_spec(table).columns[static_cast<std::size_t>(column)].name;
  }
  return header + "\n";
}

void append_text(TableId table, std::span<const int> columns, const GeneratedRows& rows, TextFormat format, std::string& out) {
  std::vector<ColumnWriter> writers;
  for (std::size_t i = 0; i < columns.size(); ++i)
    writers.emplace_back(table_spec(table).columns[static_cast<std::size_t>(columns[i])], rows.columns[i], format);
  const std::size_t row_room = columns.size() * kLongestValue + 1;
  std::size_t used = out.size();
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows.rows); ++row) {
    if (out.size() - used < row_room) out.resize(std::max(out.size() * 2, used + 64 * row_room));
    char* end = out.data() + used;
    for (const ColumnWriter& writer : writers) {
      end = writer.write(row, end);
      *end++ = format == TextFormat::kTbl ? '|' : ',';
    }
    if (format == TextFormat::kCsv) --end;
    *end++ = '\n';
    used = static_cast<std::size_t>(end - out.data());
  }
  out.resize(used);
}

}  // namespace saccade::tpch
