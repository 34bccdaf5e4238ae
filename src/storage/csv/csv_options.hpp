// How a CSV file is to be read: what read_csv's options say, and what is left to be found out from the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/file_call.hpp"
#include "data/data_type.hpp"

namespace saccade {

// The characters that give a file its structure.
struct CsvDialect {
  char delimiter = ',';
  char quote = '"';   // '\0': none, quotes are characters as others
  char escape = '"';  // before a quote, or itself, within quotes; only with a quote
};

struct CsvOptions {
  std::optional<char> delimiter, quote, escape;  // not given: found out
  std::optional<bool> header;
  bool header_of_names = false;                // a header is a first row that holds the names of `columns`
  std::vector<std::string> null_texts = {""};  // what stands for NULL where it is not quoted
  std::int64_t skip = 0;                       // lines before the first row
  bool all_varchar = false;                    // every column is text
  bool normalize_names = false;
  std::int64_t sample_rows = 20480;                           // by which types are found out; -1: all
  std::vector<std::pair<std::string, DataType>> columns;      // all columns, in place of the header's names
  std::vector<std::string> names;                             // of the first columns
  std::vector<DataType> types;                                // of the first columns
  std::vector<std::pair<std::string, DataType>> named_types;  // of these columns
};

// Errors: 42883 an unknown option, 22023 a value, 42704 and those of parse_type_name().
CsvOptions parse_csv_options(const FileCall& call);

}  // namespace saccade
