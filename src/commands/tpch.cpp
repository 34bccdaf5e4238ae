#include "commands/tpch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

#include "common/error.hpp"
#include "storage/tpch/write_files.hpp"

namespace saccade::commands {
namespace {

constexpr int kInterruptedCode = 130;  // as of a program that SIGINT ends

volatile std::sig_atomic_t interrupted = 0;

struct Options {
  std::string scale, directory, format = "parquet";
  std::vector<std::string> tables;
  int threads = 0;
};

// Nothing where the command line was wrong or asked for help; `code` is the exit code then.
std::optional<Options> parse(int argc, const char* const* argv, int& code) {
  CLI::App app("Writes TPC-H's tables, byte for byte the data of the standard's dbgen: DIR/TABLE.FORMAT each.", "saccade tpch");
  Options options;
  app.add_option("--scale", options.scale, "Scale factor; fractions too (1: about 1 GB of text)")->required();
  app.add_option("--out", options.directory, "Folder for the files, made where it is missing")->required();
  app.add_option("--format", options.format, "parquet, csv or tbl (dbgen's own)")->capture_default_str();
  app.add_option("--tables", options.tables, "Only these, as in part,partsupp")->delimiter(',');
  app.add_option("--threads", options.threads, "Workers (default: one per core)")->check(CLI::Range(1, 4096));
  try {
    app.parse(argc, argv);
    return options;
  } catch (const CLI::ParseError& error) {
    code = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
}

// One line on a terminal, renewed a few times a second.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what) : what_(std::move(what)), shown_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (drawn_) std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(double share) {
    const auto now = Clock::now();
    if (!shown_ || (drawn_ && now - last_ < std::chrono::milliseconds(200))) return;
    const std::chrono::duration<double> passed = now - begin_;
    const auto left = static_cast<long long>(passed.count() * (1 - share) / share + 0.5);
    fmt::print(stderr, "\r{}: {:.0f} %, {} s left\033[K", what_, share * 100, left);
    last_ = now;
    drawn_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool shown_, drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_;
};

tpch::FileRequest request_of(const Options& options) {
  tpch::FileRequest request;
  request.scale = tpch::Scale::parse(options.scale);
  request.directory = options.directory;
  request.format = tpch::parse_format(options.format);
  request.threads = options.threads;
  for (const std::string& name : options.tables) {
    const tpch::TableId table = tpch::table_spec(name).id;
    if (std::find(request.tables.begin(), request.tables.end(), table) == request.tables.end()) request.tables.push_back(table);
  }
  if (request.tables.empty()) {
    for (const tpch::TableSpec& table : tpch::tables()) request.tables.push_back(table.id);
  }
  return request;
}

void catch_signals() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit of the process is an error of the write
}

}  // namespace

int tpch(int argc, const char* const* argv) {
  int code = 0;
  const std::optional<Options> options = parse(argc, argv, code);
  if (!options) return code;
  try {
    tpch::FileRequest request = request_of(*options);
    catch_signals();
    ProgressLine line(fmt::format("TPC-H at scale factor {}", options->scale));
    request.progress = [&](double share) {
      if (interrupted != 0) throw Error(sqlstate::kQueryCanceled, "canceled; files that were complete stay");
      line.update(share);
    };
    tpch::write_files(request);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "ERROR:  {}: {}\n", error.sqlstate(), error.what());
    if (!error.hint().empty()) fmt::print(stderr, "HINT:  {}\n", error.hint());
    return error.sqlstate() == sqlstate::kQueryCanceled ? kInterruptedCode : 1;
  }
}

}  // namespace saccade::commands
