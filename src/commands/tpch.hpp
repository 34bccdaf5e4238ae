// `saccade tpch`: TPC-H's data as files, byte for byte what the standard's dbgen makes.
#pragma once

namespace saccade::commands {

// Returns the exit code: 0; 1 where writing failed; 2 after a usage error; 130 after Ctrl-C. Owns the process's signals.
int tpch(int argc, const char* const* argv);

}  // namespace saccade::commands
