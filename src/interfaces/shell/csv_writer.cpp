#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/result_writer.hpp"

namespace saccade::shell {
namespace {

// Quoted where it has to be, and where COPY would take it for something else: an empty string for NULL, \. for the end.
void append_field(std::string& line, std::string_view text) {
  if (!text.empty() && text != "\\." && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace

void write_csv(const Rows& rows, const PrintOptions& options, Output& output) {
  std::string line;
  for (int column = 0; column < rows.columns(); ++column) {
    if (column > 0) line += ',';
    append_field(line, rows.fields()[static_cast<std::size_t>(column)].name);
  }
  if (!options.tuples_only) output.write(line + '\n');
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    check_cancelled();
    line.clear();
    for (int column = 0; column < rows.columns(); ++column) {
      if (column > 0) line += ',';
      if (!rows.is_null(row, column)) {
        append_field(line, rows.text(row, column));
      } else if (!options.null_text.empty()) {
        append_field(line, options.null_text);
      }
    }
    line += '\n';
    output.write(line);
  }
}

}  // namespace saccade::shell
