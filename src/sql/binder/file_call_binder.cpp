#include "sql/binder/file_call_binder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace saccade {

namespace {

constexpr std::array<std::string_view, 4> kFunctions = {"read_file", "read_parquet", "read_csv", "read_arrow"};

void append_values(const BindingContext& context, const nlohmann::json& item, const std::string& what,
                   std::vector<std::string>& values) {
  const auto [kind, fields] = syntax_node(item);
  if (kind == "A_ArrayExpr" && fields.contains("elements")) {
    for (const nlohmann::json& element : fields.at("elements")) append_values(context, element, what, values);
  } else if (kind != "A_Const") {
    context.unsupported(fmt::format("{} with anything but constants", what), context.position(item));
  } else if (fields.contains("sval")) {
    values.push_back(text_field(fields.at("sval"), "sval"));
  } else if (fields.contains("boolval")) {
    values.emplace_back(flag_field(fields.at("boolval"), "boolval") ? "true" : "false");
  } else if (fields.contains("ival")) {
    values.push_back(std::to_string(fields.at("ival").value("ival", 0)));
  } else if (fields.contains("fval")) {
    values.push_back(text_field(fields.at("fval"), "fval"));
  } else {
    context.unsupported(fmt::format("{} with NULL", what), context.position(item));
  }
}

std::string join_paths(const std::vector<std::string>& paths) {
  return fmt::format("{}", fmt::join(paths, ","));
}

}  // namespace

std::vector<std::string> bind_option_values(const BindingContext& context, const nlohmann::json& item,
                                            const std::string& what) {
  std::vector<std::string> values;
  append_values(context, item, what, values);
  return values;
}

BoundFileCall bind_file_call(const BindingContext& context, const nlohmann::json& call) {
  BoundFileCall bound;
  const int position = context.position(call);
  bound.call.function = string_list(call, "funcname").back();
  const std::string& name = bound.call.function;
  if (std::find(kFunctions.begin(), kFunctions.end(), name) == kFunctions.end()) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("function {} does not exist in FROM", name), position,
                fmt::format("Functions in FROM are {}.", fmt::join(kFunctions, ", ")));
  }
  int paths = 0;
  const nlohmann::json none = nlohmann::json::array();
  for (const nlohmann::json& argument : call.contains("args") ? call.at("args") : none) {
    const auto [kind, fields] = syntax_node(argument);
    if (kind != "NamedArgExpr") {
      bound.path = join_paths(bind_option_values(context, argument, name));
      bound.position = context.position(argument);
      ++paths;
      continue;
    }
    const std::string option = text_field(fields, "name");
    if (bound.call.find(option) != nullptr) {
      throw Error(sqlstate::kSyntaxError, fmt::format("argument name \"{}\" used more than once", option),
                  context.position(argument));
    }
    std::vector<std::string> values = bind_option_values(context, fields.at("arg"), fmt::format("{} => ...", option));
    bound.call.options.push_back({option, std::move(values), context.position(argument)});
  }
  if (paths != 1) {
    throw Error(sqlstate::kUndefinedFunction, fmt::format("{} takes one file, and options by their names", name), position,
                fmt::format("Write {}('...'), or with options {}('...', name => value).", name, name));
  }
  return bound;
}

}  // namespace saccade
