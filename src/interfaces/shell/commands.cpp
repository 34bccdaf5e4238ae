#include "interfaces/shell/commands.hpp"

#include <algorithm>

namespace saccade::shell {
namespace {

constexpr CommandInfo kCommands[] = {
    {"?", "", "this help", Takes::kNothing},
    {"q", "", "leave (also Ctrl-D)", Takes::kNothing},
    {"g", "[FILE]", "run the statement that was typed; its result goes to the file", Takes::kFile},
    {"gx", "[FILE]", "the same, with one row of the result below the other", Takes::kFile},
    {"p", "", "show the statement that is being typed", Takes::kNothing},
    {"r", "", "drop it", Takes::kNothing},
    {"d", "[NAME]", "list tables and views, or describe one; \\d 'FILE' describes a file", Takes::kRelation},
    {"dt", "[PATTERN]", "list tables", Takes::kRelation},
    {"dv", "[PATTERN]", "list views", Takes::kRelation},
    {"i", "FILE", "run the statements of a file, until its first error", Takes::kFile},
    {"ir", "FILE", "the same, relative to the folder of the current file", Takes::kFile},
    {"o", "[FILE]", "send results to a file, or back to standard output", Takes::kFile},
    {"echo", "[TEXT]", "write a text to standard output", Takes::kText},
    {"format", "[FORMAT]", "show results as table, csv, json, jsonl, markdown or line", Takes::kFormat},
    {"pset", "[NAME [VALUE]]", "show or set how results are shown: expanded, footer, format, null, tuples_only",
     Takes::kPrintOption},
    {"t", "[on|off]", "rows only, without header and count", Takes::kSwitch},
    {"timing", "[on|off]", "show how long each statement takes", Takes::kSwitch},
    {"x", "[on|off|auto]", "tables with one row below the other", Takes::kExpanded},
};

constexpr std::size_t kUsageColumns = 24;

}  // namespace

std::span<const CommandInfo> commands() {
  return kCommands;
}

const CommandInfo* find_command(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kCommands), std::end(kCommands), [&](const CommandInfo& each) { return each.name == name; });
  return found == std::end(kCommands) ? nullptr : found;
}

std::string command_help() {
  std::string text = "Statements end with a semicolon and may take several lines.\n";
  for (const CommandInfo& command : kCommands) {
    std::string line = "  \\" + std::string(command.name) + " " + std::string(command.usage);
    line.resize(std::max(kUsageColumns, line.size() + 1), ' ');
    text += line + std::string(command.help) + "\n";
  }
  return text + "Ctrl-C cancels the running statement, or drops what was typed. Tab completes names, keywords and files.\n";
}

}  // namespace saccade::shell
