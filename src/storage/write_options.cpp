#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "storage/file_writer.hpp"

namespace saccade {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

[[noreturn]] void raise_value(const FileOption& option, const std::string& hint) {
  throw Error(sqlstate::kInvalidParameterValue, fmt::format("invalid value for option \"{}\"", option.name), option.position,
              hint);
}

std::string one_value(const FileOption& option) {
  if (option.values.size() != 1) raise_value(option, "Give one value.");
  return option.values.front();
}

bool switch_value(const FileOption& option) {
  if (option.values.empty()) return true;
  const std::string value = lower(one_value(option));
  if (value == "true" || value == "on" || value == "1") return true;
  if (value == "false" || value == "off" || value == "0") return false;
  raise_value(option, "Give true or false.");
}

char character_value(const FileOption& option) {
  const std::string value = one_value(option);
  const bool usable = value.size() == 1 && static_cast<unsigned char>(value[0]) < 0x80 && value[0] != '\n' &&
                      value[0] != '\r' && value[0] != '\0';
  if (!usable) raise_value(option, "Give one character of one byte that is no line break.");
  return value[0];
}

std::int64_t row_count_value(const FileOption& option) {
  const std::string value = one_value(option);
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  std::int64_t rows = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), rows);
  if (error != std::errc() || end != value.data() + value.size() || rows < 1 || rows > kMost) {
    raise_value(option, fmt::format("Give a number of rows from 1 to {}.", kMost));
  }
  return rows;
}

std::optional<FileFormat> format_of_ending(const std::string& path) {
  constexpr std::array<std::pair<std::string_view, FileFormat>, 6> kEndings = {{{".csv", FileFormat::kCsv},
                                                                                {".tsv", FileFormat::kCsv},
                                                                                {".parquet", FileFormat::kParquet},
                                                                                {".arrow", FileFormat::kArrow},
                                                                                {".feather", FileFormat::kArrow},
                                                                                {".ipc", FileFormat::kArrow}}};
  const std::string name = lower(path);
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

FileFormat format_value(const FileOption& option) {
  const std::string value = lower(one_value(option));
  if (value == "csv") return FileFormat::kCsv;
  if (value == "parquet") return FileFormat::kParquet;
  if (value == "arrow" || value == "feather" || value == "ipc") return FileFormat::kArrow;
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("COPY format \"{}\" is not supported", value), option.position,
              "Formats are csv, parquet and arrow.");
}

FileFormat choose_format(const std::string& path, const std::vector<FileOption>& options) {
  std::set<std::string> seen;
  for (const FileOption& option : options) {
    if (!seen.insert(option.name).second) {
      throw Error(sqlstate::kSyntaxError, "conflicting or redundant options", option.position);
    }
  }
  for (const FileOption& option : options) {
    if (option.name == "format") return format_value(option);
  }
  if (const std::optional<FileFormat> format = format_of_ending(path)) return *format;
  throw Error(sqlstate::kFeatureNotSupported, fmt::format("the format of file \"{}\" is not known", path), 0,
              "End its name in .csv, .parquet or .arrow, or write WITH (FORMAT csv | parquet | arrow).");
}

void set_force_quote(CsvWriteOptions& csv, const FileOption& option) {
  csv.force_quote_all = option.values == std::vector<std::string>{"*"};
  if (!csv.force_quote_all) csv.force_quote = option.values;
}

bool set_csv_option(CsvWriteOptions& csv, const FileOption& option) {
  if (option.name == "header") {
    csv.header = switch_value(option);
  } else if (option.name == "delimiter" || option.name == "delim" || option.name == "sep") {
    csv.delimiter = character_value(option);
  } else if (option.name == "quote") {
    csv.quote = character_value(option);
  } else if (option.name == "escape") {
    csv.escape = character_value(option);
  } else if (option.name == "null" || option.name == "nullstr") {
    csv.null_text = one_value(option);
    if (csv.null_text.find_first_of("\r\n") != std::string::npos) raise_value(option, "It may hold no line break.");
  } else if (option.name == "force_quote") {
    set_force_quote(csv, option);
  } else if (option.name == "encoding") {
    const std::string value = lower(one_value(option));
    if (value != "utf8" && value != "utf-8") raise_value(option, "Files are written in UTF8.");
  } else {
    return false;
  }
  return true;
}

bool set_column_option(WriteOptions& options, const FileOption& option) {
  if (option.name == "row_group_size") {
    options.row_group_rows = row_count_value(option);
    return true;
  }
  if (option.name != "compression" && option.name != "codec") return false;
  constexpr std::array<std::pair<std::string_view, FileCompression>, 6> kNames = {{{"none", FileCompression::kNone},
                                                                                   {"uncompressed", FileCompression::kNone},
                                                                                   {"snappy", FileCompression::kSnappy},
                                                                                   {"zstd", FileCompression::kZstd},
                                                                                   {"lz4", FileCompression::kLz4},
                                                                                   {"gzip", FileCompression::kGzip}}};
  const std::string value = lower(one_value(option));
  for (const auto& [name, compression] : kNames) {
    const bool ipc = compression != FileCompression::kSnappy && compression != FileCompression::kGzip;
    if (name != value || (options.format == FileFormat::kArrow && !ipc)) continue;
    options.compression = compression;
    return true;
  }
  raise_value(option, options.format == FileFormat::kArrow ? "Arrow files know none, lz4 and zstd."
                                                           : "Parquet files know none, snappy, zstd, lz4 and gzip.");
}

}  // namespace

WriteOptions parse_write_options(const std::string& path, const std::vector<FileOption>& options) {
  WriteOptions result;
  result.format = choose_format(path, options);
  const bool csv = result.format == FileFormat::kCsv;
  if (csv && lower(path).ends_with(".tsv")) result.csv.delimiter = '\t';
  bool escape_given = false;
  for (const FileOption& option : options) {
    escape_given = escape_given || option.name == "escape";
    if (option.name == "format") continue;
    if (csv ? set_csv_option(result.csv, option) : set_column_option(result, option)) continue;
    throw Error(
        sqlstate::kSyntaxError, fmt::format("option \"{}\" not recognized", option.name), option.position,
        csv ? "Options of COPY ... TO a csv file are format, header, delimiter, quote, escape, null, force_quote, encoding."
            : "Options of COPY ... TO a Parquet or Arrow file are format, compression, row_group_size.");
  }
  if (!escape_given) result.csv.escape = result.csv.quote;
  if (result.csv.delimiter == result.csv.quote) {
    throw Error(sqlstate::kInvalidParameterValue, "COPY delimiter and quote must be different");
  }
  if (result.csv.null_text.find(result.csv.delimiter) != std::string::npos) {
    throw Error(sqlstate::kInvalidParameterValue, "COPY delimiter must not appear in the NULL specification");
  }
  if (result.csv.null_text.find(result.csv.quote) != std::string::npos) {
    throw Error(sqlstate::kInvalidParameterValue, "CSV quote character must not appear in the NULL specification");
  }
  return result;
}

}  // namespace saccade
