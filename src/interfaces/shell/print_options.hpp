// How results are shown: what --format, \pset and \x set.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace saccade::shell {

enum class Format : std::uint8_t { kTable, kCsv, kJson, kJsonLines, kMarkdown, kLine };

struct FormatName {
  std::string_view name;
  Format format;
};
inline constexpr std::array<FormatName, 6> kFormats{{{"table", Format::kTable},
                                                     {"csv", Format::kCsv},
                                                     {"json", Format::kJson},
                                                     {"jsonl", Format::kJsonLines},
                                                     {"markdown", Format::kMarkdown},
                                                     {"line", Format::kLine}}};

std::optional<Format> format_of(std::string_view name);
std::string_view name_of(Format format);
std::string format_names();  // separated by commas

// Tables with one row of the result below the other: always, never, or where the table is wider than the terminal.
enum class Expanded : std::uint8_t { kOff, kOn, kAuto };

struct PrintOptions {
  Format format = Format::kTable;
  Expanded expanded = Expanded::kOff;
  std::string null_text;     // what stands for NULL; JSON has a null of its own
  bool tuples_only = false;  // rows without header, count and title
  bool footer = true;        // "(3 rows)" below a table
  int terminal_columns = 0;  // for Expanded::kAuto; 0: no terminal
};

// Names of \pset.
inline constexpr std::array<std::string_view, 5> kPrintOptionNames{"expanded", "footer", "format", "null", "tuples_only"};

// Sets the option of that name, or switches it where there is no value, and says how it stands now. Errors: QueryError 42704
// for an unknown name, 22023 for a value that it cannot have.
std::string set_print_option(PrintOptions& options, std::string_view name, const std::optional<std::string>& value);
std::string describe_print_option(const PrintOptions& options, std::string_view name);
// A line for each.
std::string list_print_options(const PrintOptions& options);

// on, off, true, false, yes, no, 1, 0; without a value the opposite of `now`. `name` is for the error, 22023.
bool switched(bool now, const std::optional<std::string>& value, std::string_view name);

}  // namespace saccade::shell
