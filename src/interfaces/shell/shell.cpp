#include "interfaces/shell/shell.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>

#include "interfaces/shell/error_text.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/line_editor.hpp"
#include "interfaces/shell/statement_scanner.hpp"

namespace saccade::shell {
namespace {

constexpr const char* kSpace = " \t\r\n";

constexpr const char* kHelp =
    "Statements end with a semicolon and may take several lines.\n"
    "  \\q       leave (also Ctrl-D)\n"
    "  \\timing  turn the display of times on or off\n"
    "  \\?       this help\n"
    "Ctrl-C cancels the running statement, or drops what was typed.\n";

std::string history_file() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.saccade_history";
}

}  // namespace

Shell::Shell(Session& session, const Options& options, Output& output, std::FILE* errors)
    : session_(session), options_(options), output_(output), errors_(errors), timing_(options.timing) {}

int Shell::run(std::istream& input, bool interactive) {
  if (options_.sources.empty()) {
    if (!interactive) return run_script(input, OnError::kGoOn) ? 0 : 1;
    run_interactive();
    return 0;
  }
  for (const Source& source : options_.sources) {
    if (!run_source(source, input)) return 1;
    if (quit_) break;
  }
  return 0;
}

bool Shell::run_source(const Source& source, std::istream& input) {
  if (!source.is_file) {
    std::istringstream script(source.text);
    return run_script(script, OnError::kStop);
  }
  if (source.text == "-") return run_script(input, OnError::kStop);
  errno = 0;
  std::ifstream script(source.text);
  // A folder opens, but cannot be read.
  if (!script || (script.peek() == std::ifstream::traits_type::eof() && script.bad())) {
    return fail(QueryError("58P01", "could not read \"" + source.text + "\": " + std::strerror(errno), 0, ""), "");
  }
  return run_script(script, OnError::kStop);
}

// Statements run as their lines arrive. What is left at the end is a statement too.
bool Shell::run_script(std::istream& script, OnError on_error) {
  bool succeeded = true;
  std::string text, line;
  while (!quit_ && std::getline(script, line)) {
    if (without_leading_space(text).empty() && line.starts_with('\\')) {
      succeeded &= run_command(line);
    } else {
      text += line + '\n';
      // Only a semicolon completes a statement: one of very many lines is not scanned again with each of them.
      if (line.find(';') != std::string::npos) succeeded &= run_complete(text, on_error);
    }
    if (!succeeded && (on_error == OnError::kStop || cancelled_)) return false;
  }
  if (script.bad()) return fail(QueryError("58030", "could not read the statements", 0, ""), "");
  const std::string rest(without_leading_space(text.substr(0, text.find_last_not_of(kSpace) + 1)));
  if (!quit_ && !rest.empty()) succeeded &= run_statement(rest);
  return succeeded;
}

void Shell::run_interactive() {
  LineEditor editor(history_file());
  output_.write("Saccade " SACCADE_VERSION ". Type \\? for help.\n");
  output_.flush();
  std::string text, line;
  while (!quit_) {
    const bool first = without_leading_space(text).empty();
    const LineEditor::Outcome outcome = editor.read(first ? "saccade=> " : "saccade-> ", line);
    if (outcome == LineEditor::Outcome::kEnd) break;
    if (outcome == LineEditor::Outcome::kInterrupted) {
      text.clear();
    } else if (first && line.starts_with('\\')) {
      editor.remember(line);
      run_command(line);
    } else {
      text += (text.empty() ? "" : "\n") + line;
      if (statement_end(text) != std::string_view::npos) editor.remember(text);
      run_complete(text, OnError::kGoOn);
    }
  }
}

bool Shell::run_complete(std::string& text, OnError on_error) {
  bool succeeded = true;
  std::string_view rest = text;
  while (succeeded || (on_error == OnError::kGoOn && !cancelled_)) {
    const std::size_t end = statement_end(rest);
    if (end == std::string_view::npos) break;
    const std::string_view statement = without_leading_space(rest.substr(0, end));
    if (statement != ";") succeeded &= run_statement(std::string(statement));
    rest.remove_prefix(end);
  }
  text = std::string(rest.find_first_not_of(kSpace) == std::string_view::npos ? "" : rest);
  return succeeded;
}

bool Shell::run_statement(const std::string& statement) {
  cancelled_ = false;
  try {
    const auto start = std::chrono::steady_clock::now();
    std::unique_ptr<QueryResult> result;
    {
      const CancelOnInterrupt guard(session_);
      result = session_.execute(statement);
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    write_result(*result, options_.format, output_);
    if (timing_) std::fprintf(errors_, "Time: %.3f ms\n", time.count());
    return true;
  } catch (const QueryError& error) {
    return fail(error, statement);
  } catch (const std::bad_alloc&) {
    return fail(QueryError("53200", "out of memory", 0, "Lower memory_limit below the machine's free memory."), statement);
  } catch (const OutputError&) {
    throw;
  } catch (const std::exception& error) {
    return fail(QueryError("XX000", error.what(), 0, ""), statement);
  }
}

bool Shell::run_command(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
  if (line == "\\q") {
    quit_ = true;
  } else if (line == "\\timing") {
    timing_ = !timing_;
    output_.write(timing_ ? "Timing is on.\n" : "Timing is off.\n");
  } else if (line == "\\?") {
    output_.write(kHelp);
  } else {
    return fail(QueryError("42601", "invalid command " + std::string(line), 0, "Try \\? for help."), "");
  }
  output_.flush();
  return true;
}

bool Shell::fail(const QueryError& error, const std::string& statement) {
  cancelled_ = error.sqlstate == "57014";
  output_.flush();  // results before the error come first where both go to one place
  std::fputs(error_text(error, statement).c_str(), errors_);
  if (options_.echo_errors && !statement.empty()) std::fprintf(errors_, "STATEMENT:  %s\n", statement.c_str());
  std::fflush(errors_);
  return false;
}

}  // namespace saccade::shell
