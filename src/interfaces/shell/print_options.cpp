#include "interfaces/shell/print_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saccade/saccade.hpp"

namespace saccade::shell {
namespace {

[[noreturn]] void unknown(std::string_view name) {
  throw QueryError("42704", fmt::format("unknown print option \"{}\"", name), 0,
                   fmt::format("There are {}.", fmt::join(kPrintOptionNames, ", ")));
}

[[noreturn]] void invalid(std::string_view name, const std::string& value, const std::string& hint) {
  throw QueryError("22023", fmt::format("unrecognized value \"{}\" for \"{}\"", value, name), 0, hint);
}

std::string_view expanded_text(Expanded expanded) {
  return expanded == Expanded::kAuto ? "auto" : expanded == Expanded::kOn ? "on" : "off";
}

Expanded expanded_of(Expanded now, const std::optional<std::string>& value) {
  if (value == "auto") return Expanded::kAuto;
  try {
    return switched(now != Expanded::kOff, value, "expanded") ? Expanded::kOn : Expanded::kOff;
  } catch (const QueryError&) {
    invalid("expanded", *value, "Available values are: on, off, auto.");
  }
}

std::string value_text(const PrintOptions& options, std::string_view name) {
  if (name == "expanded") return std::string(expanded_text(options.expanded));
  if (name == "footer") return options.footer ? "on" : "off";
  if (name == "format") return std::string(name_of(options.format));
  if (name == "null") return "'" + options.null_text + "'";
  if (name == "tuples_only") return options.tuples_only ? "on" : "off";
  unknown(name);
}

}  // namespace

std::optional<Format> format_of(std::string_view name) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatName& each) { return each.name == name; });
  return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

std::string_view name_of(Format format) {
  const auto is_it = [&](const FormatName& each) { return each.format == format; };
  return std::find_if(kFormats.begin(), kFormats.end(), is_it)->name;
}

std::string format_names() {
  std::string names;
  for (const FormatName& each : kFormats) {
    if (!names.empty()) names += ", ";
    names += each.name;
  }
  return names;
}

bool switched(bool now, const std::optional<std::string>& value, std::string_view name) {
  if (!value) return !now;
  if (value == "on" || value == "true" || value == "yes" || value == "1") return true;
  if (value == "off" || value == "false" || value == "no" || value == "0") return false;
  invalid(name, *value, "Available values are: on, off.");
}

std::string set_print_option(PrintOptions& options, std::string_view name, const std::optional<std::string>& value) {
  if (name == "expanded") {
    options.expanded = expanded_of(options.expanded, value);
  } else if (name == "footer") {
    options.footer = switched(options.footer, value, name);
  } else if (name == "format") {
    if (value && !format_of(*value)) invalid(name, *value, "Available values are: " + format_names() + ".");
    if (value) options.format = *format_of(*value);
  } else if (name == "null") {
    options.null_text = value.value_or("");
  } else if (name == "tuples_only") {
    options.tuples_only = switched(options.tuples_only, value, name);
  }
  return describe_print_option(options, name);
}

std::string describe_print_option(const PrintOptions& options, std::string_view name) {
  if (name == "expanded") {
    if (options.expanded == Expanded::kAuto) return "Expanded display is used automatically.";
    return fmt::format("Expanded display is {}.", expanded_text(options.expanded));
  }
  if (name == "footer") return fmt::format("Default footer is {}.", options.footer ? "on" : "off");
  if (name == "format") return fmt::format("Output format is {}.", name_of(options.format));
  if (name == "null") return fmt::format("Null display is \"{}\".", options.null_text);
  if (name == "tuples_only") return fmt::format("Tuples only is {}.", options.tuples_only ? "on" : "off");
  unknown(name);
}

std::string list_print_options(const PrintOptions& options) {
  std::string text;
  for (const std::string_view name : kPrintOptionNames) text += fmt::format("{:<12} {}\n", name, value_text(options, name));
  return text;
}

}  // namespace saccade::shell
