// The command line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interfaces/shell/print_options.hpp"

namespace saccade::shell {

// What -c and -f ask for, in the order of the command line.
struct Source {
  bool is_file = false;
  std::string text;  // SQL, or the path of a file; "-" is standard input
};

struct Options {
  std::vector<Source> sources;  // none: standard input
  PrintOptions print;
  std::string output;  // a file for the results; empty: standard output
  bool timing = false;
  bool echo_errors = false;
  bool startup_file = true;                                   // ~/.saccaderc runs before an interactive shell
  std::vector<std::pair<std::string, std::string>> settings;  // for Database::open
};

// Either options, or the exit code with which the process is to end: 0 after --help and --version, 2 after a usage error
// (both have put out their text).
struct ParsedOptions {
  std::optional<Options> options;
  int exit_code = 0;
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace saccade::shell
