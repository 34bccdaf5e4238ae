#include "storage/csv/csv_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/error.hpp"
#include "data/type_name.hpp"

namespace saccade {
namespace {

[[noreturn]] void raise_value(const FileOption& option, const std::string& hint) {
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid value for option \"{}\" of read_csv", option.name),
              option.position, hint);
}

const std::string& one_value(const FileOption& option) {
  if (option.values.size() != 1) raise_value(option, "Give one value.");
  return option.values.front();
}

bool switch_value(const FileOption& option) {
  const std::string& value = one_value(option);
  if (value == "true" || value == "on" || value == "1") return true;
  if (value == "false" || value == "off" || value == "0") return false;
  raise_value(option, "Give true or false.");
}

std::int64_t number_value(const FileOption& option, std::int64_t least) {
  const std::string& value = one_value(option);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < least) {
    raise_value(option, fmt::format("Give a whole number from {}.", least));
  }
  return number;
}

// One character; none is '\0' where `may_be_empty`.
char character_value(const FileOption& option, bool may_be_empty) {
  const std::string& value = one_value(option);
  if (value.empty() && may_be_empty) return '\0';
  if (value == "\\t") return '\t';
  const bool usable = value.size() == 1 && static_cast<unsigned char>(value[0]) < 0x80 && value[0] != '\n' &&
                      value[0] != '\r' && value[0] != '\0';
  if (!usable) raise_value(option, "Give one character of one byte that is no line break ('\\t' is a tab).");
  return value[0];
}

// "a integer" as a name and a type; the name may stand in double quotes.
std::pair<std::string, DataType> named_type(const FileOption& option, std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::string name;
  std::size_t end = 0;
  if (text.starts_with('"')) {
    end = text.find('"', 1);
    if (end == std::string_view::npos) raise_value(option, "A name's double quote is not closed.");
    name = text.substr(1, end - 1);
    ++end;
  } else {
    end = std::min(text.find(' '), text.size());
    name = text.substr(0, end);
  }
  const std::string_view type = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
  if (name.empty() || type.empty()) {
    raise_value(option, "Give names with their types, as in 'id bigint, \"Unit price\" numeric(10, 2)'.");
  }
  return {name, parse_type_name(type)};
}

// Names and types from elements, each of which may hold several between commas (but not within parentheses or quotes).
std::vector<std::pair<std::string, DataType>> named_types(const FileOption& option) {
  std::vector<std::pair<std::string, DataType>> result;
  for (const std::string& value : option.values) {
    int depth = 0;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= value.size(); ++i) {
      const char c = i < value.size() ? value[i] : ',';
      if (c == '"') quoted = !quoted;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (i < value.size() && (c != ',' || depth > 0 || quoted)) continue;
      result.push_back(named_type(option, std::string_view(value).substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return result;
}

std::vector<DataType> types_of(const FileOption& option) {
  std::vector<DataType> types;
  for (const std::string& value : option.values) types.push_back(parse_type_name(value));
  return types;
}

void set_option(CsvOptions& options, const FileOption& option) {
  const std::string& name = option.name;
  if (name == "delim" || name == "delimiter" || name == "sep") {
    options.delimiter = character_value(option, false);
  } else if (name == "quote") {
    options.quote = character_value(option, true);
  } else if (name == "escape") {
    options.escape = character_value(option, false);
  } else if (name == "header") {
    options.header_of_names = option.values == std::vector<std::string>{"names"};
    if (!options.header_of_names) options.header = switch_value(option);
  } else if (name == "null" || name == "nullstr") {
    options.null_texts = option.values;
  } else if (name == "skip") {
    options.skip = number_value(option, 0);
  } else if (name == "all_varchar") {
    options.all_varchar = switch_value(option);
  } else if (name == "normalize_names") {
    options.normalize_names = switch_value(option);
  } else if (name == "sample_size") {
    options.sample_rows = number_value(option, -1);
  } else if (name == "columns") {
    options.columns = named_types(option);
  } else if (name == "names") {
    options.names = option.values;
  } else if (name == "types") {
    options.types = types_of(option);
  } else if (name == "column_types") {
    options.named_types = named_types(option);
  } else if (name == "encoding") {
    std::string value = one_value(option);
    std::transform(value.begin(), value.end(), value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    if (value != "utf8" && value != "utf-8") raise_value(option, "Files are read in UTF8; convert others first, as by iconv.");
  } else {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("read_csv has no option \"{}\"", name), option.position,
                "Options are delim, quote, escape, header, nullstr, skip, columns, names, types, column_types, all_varchar, "
                "normalize_names, sample_size, encoding.");
  }
}

}  // namespace

CsvOptions parse_csv_options(const FileCall& call) {
  CsvOptions options;
  for (const FileOption& option : call.options) set_option(options, option);
  if (options.delimiter && options.quote && *options.delimiter == *options.quote) {
    throw Error(sqlstate::kInvalidParameterValue, "read_csv's delimiter and quote must be different");
  }
  if (options.header_of_names && options.columns.empty()) {
    throw Error(sqlstate::kInvalidParameterValue, "read_csv's header => 'names' needs the names in columns");
  }
  if (options.sample_rows == 0) options.all_varchar = true;
  return options;
}

}  // namespace saccade
