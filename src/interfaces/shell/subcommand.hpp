// Subcommands of the binary, `saccade NAME ...`: named here so that the entry knows none of them, defined in src/commands.
#pragma once

#include <span>
#include <string_view>

namespace saccade::shell {

struct Subcommand {
  std::string_view name;
  // argv[0] is the name. Returns the exit code: 1 where it failed, 2 after a usage error.
  int (*run)(int argc, const char* const* argv);
};

std::span<const Subcommand> subcommands();

}  // namespace saccade::shell
