#include "interfaces/shell/shell.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <sstream>

#include "interfaces/shell/completion.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/line_editor.hpp"
#include "interfaces/shell/progress_bar.hpp"
#include "interfaces/shell/result_writer.hpp"

namespace saccade::shell {
namespace {

constexpr const char* kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string home_file(const char* name) {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : std::string(home) + "/" + name;
}

std::string prompt_of(const StatementScanner& scanner) {
  switch (scanner.open()) {
    case StatementScanner::Open::kString:
      return "saccade'> ";
    case StatementScanner::Open::kName:
      return "saccade\"> ";
    case StatementScanner::Open::kDollarQuote:
      return "saccade$> ";
    case StatementScanner::Open::kComment:
      return "saccade*> ";
    case StatementScanner::Open::kNothing:
      break;
  }
  return scanner.has_statement() ? "saccade-> " : "saccade=> ";
}

}  // namespace

Shell::Shell(Session& session, const Options& options, Output& output, std::FILE* errors)
    : session_(session), options_(options), console_(output, errors) {
  console_.print = options.print;
  console_.timing = options.timing;
  console_.echo_errors = options.echo_errors;
}

int Shell::run(std::istream& input, bool interactive) {
  if (!options_.output.empty() && !guarded("", 0, [&] { console_.redirect(options_.output); })) return 1;
  const int code = run_all(input, interactive);
  return guarded("", 0, [&] { console_.end_redirection(); }) ? code : 1;
}

int Shell::run_all(std::istream& input, bool interactive) {
  if (options_.sources.empty()) {
    if (!interactive) return run_script(input, "", OnError::kGoOn) ? 0 : 1;
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
    return run_script(script, "", OnError::kStop);
  }
  if (source.text == "-") return run_script(input, "", OnError::kStop);
  return run_file(source.text, OnError::kStop);
}

bool Shell::run_file(const std::string& path, OnError on_error) {
  errno = 0;
  std::ifstream script(path);
  // A folder opens, but cannot be read.
  if (!script || (script.peek() == std::ifstream::traits_type::eof() && script.bad())) {
    const std::string reason = std::strerror(errno);
    return guarded("", 0, [&] { throw QueryError("58P01", "could not read \"" + path + "\": " + reason, 0, ""); });
  }
  return run_script(script, path, on_error);
}

// Statements run as their lines arrive. What is left at the end is a statement too.
bool Shell::run_script(std::istream& script, const std::string& file, OnError on_error) {
  StatementScanner scanner;
  StatementScanner* const outer = std::exchange(scanner_, &scanner);
  files_.push_back(file);
  bool succeeded = true, first = true;
  std::string line;
  const auto goes_on = [&] { return !quit_ && (succeeded || (on_error == OnError::kGoOn && !cancelled_)); };
  while (goes_on() && std::getline(script, line)) {
    if (std::exchange(first, false) && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    scanner.add(line + '\n');
    succeeded &= run_complete(scanner, on_error);
  }
  if (goes_on() && script.bad()) {
    succeeded = guarded("", 0, [] { throw QueryError("58030", "could not read the statements", 0, ""); });
  } else if (goes_on() && scanner.has_statement()) {
    const int at = scanner.line();
    std::string rest = scanner.take_statement();
    rest.resize(rest.find_last_not_of(kSpace) + 1);
    succeeded &= run_statement(rest, at);
  }
  files_.pop_back();
  scanner_ = outer;
  return succeeded;
}

void Shell::run_startup_file() {
  const std::string path = home_file(".saccaderc");
  if (!options_.startup_file || path.empty() || !std::ifstream(path)) return;
  run_file(path, OnError::kGoOn);
  quit_ = false;
}

void Shell::run_interactive() {
  StatementScanner scanner;
  scanner_ = &scanner;
  files_.emplace_back();
  LineEditor editor(home_file(".saccade_history"), [&](const std::string& before, const std::string& after) {
    const CancelOnInterrupt guard(session_);
    return complete(session_, before.starts_with('\\') ? before : std::string(scanner.statement()) + before, after);
  });
  console_.say("Saccade " SACCADE_VERSION ". Type \\? for help.\n");
  run_startup_file();
  read_statements(editor);
}

void Shell::read_statements(LineEditor& editor) {
  std::string typed, line;  // typed: the lines that history keeps together
  while (!quit_) {
    const LineEditor::Outcome outcome = editor.read(prompt_of(*scanner_), line);
    if (outcome == LineEditor::Outcome::kEnd) break;
    if (outcome == LineEditor::Outcome::kInterrupted) {
      scanner_->clear();
      typed.clear();
      continue;
    }
    typed += (typed.empty() ? "" : "\n") + line;
    scanner_->add(line + '\n');
    run_complete(*scanner_, OnError::kGoOn);
    if (scanner_->has_statement()) continue;
    if (typed.find_first_not_of(kSpace) != std::string::npos) editor.remember(typed);
    typed.clear();
  }
}

bool Shell::run_complete(StatementScanner& scanner, OnError on_error) {
  bool succeeded = true;
  while (!quit_ && (succeeded || (on_error == OnError::kGoOn && !cancelled_))) {
    const StatementScanner::Found found = scanner.next();
    if (found == StatementScanner::Found::kMore) return succeeded;
    if (found == StatementScanner::Found::kCommand) {
      succeeded &= run_command(scanner);
    } else {
      const int line = scanner.line();
      succeeded &= run_statement(scanner.take_statement(), line);
    }
  }
  scanner.clear();
  return succeeded;
}

bool Shell::run_statement(const std::string& statement, int line) {
  return guarded(statement, line, [&] { execute(statement); });
}

std::unique_ptr<QueryResult> Shell::result_of(const std::string& statement) {
  std::optional<ProgressBar> bar;
  if (console_.is_terminal()) bar.emplace(session_, console_.error_descriptor());
  return session_.execute(statement);
}

void Shell::execute(const std::string& statement) {
  if (statement.find('\0') != std::string::npos) {
    throw QueryError("22021", "invalid byte sequence for encoding \"UTF8\": 0x00", 0,
                     "Remove the zero bytes from the statement.");
  }
  const auto start = std::chrono::steady_clock::now();
  const CancelOnInterrupt guard(session_);
  const std::unique_ptr<QueryResult> result = result_of(statement);
  const auto time = std::chrono::steady_clock::now() - start;
  for (const std::string& notice : result->notices()) console_.warn("NOTICE:  " + notice);
  if (result->fields().empty()) {
    console_.show_tag(result->command());
  } else {
    console_.show(ResultRows(*result));
  }
  if (console_.timing) console_.show_time(time);
}

bool Shell::guarded(const std::string& statement, int line, const std::function<void()>& action) {
  const Place place{files_.empty() ? "" : files_.back(), line};
  cancelled_ = false;
  try {
    action();
    return true;
  } catch (const QueryError& error) {
    cancelled_ = error.sqlstate == "57014" && is_cancelled();
    console_.report(error, statement, place);
  } catch (const std::bad_alloc&) {
    console_.report(QueryError("53200", "out of memory", 0, "Lower memory_limit below the machine's free memory."), statement,
                    place);
  } catch (const OutputError&) {
    throw;
  } catch (const std::exception& error) {
    console_.report(QueryError("XX000", error.what(), 0, ""), statement, place);
  }
  return false;
}

}  // namespace saccade::shell
