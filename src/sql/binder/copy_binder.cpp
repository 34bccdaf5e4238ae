// COPY: rows of a table or query to a file, and of a file into a table.
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sql/binder/select_binder.hpp"
#include "sql/binder/statement_binders.hpp"

namespace saccade {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// The values of an option of COPY: a word, a number or a list; none where it stands alone.
void append_values(const BindingContext& context, const nlohmann::json& json, std::vector<std::string>& values) {
  const auto [kind, fields] = syntax_node(json);
  if (kind == "String") {
    values.push_back(text_field(fields, "sval"));
  } else if (kind == "Integer") {
    values.push_back(std::to_string(fields.value("ival", 0)));
  } else if (kind == "Float") {
    values.push_back(text_field(fields, "fval"));
  } else if (kind == "Boolean") {
    values.emplace_back(flag_field(fields, "boolval") ? "true" : "false");
  } else if (kind == "A_Star") {
    values.emplace_back("*");
  } else if (kind == "List") {
    for (const nlohmann::json& item : fields.at("items")) append_values(context, item, values);
  } else {
    context.unsupported("a value of this form in COPY", context.position(json));
  }
}

std::vector<FileOption> bind_options(const BindingContext& context, const nlohmann::json& fields) {
  std::vector<FileOption> options;
  if (!fields.contains("options")) return options;
  for (const nlohmann::json& item : fields.at("options")) {
    const nlohmann::json& element = syntax_node(item).fields;
    FileOption option{lower(text_field(element, "defname")), {}, context.position(element)};
    const auto same = [&](const FileOption& other) { return other.name == option.name; };
    if (std::any_of(options.begin(), options.end(), same))
      throw Error(sqlstate::kSyntaxError, "conflicting or redundant options", option.position);
    if (element.contains("arg")) append_values(context, element.at("arg"), option.values);
    options.push_back(std::move(option));
  }
  return options;
}

std::string path_of(const BindingContext& context, const nlohmann::json& fields) {
  const int position = context.tree.start();
  if (flag_field(fields, "is_program")) context.unsupported("COPY with PROGRAM", position);
  const std::string path = text_field(fields, "filename");
  if (!path.empty()) return path;
  throw Error(sqlstate::kFeatureNotSupported, "COPY without a file is not supported", position,
              "Name a file: COPY t TO 'file.csv'; the shell writes results by --format and \\o.");
}

// The function that reads a file of the format that the options name, or else of its ending.
std::string reading_function(const std::string& path, const FileOption* format) {
  const std::string name = lower(path);
  if (format != nullptr) {
    const std::string given = format->values.size() == 1 ? lower(format->values.front()) : "";
    if (given == "csv") return "read_csv";
    if (given == "parquet") return "read_parquet";
    if (given == "arrow" || given == "feather" || given == "ipc") return "read_arrow";
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("COPY format \"{}\" is not supported", given), format->position,
                "Formats are csv, parquet and arrow.");
  }
  if (name.ends_with(".parquet")) return "read_parquet";
  return name.ends_with(".arrow") || name.ends_with(".feather") || name.ends_with(".ipc") ? "read_arrow" : "read_csv";
}

