#include <algorithm>

#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/result_writer.hpp"
#include "interfaces/shell/visible_text.hpp"

namespace saccade::shell {
namespace {

using Lines = std::vector<VisibleLine>;  // of one cell, at least one

void append(std::string& text, int count, char c) {
  text.append(static_cast<std::size_t>(std::max(count, 0)), c);
}

std::string cell_text(const Rows& rows, const PrintOptions& options, std::int64_t row, int column) {
  return rows.is_null(row, column) ? options.null_text : rows.text(row, column);
}

class Table {
 public:
  Table(const Rows& rows, const PrintOptions& options, std::string_view title, Output& output)
      : rows_(rows), options_(options), title_(title), output_(output) {
    for (const ResultField& field : rows.fields()) {
      names_.push_back(visible_lines(field.name));
      widths_.push_back(options.tuples_only ? 0 : visible_width(field.name));
      numbers_.push_back(is_number_type(field.type));
    }
    for (std::int64_t row = 0; row < rows.count(); ++row) {
      check_cancelled();
      for (std::size_t i = 0; i < widths_.size(); ++i)
        widths_[i] = std::max(widths_[i], visible_width(cell_text(rows, options, row, static_cast<int>(i))));
    }
  }

  int width() const {
    int width = -1;
    for (const int each : widths_) width += each + 3;
    return width;
  }

  void write() const {
    if (!options_.tuples_only) write_head();
    for (std::int64_t row = 0; row < rows_.count(); ++row) {
      check_cancelled();
      std::vector<Lines> cells;
      for (std::size_t i = 0; i < widths_.size(); ++i)
        cells.push_back(visible_lines(cell_text(rows_, options_, row, static_cast<int>(i))));
      output_.write(row_text(cells, false));
    }
    if (!options_.tuples_only && options_.footer) {
      output_.write("(" + std::to_string(rows_.count()) + (rows_.count() == 1 ? " row)\n" : " rows)\n"));
    }
    output_.write("\n");
  }

 private:
  void write_head() const {
    if (!title_.empty()) {
      std::string line;
      append(line, (width() - display_width(title_)) / 2, ' ');
      output_.write(line + std::string(title_) + "\n");
    }
    output_.write(row_text(names_, true));
    std::string rule;
    for (const int width : widths_) {
      if (!rule.empty()) rule += '+';
      append(rule, width + 2, '-');
    }
    output_.write(rule + "\n");
  }

  std::string row_text(const std::vector<Lines>& cells, bool header) const {
    std::size_t height = 1;
    for (const Lines& cell : cells) height = std::max(height, cell.size());
    std::string text;
    for (std::size_t line = 0; line < height; ++line) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) text += '|';
        append_cell(text, cells, i, line, header);
      }
      text += '\n';
    }
    return text;
  }

  // A line of a cell between the bars; nothing is padded at the end of a row.
  void append_cell(std::string& text, const std::vector<Lines>& cells, std::size_t i, std::size_t line, bool header) const {
    const bool last = i + 1 == cells.size(), there = line < cells[i].size(), more = line + 1 < cells[i].size();
    const int free = widths_[i] - (there ? cells[i][line].width : 0);
    const int before = !there ? 0 : header ? free / 2 : numbers_[i] ? free : 0;
    const bool padded = header || !last || more;
    append(text, 1 + before, ' ');
    if (there) text += cells[i][line].text;
    if (padded) append(text, free - before, ' ');
    if (more) {
      text += '+';
    } else if (padded) {
      text += ' ';
    }
  }

  const Rows& rows_;
  const PrintOptions& options_;
  std::string_view title_;
  Output& output_;
  std::vector<Lines> names_;
  std::vector<int> widths_;
  std::vector<bool> numbers_;
};

// One row below the other.
class Records {
 public:
  Records(const Rows& rows, const PrintOptions& options, std::string_view title, Output& output)
      : rows_(rows), options_(options), title_(title), output_(output) {
    for (const ResultField& field : rows.fields()) {
      names_.push_back(visible_lines(field.name));
      name_width_ = std::max(name_width_, visible_width(field.name));
    }
    for (std::int64_t row = 0; row < rows.count(); ++row) {
      check_cancelled();
      for (int column = 0; column < rows.columns(); ++column) {
        value_width_ = std::max(value_width_, visible_width(cell_text(rows, options, row, column)));
      }
    }
  }

  void write() const {
    if (!title_.empty() && !options_.tuples_only) output_.write(std::string(title_) + "\n");
    if (rows_.count() == 0 && !options_.tuples_only) output_.write("(0 rows)\n");
    for (std::int64_t row = 0; row < rows_.count(); ++row) {
      check_cancelled();
      if (!options_.tuples_only || row > 0)
        output_.write(rule(options_.tuples_only ? "" : "-[ RECORD " + std::to_string(row + 1) + " ]"));
      for (int column = 0; column < rows_.columns(); ++column)
        write_cell(names_[static_cast<std::size_t>(column)], visible_lines(cell_text(rows_, options_, row, column)));
    }
    output_.write("\n");
  }

 private:
  // "-[ RECORD 1 ]----", with a '+' where the bars stand if the label leaves it free.
  std::string rule(std::string line) const {
    const auto bar = static_cast<std::size_t>(name_width_) + 1;
    const std::size_t end = bar + 2 + static_cast<std::size_t>(value_width_);
    const bool free = line.size() <= bar;
    if (line.size() < end) line.append(end - line.size(), '-');
    if (free) line[bar] = '+';
    return line + "\n";
  }

  void write_cell(const Lines& name, const Lines& value) const {
    std::string text;
    for (std::size_t line = 0; line < std::max(name.size(), value.size()); ++line) {
      const bool named = line < name.size(), valued = line < value.size();
      if (named) text += name[line].text;
      append(text, name_width_ - (named ? name[line].width : 0), ' ');
      text += line + 1 < name.size() ? "+|" : " |";
      if (valued) text += ' ' + value[line].text;
      if (line + 1 < value.size()) {
        append(text, value_width_ - value[line].width, ' ');
        text += '+';
      }
      text += '\n';
    }
    output_.write(text);
  }

  const Rows& rows_;
  const PrintOptions& options_;
  std::string_view title_;
  Output& output_;
  std::vector<Lines> names_;
  int name_width_ = 0, value_width_ = 0;
};

}  // namespace

void write_table(const Rows& rows, const PrintOptions& options, Output& output, std::string_view title) {
  if (options.expanded == Expanded::kOn) return Records(rows, options, title, output).write();
  const Table table(rows, options, title, output);
  if (options.expanded == Expanded::kAuto && options.terminal_columns > 0 && table.width() > options.terminal_columns) {
    Records(rows, options, title, output).write();
  } else {
    table.write();
  }
}

}  // namespace saccade::shell
