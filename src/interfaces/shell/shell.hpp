// Runs statements of a session and shows their results and errors. One thread.
#pragma once

#include <cstdio>
#include <istream>
#include <string>

#include "interfaces/shell/options.hpp"
#include "interfaces/shell/output.hpp"
#include "saccade/saccade.hpp"

namespace saccade::shell {

class Shell {
 public:
  // Results go to `output`, errors and times to `errors`; all outlive the shell.
  Shell(Session& session, const Options& options, Output& output, std::FILE* errors);

  // What the command line asks for: -c and -f in order, else `input`, by a line editor if `interactive`. Returns the exit
  // code: 0, or 1 where a statement failed (in interactive use 0). Errors: OutputError.
  int run(std::istream& input, bool interactive);

 private:
  enum class OnError { kStop, kGoOn };

  bool run_source(const Source& source, std::istream& input);
  bool run_script(std::istream& script, OnError on_error);
  void run_interactive();
  // Runs what is complete of `text` and leaves the rest there. False where a statement failed.
  bool run_complete(std::string& text, OnError on_error);
  bool run_statement(const std::string& statement);
  bool run_command(std::string_view line);
  bool fail(const QueryError& error, const std::string& statement);

  Session& session_;
  const Options& options_;
  Output& output_;
  std::FILE* errors_;
  bool timing_;
  bool quit_ = false;       // \q
  bool cancelled_ = false;  // the last statement ended by Ctrl-C
};

}  // namespace saccade::shell
