#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/result_writer.hpp"
#include "interfaces/shell/visible_text.hpp"

namespace saccade::shell {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// An underscore within a word is none.
bool is_markup(std::string_view text, std::size_t at) {
  if (text[at] == '_') return at == 0 || at + 1 == text.size() || !is_word(text[at - 1]) || !is_word(text[at + 1]);
  return std::string_view("\\|`*<>[]~&").find(text[at]) != std::string_view::npos;
}

void append_cell(std::string& line, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    if (character.code == '\n') {
      line += "<br>";
    } else if (character.code == '\t') {
      line += ' ';
    } else if (const std::string escape = escape_of(character); !escape.empty()) {
      line += '\\' + escape;
    } else {
      if (is_markup(text, at)) line += '\\';
      line += character.bytes;
    }
    at += character.bytes.size();
  }
}

void write_header(const Rows& rows, Output& output) {
  std::string line = "|", rule = "|";
  for (const ResultField& field : rows.fields()) {
    line += ' ';
    append_cell(line, field.name);
    line += " |";
    rule += is_number_type(field.type) ? "---:|" : "---|";
  }
  output.write(line + '\n' + rule + '\n');
}

}  // namespace

void write_markdown(const Rows& rows, const PrintOptions& options, Output& output) {
  if (!options.tuples_only) write_header(rows, output);
  std::string line;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    check_cancelled();
    line = "|";
    for (int column = 0; column < rows.columns(); ++column) {
      line += ' ';
      append_cell(line, rows.is_null(row, column) ? options.null_text : rows.text(row, column));
      line += " |";
    }
    line += '\n';
    output.write(line);
  }
}

}  // namespace saccade::shell
