#include <fmt/format.h>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/result_writer.hpp"

namespace saccade::shell {
namespace {

void append_escaped(std::string& json, const Character& character) {
  if (!character.valid) {
    throw QueryError("22021", "a text of the result is not UTF-8, so it cannot be written as JSON", 0, "Use the format csv.");
  }
  switch (character.code) {
    case '"':
    case '\\':
      json += '\\';
      json += character.bytes;
      break;
    case '\n':
      json += "\\n";
      break;
    case '\r':
      json += "\\r";
      break;
    case '\t':
      json += "\\t";
      break;
    default:
      if (character.code < 0x20) {
        json += fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
      } else {
        json += character.bytes;
      }
  }
}

void append_string(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const Character character = first_character(text);
    append_escaped(json, character);
    text.remove_prefix(character.bytes.size());
  }
  json += '"';
}

void append_value(std::string& json, std::string_view type, std::string_view text) {
  if (type == "boolean") {
    json += text == "t" ? "true" : "false";
  } else if (is_number_type(type) && text != "NaN" && text != "Infinity" && text != "-Infinity") {
    json += text;
  } else {
    append_string(json, text);
  }
}

class Objects {
 public:
  explicit Objects(const Rows& rows) : rows_(rows) {
    for (const ResultField& field : rows.fields()) {
      std::string name = names_.empty() ? "" : ",";
      append_string(name, field.name);
      names_.push_back(name + ":");
    }
  }

  const std::string& object(std::int64_t row) {
    json_ = "{";
    for (int column = 0; column < rows_.columns(); ++column) {
      json_ += names_[static_cast<std::size_t>(column)];
      if (rows_.is_null(row, column)) {
        json_ += "null";
      } else {
        append_value(json_, rows_.fields()[static_cast<std::size_t>(column)].type, rows_.text(row, column));
      }
    }
    json_ += '}';
    return json_;
  }

 private:
  const Rows& rows_;
  std::vector<std::string> names_;  // with what stands around them
  std::string json_;
};

}  // namespace

void write_json(const Rows& rows, Output& output) {
  Objects objects(rows);
  output.write("[");
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    check_cancelled();
    if (row > 0) output.write(",\n");
    output.write(objects.object(row));
  }
  output.write("]\n");
}

void write_json_lines(const Rows& rows, Output& output) {
  Objects objects(rows);
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    check_cancelled();
    output.write(objects.object(row));
    output.write("\n");
  }
}

}  // namespace saccade::shell
