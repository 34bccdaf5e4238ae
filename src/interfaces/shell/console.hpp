// Where a shell's results, messages and errors go, and in which form: standard output, the file of \o, standard error. One
// thread.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "interfaces/shell/output.hpp"
#include "interfaces/shell/print_options.hpp"
#include "interfaces/shell/rows.hpp"

namespace saccade::shell {

// Of a statement in a script.
struct Place {
  std::string file;  // empty: errors do not tell it
  int line = 0;
};

class Console {
 public:
  // Both outlive the console.
  Console(Output& standard, std::FILE* errors) : standard_(standard), errors_(errors) {}

  PrintOptions print;
  bool timing = false;
  bool echo_errors = false;  // the text of a failed statement, too

  // Where results go. Errors of writing: of a file QueryError, of standard output OutputError.
  void redirect(const std::string& path);
  void end_redirection();
  bool is_redirected() const { return file_.has_value(); }
  void show(const Rows& rows) { show(rows, print, ""); }
  void show(const Rows& rows, PrintOptions options, std::string_view title);
  void show_tag(const std::string& tag);  // of a statement without rows, in a table

  // To standard output, at once.
  void say(std::string_view text);

  // To standard error, after all results.
  void report(const QueryError& error, std::string_view statement, const Place& place);
  void warn(std::string_view text);
  void show_time(std::chrono::steady_clock::duration time);

  // Whether somebody sees both standard output and errors.
  bool is_terminal() const;
  int error_descriptor() const { return ::fileno(errors_); }

 private:
  Output& results() { return file_ ? *file_ : standard_; }
  template <class Write>
  void write(const Write& write);
  void flush_before_error();

  Output& standard_;
  std::FILE* errors_;
  std::optional<Output> file_;
};

}  // namespace saccade::shell
