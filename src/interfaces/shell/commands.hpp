// The backslash commands by name: what \? says of them, and what completion offers after them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace saccade::shell {

enum class Takes : std::uint8_t { kNothing, kText, kFile, kRelation, kFormat, kSwitch, kExpanded, kPrintOption };

struct CommandInfo {
  std::string_view name;
  std::string_view usage;  // of the arguments
  std::string_view help;
  Takes takes;
};

std::span<const CommandInfo> commands();
const CommandInfo* find_command(std::string_view name);

// The text of \?.
std::string command_help();

}  // namespace saccade::shell
