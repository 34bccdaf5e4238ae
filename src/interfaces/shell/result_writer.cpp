#include "interfaces/shell/result_writer.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace saccade::shell {
namespace {

int columns_of(const QueryResult& result) {
  return static_cast<int>(result.fields().size());
}

std::string csv_field(const std::string& text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string json_string(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw QueryError("22021", "a text of the result is not UTF-8, so it cannot be written as JSON", 0, "Use --format csv.");
  }
}

std::string json_value(const std::string& type, const std::string& text) {
  if (type == "boolean") return text == "t" ? "true" : "false";
  if (is_number_type(type) && text != "NaN" && text != "Infinity" && text != "-Infinity") return text;
  return json_string(text);
}

}  // namespace

bool is_number_type(std::string_view type) {
  static constexpr std::array<std::string_view, 6> kNames{"smallint", "integer", "bigint",
                                                          "real",     "numeric", "double precision"};
  return std::find(kNames.begin(), kNames.end(), type.substr(0, type.find('('))) != kNames.end();
}

void write_csv(const QueryResult& result, Output& output) {
  std::string line;
  for (const ResultField& field : result.fields()) {
    if (!line.empty()) line += ',';
    line += csv_field(field.name);
  }
  output.write(line + "\n");
  for (std::int64_t row = 0; row < result.rows(); ++row) {
    line.clear();
    for (int column = 0; column < columns_of(result); ++column) {
      if (column > 0) line += ',';
      if (!result.is_null(row, column)) line += csv_field(result.text(row, column));
    }
    output.write(line + "\n");
  }
}

void write_json(const QueryResult& result, Output& output) {
  std::vector<std::string> names;
  for (const ResultField& field : result.fields()) names.push_back(json_string(field.name) + ":");
  output.write("[");
  for (std::int64_t row = 0; row < result.rows(); ++row) {
    std::string object = row == 0 ? "{" : ",\n{";
    for (int column = 0; column < columns_of(result); ++column) {
      const auto i = static_cast<std::size_t>(column);
      if (column > 0) object += ',';
      object += names[i];
      object += result.is_null(row, column) ? "null" : json_value(result.fields()[i].type, result.text(row, column));
    }
    output.write(object + "}");
  }
  output.write("]\n");
}

void write_result(const QueryResult& result, Format format, Output& output) {
  if (result.fields().empty()) {
    if (format == Format::kTable) output.write(result.command() + "\n");
  } else if (format == Format::kTable) {
    write_table(result, output);
  } else if (format == Format::kCsv) {
    write_csv(result, output);
  } else {
    write_json(result, output);
  }
  output.flush();
}

}  // namespace saccade::shell
