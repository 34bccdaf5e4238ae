#include "interfaces/shell/options.hpp"

#include <CLI/CLI.hpp>
#include <map>

#include "saccade/saccade.hpp"

namespace saccade::shell {
namespace {

constexpr const char* kDescription =
    "Saccade: SQL for analytics on CPU cores, GPUs and ranks.\n"
    "Runs the statements of -c and -f in their order, or those of standard input; without either on a terminal it is "
    "interactive; \\? tells of its commands there.\n"
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

// One value each time it is given.
CLI::Option* add_repeated(CLI::App& app, const char* flags, std::vector<std::string>& values, const char* help) {
  CLI::Option* option = app.add_option(flags, values, help);
  return option->type_name("TEXT")->type_size(1)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::pair<std::string, std::string> name_and_value(const std::string& text, const char* option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw CLI::ValidationError(option, "needs NAME=VALUE, not " + text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void set_print_option(PrintOptions& print, const std::string& text) {
  const auto [name, value] = name_and_value(text, "--pset");
  try {
    shell::set_print_option(print, name, value);
  } catch (const QueryError& error) {
    throw CLI::ValidationError("--pset", std::string(error.what()) + ". " + error.hint);
  }
}

void add_display_options(CLI::App& app, Options& options, std::vector<std::string>& print_options) {
  app.add_option_function<std::string>(
         "--format", [&](const std::string& name) { options.print.format = *format_of(name); },
         "How results are shown: " + format_names() + " (default: table)")
      ->check(
          [](const std::string& name) { return format_of(name) ? "" : "must be one of " + format_names() + ", not " + name; })
      ->type_name("FORMAT");
  app.add_flag("-t,--tuples-only", options.print.tuples_only, "Rows only, without header and count");
  app.add_flag_callback(
      "-x,--expanded", [&] { options.print.expanded = Expanded::kOn; }, "Tables with one row below the other");
  add_repeated(app, "-P,--pset", print_options, "NAME=VALUE, as \\pset sets it, such as null=NULL (may be repeated)");
  app.add_option("-o,--output", options.output, "Send results to a file")->type_name("FILE");
  app.add_flag("--timing", options.timing, "Show the time of each statement on standard error");
  app.add_flag("-b,--echo-errors", options.echo_errors, "Show the text of each failed statement on standard error");
  app.add_flag_callback(
      "-X,--no-startup-file", [&] { options.startup_file = false; }, "Do not run ~/.saccaderc first");
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
  CLI::App app(kDescription, "saccade");
  app.footer(kFooter);
  app.set_version_flag("--version", "saccade " SACCADE_VERSION);
  Options options;
  std::vector<std::string> commands, files;
  CLI::Option* command = add_repeated(app, "-c,--command", commands, "Run these statements (may be repeated)");
  CLI::Option* file =
      add_repeated(app, "-f,--file", files, "Run the statements of a file, - for standard input (may be repeated)");
  std::vector<std::string> print_options, other_settings;
  add_display_options(app, options, print_options);
  std::map<std::string, std::string> values;
  for (const SettingOption& option : kSettingOptions) app.add_option(option.flag, values[option.setting], option.help);
  add_repeated(app, "--set", other_settings, "NAME=VALUE of any setting, as SET takes it (may be repeated)");
  try {
    app.parse(argc, argv);
    for (const std::string& text : print_options) set_print_option(options.print, text);
    for (const SettingOption& option : kSettingOptions) {
      if (app.get_option(option.flag)->count() > 0) options.settings.emplace_back(option.setting, values[option.setting]);
    }
    for (const std::string& text : other_settings) options.settings.push_back(name_and_value(text, "--set"));
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, app.exit(error) == 0 ? 0 : 2};
  }
  options.sources = sources_in_order(app, command, file);
  return {std::move(options), 0};
}

}  // namespace saccade::shell
