#include "commands/tpch.hpp"
#include "interfaces/shell/subcommand.hpp"

namespace saccade::shell {

std::span<const Subcommand> subcommands() {
  static constexpr Subcommand kSubcommands[] = {{"tpch", commands::tpch}};
  return kSubcommands;
}

}  // namespace saccade::shell
