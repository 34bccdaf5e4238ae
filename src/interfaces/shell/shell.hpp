// Runs the statements and commands of scripts, of the command line, or of somebody at a terminal, and shows their results and
// errors. One thread.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "interfaces/shell/command_line.hpp"
#include "interfaces/shell/console.hpp"
#include "interfaces/shell/options.hpp"
#include "interfaces/shell/statement_scanner.hpp"
#include "saccade/saccade.hpp"

namespace saccade::shell {

class LineEditor;

class Shell {
 public:
  // Results go to `output`, errors and times to `errors`; all outlive the shell.
  Shell(Session& session, const Options& options, Output& output, std::FILE* errors);

  // What the command line asks for: -c and -f in order, else `input`, by a line editor if `interactive`. Returns the exit
  // code: 0, or 1 where a statement failed (in interactive use 0). Errors: OutputError, of standard output.
  int run(std::istream& input, bool interactive);

 private:
  enum class OnError { kStop, kGoOn };
  int run_all(std::istream& input, bool interactive);
  bool run_source(const Source& source, std::istream& input);
  bool run_file(const std::string& path, OnError on_error);
  bool run_script(std::istream& script, const std::string& file, OnError on_error);
  void run_startup_file();
  void run_interactive();
  void read_statements(LineEditor& editor);
  // Runs what is complete and leaves the rest in the scanner. False where a statement or command failed.
  bool run_complete(StatementScanner& scanner, OnError on_error);
  bool run_statement(const std::string& statement, int line);
  bool run_command(StatementScanner& scanner);
  void execute(const std::string& statement);
  std::unique_ptr<QueryResult> result_of(const std::string& statement);
  // Runs `action`; an error is shown. False then.
  bool guarded(const std::string& statement, int line, const std::function<void()>& action);

  bool dispatch(const CommandLine& command);
  void run_simple(const CommandLine& command);
  bool set_display(const CommandLine& command);
  void describe(const CommandLine& command);
  bool include(const CommandLine& command);
  bool run_buffer(const CommandLine& command);  // what was typed before \g

  Session& session_;
  const Options& options_;
  Console console_;
  std::vector<std::string> files_;       // that are being run, the innermost last; empty names for other scripts
  StatementScanner* scanner_ = nullptr;  // of the innermost script
  bool quit_ = false;                    // \q
  bool cancelled_ = false;               // the last statement ended by Ctrl-C
};

}  // namespace saccade::shell
