#include <algorithm>

#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/result_writer.hpp"
#include "interfaces/shell/visible_text.hpp"

namespace saccade::shell {
namespace {

std::string one_line(std::string_view text) {
  std::string line = visible_text(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

void write_lines(const Rows& rows, const PrintOptions& options, Output& output) {
  std::vector<std::string> names;
  int width = 0;
  for (const ResultField& field : rows.fields()) {
    names.push_back(one_line(field.name));
    width = std::max(width, display_width(names.back()));
  }
  for (std::string& name : names) name.insert(0, static_cast<std::size_t>(width - display_width(name)), ' ');
  const std::string indent(static_cast<std::size_t>(width) + 3, ' ');
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    check_cancelled();
    for (int column = 0; column < rows.columns(); ++column) {
      output.write(names[static_cast<std::size_t>(column)]);
      output.write(" = ");
      bool first = true;
      for (const VisibleLine& line : visible_lines(rows.is_null(row, column) ? options.null_text : rows.text(row, column))) {
        if (!first) output.write(indent);
        output.write(line.text);
        output.write("\n");
        first = false;
      }
    }
    output.write("\n");
  }
}

}  // namespace saccade::shell
