// psql's aligned format: numbers to the right, a value of several lines goes on in further lines marked by '+'.
#include <algorithm>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/result_writer.hpp"

namespace saccade::shell {
namespace {

using Lines = std::vector<std::string>;  // of one cell, at least one

// Control characters would disturb the table: tabs become blanks up to the next stop of 8, others \xNN.
Lines cell_lines(const std::string& text) {
  Lines lines(1);
  int width = 0;
  for (const Character& character : characters(text)) {
    const auto code = static_cast<unsigned char>(character.bytes[0]);
    if (code == '\n') {
      lines.emplace_back();
      width = 0;
      continue;
    }
    std::string shown(character.bytes);
    if (code == '\t') {
      shown = std::string(static_cast<std::size_t>(8 - width % 8), ' ');
    } else if (code == '\r') {
      shown = "\\r";
    } else if (code < 0x20 || code == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02X", code);
      shown = escaped;
    }
    width += shown == character.bytes ? character.width : static_cast<int>(shown.size());
    lines.back() += shown;
  }
  return lines;
}

int width_of(const Lines& lines) {
  int width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

class Table {
 public:
  explicit Table(const QueryResult& result) : result_(result) {
    for (const ResultField& field : result.fields()) {
      names_.push_back(cell_lines(field.name));
      widths_.push_back(width_of(names_.back()));
    }
    for (std::int64_t row = 0; row < result.rows(); ++row) {
      const std::vector<Lines> cells = cells_of(row);
      for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], width_of(cells[i]));
    }
  }

  void write(Output& output) const {
    output.write(row_text(names_, true));
    std::string rule;
    for (const int width : widths_) {
      if (!rule.empty()) rule += '+';
      rule.append(static_cast<std::size_t>(width) + 2, '-');
    }
    output.write(rule + "\n");
    for (std::int64_t row = 0; row < result_.rows(); ++row) output.write(row_text(cells_of(row), false));
    output.write("(");
    output.write(std::to_string(result_.rows()));
    output.write(result_.rows() == 1 ? " row)\n\n" : " rows)\n\n");
  }

 private:
  std::vector<Lines> cells_of(std::int64_t row) const {
    std::vector<Lines> cells;
    for (std::size_t i = 0; i < widths_.size(); ++i) cells.push_back(cell_lines(result_.text(row, static_cast<int>(i))));
    return cells;
  }

  std::string row_text(const std::vector<Lines>& cells, bool header) const {
    std::size_t height = 1;
    for (const Lines& cell : cells) height = std::max(height, cell.size());
    std::string text;
    for (std::size_t line = 0; line < height; ++line) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) text += '|';
        text += cell_text(cells, i, line, header);
      }
      text += '\n';
    }
    return text;
  }

  // A line of a cell between the bars; nothing is padded at the end of a row.
  std::string cell_text(const std::vector<Lines>& cells, std::size_t i, std::size_t line, bool header) const {
    const bool last = i + 1 == cells.size(), there = line < cells[i].size(), more = line + 1 < cells[i].size();
    const std::string content = there ? cells[i][line] : "";
    const int free = widths_[i] - display_width(content);
    const bool right = !header && is_number_type(result_.fields()[i].type);
    const int before = header ? free / 2 : right ? free : 0;
    const bool padded = header || !last || more;
    std::string text(1 + static_cast<std::size_t>(there ? before : 0), ' ');
    text += content;
    if (padded) text += blanks(free - (there ? before : 0));
    return text + (more ? "+" : padded ? " " : "");
  }

  const QueryResult& result_;
  std::vector<Lines> names_;
  std::vector<int> widths_;
};

}  // namespace

void write_table(const QueryResult& result, Output& output) {
  Table(result).write(output);
}

}  // namespace saccade::shell
