#include "interfaces/shell/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "interfaces/shell/error_text.hpp"
#include "interfaces/shell/result_writer.hpp"
#include "interfaces/shell/visible_text.hpp"

namespace saccade::shell {
namespace {

QueryError as_query_error(const OutputError& error) {
  return {error.sqlstate(), error.what(), 0, ""};
}

// 00:01.234, or 1:00:01.234
std::string clock_time(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  const std::string hours = whole >= 3600 ? fmt::format("{}:", whole / 3600) : "";
  return fmt::format("{}{:02}:{:06.3f}", hours, whole / 60 % 60, seconds - static_cast<double>(whole / 60 * 60));
}

}  // namespace

template <class Write>
void Console::write(const Write& write) {
  try {
    write(results());
    results().flush();
  } catch (const OutputError& error) {
    if (!file_) throw;
    throw as_query_error(error);
  }
}

void Console::redirect(const std::string& path) {
  end_redirection();
  try {
    file_.emplace(Output::to_file(path));
  } catch (const OutputError& error) {
    throw as_query_error(error);
  }
}

void Console::end_redirection() {
  if (!file_) return;
  Output file = std::move(*file_);
  file_.reset();
  try {
    file.close();
  } catch (const OutputError& error) {
    throw as_query_error(error);
  }
}

void Console::show(const Rows& rows, PrintOptions options, std::string_view title) {
  options.terminal_columns = results().terminal_columns();
  write([&](Output& output) { write_rows(rows, options, output, title); });
}

void Console::show_tag(const std::string& tag) {
  if (print.format != Format::kTable || print.tuples_only) return;
  write([&](Output& output) { output.write(tag + "\n"); });
}

void Console::say(std::string_view text) {
  standard_.write(text);
  standard_.flush();
}

void Console::report(const QueryError& error, std::string_view statement, const Place& place) {
  flush_before_error();
  std::string text = error_text(error, statement);
  if (!place.file.empty()) {
    const int line = place.line + line_of(error, statement) - 1;
    text = fmt::format("saccade:{}:{}: {}", visible_text(place.file), line, text);
  }
  if (echo_errors && !statement.empty()) text += "STATEMENT:  " + std::string(statement) + "\n";
  std::fputs(text.c_str(), errors_);
  std::fflush(errors_);
}

void Console::warn(std::string_view text) {
  flush_before_error();
  std::fputs((visible_text(text) + "\n").c_str(), errors_);
  std::fflush(errors_);
}

void Console::show_time(std::chrono::steady_clock::duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  const std::string clock = seconds >= 1 ? fmt::format(" ({})", clock_time(seconds)) : "";
  std::fputs(fmt::format("Time: {:.3f} ms{}\n", seconds * 1000, clock).c_str(), errors_);
  std::fflush(errors_);
}

bool Console::is_terminal() const {
  return standard_.is_terminal() && ::isatty(error_descriptor()) != 0;
}

// Results before the error come first where both go to one place. A file that cannot be written has told so before.
void Console::flush_before_error() {
  try {
    if (file_) file_->flush();
  } catch (const OutputError&) {
  }
  standard_.flush();
}

}  // namespace saccade::shell
