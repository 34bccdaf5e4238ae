// The backslash commands of Shell.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>

#include "interfaces/shell/commands.hpp"
#include "interfaces/shell/describe.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/shell.hpp"

namespace saccade::shell {
namespace {

constexpr std::size_t kDeepestFile = 50;  // of files that run each other

std::optional<std::string> value_of(const CommandLine& command, std::size_t index = 0) {
  if (index >= command.arguments.size()) return std::nullopt;
  const CommandArgument& argument = command.arguments[index];
  return argument.quoted ? argument.text : without_double_quotes(argument.text);
}

std::string file_of(const CommandLine& command) {
  const std::optional<std::string> path = value_of(command);
  if (!path) throw QueryError("42601", fmt::format("\\{}: missing required argument", command.name), 0, "");
  const bool at_home = path->starts_with("~/") && std::getenv("HOME") != nullptr && !command.arguments[0].quoted;
  return at_home ? std::getenv("HOME") + path->substr(1) : *path;
}

// Of \d and its like: a semicolon at its end is no part of it.
std::string pattern_of(const CommandLine& command) {
  if (command.arguments.empty()) return "";
  std::string pattern = command.arguments[0].text;
  while (pattern.ends_with(';')) pattern.pop_back();
  return pattern;
}

std::string joined(const CommandLine& command) {
  std::string text;
  for (const CommandArgument& argument : command.arguments) text += (text.empty() ? "" : " ") + argument.text;
  return text + "\n";
}

std::size_t most_arguments(const CommandInfo& info) {
  if (info.takes == Takes::kNothing) return 0;
  if (info.takes == Takes::kPrintOption) return 2;
  return info.takes == Takes::kText ? std::string::npos : 1;
}

}  // namespace

bool Shell::run_command(StatementScanner& scanner) {
  const int line = scanner.current_line();
  const std::string text(scanner.command_line());
  CommandLine command;
  if (!guarded("", line, [&] { command = parse_command_line(text); })) {
    scanner.drop_command(text.size());
    return false;
  }
  scanner.drop_command(command.length);
  bool succeeded = true;
  return guarded("", line, [&] { succeeded = dispatch(command); }) && succeeded;
}

// False where a file that it ran has failed.
bool Shell::dispatch(const CommandLine& command) {
  if (command.name == "\\") return true;
  const CommandInfo* info = find_command(command.name);
  if (info == nullptr) {
    throw QueryError("42601", fmt::format("invalid command \\{}", command.name), 0, "Try \\? for help.");
  }
  for (std::size_t i = most_arguments(*info); i < command.arguments.size(); ++i) {
    console_.warn(fmt::format("\\{}: extra argument \"{}\" ignored", command.name, command.arguments[i].text));
  }
  if (command.name == "g" || command.name == "gx") return run_buffer(command);
  if (command.name == "i" || command.name == "ir") return include(command);
  if (info->takes == Takes::kRelation) {
    describe(command);
  } else if (!set_display(command)) {
    run_simple(command);
  }
  return true;
}

void Shell::run_simple(const CommandLine& command) {
  if (command.name == "q") {
    quit_ = true;
  } else if (command.name == "?") {
    console_.say(command_help());
  } else if (command.name == "p") {
    const std::string_view statement = scanner_->statement();
    console_.say(statement.empty() ? "There is no statement.\n" : std::string(statement) + "\n");
  } else if (command.name == "r") {
    scanner_->clear();
  } else if (command.name == "echo") {
    console_.say(joined(command));
  } else if (command.name == "o") {
    if (command.arguments.empty()) {
      console_.end_redirection();
    } else {
      console_.redirect(file_of(command));
    }
  }
}

// The commands that change how results look. False for all others.
bool Shell::set_display(const CommandLine& command) {
  const std::string& name = command.name;
  const std::optional<std::string> value = value_of(command);
  const auto set = [&](std::string_view option, const std::optional<std::string>& to) {
    console_.say(set_print_option(console_.print, option, to) + "\n");
  };
  if (name == "x") {
    set("expanded", value);
  } else if (name == "t") {
    set("tuples_only", value);
  } else if (name == "format") {
    set("format", value);
  } else if (name == "timing") {
    console_.timing = switched(console_.timing, value, "\\timing");
    console_.say(console_.timing ? "Timing is on.\n" : "Timing is off.\n");
  } else if (name == "pset" && !value) {
    console_.say(list_print_options(console_.print));
  } else if (name == "pset") {
    set(*value, value_of(command, 1));
  } else {
    return false;
  }
  return true;
}

void Shell::describe(const CommandLine& command) {
  const CancelOnInterrupt guard(session_);
  const std::string pattern = pattern_of(command);
  if (command.name == "d" && !pattern.empty()) {
    describe_relations(session_, console_, {pattern, command.arguments[0].quoted});
  } else {
    const RelationKind kind = command.name == "dt"   ? RelationKind::kTables
                              : command.name == "dv" ? RelationKind::kViews
                                                     : RelationKind::kAll;
    list_relations(session_, console_, kind, pattern);
  }
}

bool Shell::include(const CommandLine& command) {
  std::filesystem::path path = file_of(command);
  if (command.name == "ir" && path.is_relative()) path = std::filesystem::path(files_.back()).parent_path() / path;
  if (files_.size() > kDeepestFile) {
    throw QueryError("54001", fmt::format("files run each other more than {} deep", kDeepestFile), 0,
                     "Does a file run itself by \\i?");
  }
  return run_file(path.string(), OnError::kStop);
}

bool Shell::run_buffer(const CommandLine& command) {
  const int line = scanner_->line();
  const bool is_empty = !scanner_->has_statement();
  const std::string statement = scanner_->take_statement();
  if (is_empty) throw QueryError("42601", fmt::format("there is no statement for \\{} to run", command.name), 0, "");
  const Expanded expanded =
      std::exchange(console_.print.expanded, command.name == "gx" ? Expanded::kOn : console_.print.expanded);
  bool succeeded = false;
  if (command.arguments.empty()) {
    succeeded = run_statement(statement, line);
  } else if (guarded("", line, [&] { console_.redirect(file_of(command)); })) {
    succeeded = run_statement(statement, line);
    succeeded &= guarded("", line, [&] { console_.end_redirection(); });
  }
  console_.print.expanded = expanded;
  return succeeded;
}

}  // namespace saccade::shell
