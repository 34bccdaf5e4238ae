// The binary's entry: `saccade [options]`, the shell, or `saccade SUBCOMMAND ...`.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/error_text.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/options.hpp"
#include "interfaces/shell/shell.hpp"
#include "interfaces/shell/subcommand.hpp"

namespace {

using namespace saccade;

constexpr int kClosedPipe = 141;  // as of a program that SIGPIPE ends

int run(const shell::Options& options) {
  const std::unique_ptr<Database> database = Database::open(options.settings);
  if (database->rank_info().rank != 0) return database->serve();
  shell::catch_signals();
  const std::unique_ptr<Session> session = database->connect();
  shell::Output output(STDOUT_FILENO);
  try {
    const bool interactive = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    return shell::Shell(*session, options, output, stderr).run(std::cin, interactive);
  } catch (const shell::OutputError& error) {
    if (error.closed()) return kClosedPipe;
    std::fprintf(stderr, "ERROR:  %s: %s\n", error.sqlstate().c_str(), error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  shell::use_utf8();
  for (const shell::Subcommand& subcommand : shell::subcommands()) {
    if (argc > 1 && argv[1] == subcommand.name) return subcommand.run(argc - 1, argv + 1);
  }
  const shell::ParsedOptions parsed = shell::parse_options(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  try {
    return run(*parsed.options);
  } catch (const QueryError& error) {
    std::fputs(shell::error_text(error, "").c_str(), stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ERROR:  XX000: %s\n", error.what());
  }
  return 2;
}
