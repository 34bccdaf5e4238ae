// Finds out from the first bytes of a CSV file what read_csv's options leave open: delimiter, quote, header, names and types.
//
// Types: boolean (true, false; t, f), integer, bigint, numeric(38,0) beyond it, double precision, date, timestamp, timestamptz,
// time, else text. Numbers with leading zeros are text. A header is a first row of names: values that are no numbers or dates,
// one of them above a column of another type; or, where all columns are text, distinct values that come up in their columns no
// more. A word for a boolean is a name where no booleans stand below. A name may be empty, but not all of them; an empty field
// above values that are no texts may be a NULL as well and proves nothing, except above 0, 1, 2 ... in the first column, as
// pandas writes its index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/csv/csv_options.hpp"
#include "storage/csv/csv_rows.hpp"

namespace saccade {

struct CsvFormat {
  CsvDialect dialect;
  bool header = false;
  std::vector<std::string> names;
  std::vector<DataType> types;
  std::vector<bool> detected;  // by column: the type was found out, not given
};

// What the values of a column seen so far can all be read as.
class CsvTypeGuess {
 public:
  void add(const CsvField& field, const CsvDialect& dialect, const std::vector<std::string>& null_texts);
  void merge(const CsvTypeGuess& other) { possible_ &= other.possible_, any_ = any_ || other.any_; }
  bool any() const { return any_; }
  // Text where no value was seen.
  DataType type() const;

 private:
  std::uint32_t possible_ = ~0U;
  bool any_ = false;
};

bool is_null_text(const CsvField& field, const std::vector<std::string>& null_texts);

// The first bytes of a file.
struct CsvHead {
  std::string_view bytes;  // from the first row on, followed by a '\n' that is not part of it
  std::string where;       // the file, for errors
  std::int64_t first_line = 1;
  bool cut = false;  // the file goes on
};

// Errors: 22P04, 22023 more names or types than columns; 42703 column_types of no column.
CsvFormat detect_csv(const CsvHead& head, const CsvOptions& options);

// Puts the types of a whole file's guesses in place of a sample's.
void set_detected_types(CsvFormat& format, const std::vector<CsvTypeGuess>& guesses);

}  // namespace saccade