// What COPY ... FROM takes besides FORMAT, by the function that reads the file. Options of PostgreSQL that we do not have are
// told apart from words that nobody knows.
void check_read_options(const std::vector<FileOption>& options, const std::string& function) {
  const auto is_one_of = [](const std::string& name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool csv = function == "read_csv";
  for (const FileOption& option : options) {
    const std::string& name = option.name;
    if (name == "format") continue;
    if (csv &&
        is_one_of(name, {"header", "delimiter", "delim", "sep", "quote", "escape", "null", "nullstr", "skip", "encoding"}))
      continue;
    const std::string hint =
        csv ? "Options of COPY ... FROM a csv file are format, header, delimiter, quote, escape, null, skip, "
              "encoding; read_csv has more: INSERT INTO t SELECT * FROM read_csv('...', ...)."
            : "COPY ... FROM a Parquet or Arrow file has no option but format.";
    if (name == "force_quote")
      throw Error(sqlstate::kFeatureNotSupported, "COPY force quote only available using COPY TO", option.position, hint);
    if (is_one_of(name, {"force_not_null", "force_null", "freeze"}))
      throw Error(sqlstate::kFeatureNotSupported, fmt::format("COPY option \"{}\" is not supported", name), option.position,
                  hint);
    throw Error(sqlstate::kSyntaxError, fmt::format("option \"{}\" not recognized", name), option.position, hint);
  }
}

nlohmann::json string_node(const std::string& text) {
  return {{"String", {{"sval", text}}}};
}

nlohmann::json constant_node(const std::string& text, int location) {
  return {{"A_Const", {{"sval", {{"sval", text}}}, {"location", location}}}};
}

nlohmann::json select_node(nlohmann::json targets, nlohmann::json from) {
  return {{"targetList", std::move(targets)},
          {"fromClause", nlohmann::json::array({std::move(from)})},
          {"limitOption", "LIMIT_OPTION_DEFAULT"},
          {"op", "SETOP_NONE"}};
}

nlohmann::json column_target(const nlohmann::json& field, int location) {
  return {{"ResTarget",
           {{"val", {{"ColumnRef", {{"fields", nlohmann::json::array({field})}, {"location", location}}}}},
            {"location", location}}}};
}

const nlohmann::json kStar = {{"A_Star", nlohmann::json::object()}};

nlohmann::json named_argument(const std::string& name, const std::vector<std::string>& values, int location) {
  nlohmann::json elements = nlohmann::json::array();
  for (const std::string& value : values) elements.push_back(constant_node(value, location));
  return {
      {"NamedArgExpr",
       {{"name", name}, {"arg", {{"A_ArrayExpr", {{"elements", elements}, {"location", location}}}}}, {"location", location}}}};
}

// '"name" type', as read_csv's option columns takes it.
std::string column_text(const BindingContext& context, const ColumnDefinition& column) {
  if (column.name.find('"') != std::string::npos) context.unsupported("COPY into a column with \" in its name", 0);
  return fmt::format("\"{}\" {}", column.name, to_string(column.type));
}

}  // namespace

nlohmann::json select_from_file(const BindingContext& context, const nlohmann::json& fields,
                                const std::vector<ColumnDefinition>& columns) {
  const std::string path = path_of(context, fields);
  const int location = fields.at("relation").value("location", 0);
  if (fields.contains("whereClause"))
    context.unsupported("COPY ... FROM with WHERE", context.position(fields.at("whereClause")));
  const std::vector<FileOption> options = bind_options(context, fields);
  const auto named = [](const char* name) { return [name](const FileOption& option) { return option.name == name; }; };
  const auto format = std::find_if(options.begin(), options.end(), named("format"));
  const std::string function = reading_function(path, format == options.end() ? nullptr : &*format);
  check_read_options(options, function);
  nlohmann::json arguments = nlohmann::json::array({constant_node(path, location)});
  for (const FileOption& option : options) {
    if (option.name == "format") continue;
    arguments.push_back(
        named_argument(option.name, option.values.empty() ? std::vector<std::string>{"true"} : option.values, location));
  }
  if (function == "read_csv") {
    std::vector<std::string> texts;
    for (const ColumnDefinition& column : columns) texts.push_back(column_text(context, column));
    arguments.push_back(named_argument("columns", texts, location));
    // A first row that merely does not fit is an error in it, as in PostgreSQL, and no header.
    if (std::none_of(options.begin(), options.end(), named("header")))
      arguments.push_back(named_argument("header", {"names"}, location));
  }
  nlohmann::json call = {
      {"FuncCall",
       {{"funcname", nlohmann::json::array({string_node(function)})}, {"args", arguments}, {"location", location}}}};
  nlohmann::json list = {{"List", {{"items", nlohmann::json::array({std::move(call), nlohmann::json::object()})}}}};
  return select_node(nlohmann::json::array({column_target(kStar, location)}),
                     {{"RangeFunction", {{"functions", nlohmann::json::array({std::move(list)})}}}});
}

void bind_copy(BindingContext& context, const nlohmann::json& fields, BoundStatement& statement) {
  if (flag_field(fields, "is_from")) {
    bind_copy_from(context, fields, statement);
    return;
  }
  statement.kind = BoundStatement::Kind::kCopyTo;
  statement.value = path_of(context, fields);
  statement.options = bind_options(context, fields);
  if (fields.contains("query")) {
    const auto [kind, query] = syntax_node(fields.at("query"));
    if (kind != "SelectStmt") context.unsupported("COPY of anything but a table or a SELECT", context.tree.start());
    bind_select(context, query);
    return;
  }
  const nlohmann::json& relation = fields.at("relation");
  const int location = relation.value("location", 0);
  nlohmann::json targets = nlohmann::json::array();
  for (const std::string& name : string_list(fields, "attlist")) targets.push_back(column_target(string_node(name), location));
  if (targets.empty()) targets.push_back(column_target(kStar, location));
  const nlohmann::json select = select_node(std::move(targets), {{"RangeVar", relation}});
  bind_select(context, select);
}

}  // namespace saccade
