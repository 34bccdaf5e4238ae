#include "interfaces/shell/options.hpp"

#include <CLI/CLI.hpp>
#include <map>

namespace saccade::shell {
namespace {

constexpr const char* kDescription =
    "Saccade: SQL for analytics on CPU cores, GPUs and ranks.\n"
    "Runs the statements of -c and -f in their order, or those of standard input; without either on a terminal it is "
    "interactive.\n"
    "saccade tpch --help tells of TPC-H's data.\n";

constexpr const char* kFooter =
    "\nExit codes: 0 all statements succeeded; 1 a statement failed (-c and -f end there, standard input goes on);\n"
    "2 the command line was wrong or the database could not be opened.";

// Values of the options that are settings by another name.
struct SettingOption {
  const char* flag;
  const char* setting;
  const char* help;
};

constexpr SettingOption kSettingOptions[] = {
    {"--threads", "threads", "Workers per rank (default: one per core)"},
    {"--ranks", "ranks", "Ranks inside this process (default: 1); under mpirun the job's size counts"},
    {"--device", "device", "Where queries run: cpu, gpu or gpu-shim (default: cpu)"},
    {"--gpu-fallback", "gpu_fallback", "Whether what a GPU can't run runs on the CPU: on or off (default: off, an error)"},
    {"--memory-limit", "memory_limit", "Memory for queries and tables, such as 8GB (default: 80 % of the machine's)"},
};

std::vector<Source> sources_in_order(const CLI::App& app, const CLI::Option* command, const CLI::Option* file) {
  std::vector<Source> sources;
  std::map<const CLI::Option*, std::size_t> used;
  for (const CLI::Option* option : app.parse_order()) {
    if (option == command || option == file) sources.push_back({option == file, option->results()[used[option]++]});
  }
  return sources;
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
  CLI::App app(kDescription, "saccade");
  app.footer(kFooter);
  app.set_version_flag("--version", "saccade " SACCADE_VERSION);
  Options options;
  std::vector<std::string> commands, files;
  CLI::Option* command = app.add_option("-c,--command", commands, "Run these statements (may be repeated)");
  CLI::Option* file =
      app.add_option("-f,--file", files, "Run the statements of a file, - for standard input (may be repeated)");
  for (CLI::Option* option : {command, file})
    option->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  std::string format = "table";
  app.add_option("--format", format, "How results are shown (default: table)")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->type_name("");
  std::map<std::string, std::string> values;
  for (const SettingOption& option : kSettingOptions) app.add_option(option.flag, values[option.setting], option.help);
  app.add_flag("--timing", options.timing, "Show the time of each statement on standard error");
  app.add_flag("-b,--echo-errors", options.echo_errors, "Show the text of each failed statement on standard error");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, app.exit(error) == 0 ? 0 : 2};
  }
  options.format = format == "csv" ? Format::kCsv : format == "json" ? Format::kJson : Format::kTable;
  options.sources = sources_in_order(app, command, file);
  for (const SettingOption& option : kSettingOptions) {
    if (app.get_option(option.flag)->count() > 0) options.settings.emplace_back(option.setting, values[option.setting]);
  }
  return {std::move(options), 0};
}

}  // namespace saccade::shell
