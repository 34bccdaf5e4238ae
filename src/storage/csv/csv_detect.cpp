#include "storage/csv/csv_detect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "common/error.hpp"
#include "data/parse_value.hpp"
#include "storage/parquet/utf8.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kDialectRows = 1000;  // by which a dialect is judged

// How well a dialect fits the sample.
struct Fit {
  CsvDialect dialect;
  bool readable = false;             // no row breaks the rules of quotes
  std::size_t columns = 0;           // of the first row
  std::int64_t rows = 0, alike = 0;  // rows, and those with as many fields as the first
  std::int64_t quoted = 0;           // fields

  // Better fits are greater: rows that are alike and have several fields, then mostly alike, then the number of fields.
  std::array<std::int64_t, 4> rank() const {
    const bool several = columns > 1, mostly = several && alike * 2 > rows, consistent = readable && rows == alike;
    return {consistent && several ? 1 : 0, readable ? 1 : 0, mostly ? 1 : 0,
            mostly || consistent ? static_cast<std::int64_t>(columns) : 0};
  }
};

Fit fit_dialect(const CsvHead& head, const CsvDialect& dialect) {
  Fit fit{dialect};
  CsvRows rows(head.bytes, dialect, "", 1, head.cut);
  std::vector<CsvField> fields;
  std::size_t count = 0;
  try {
    while (fit.rows < kDialectRows && rows.next(fields, SIZE_MAX, count)) {
      if (fit.rows++ == 0) fit.columns = count;
      fit.alike += count == fit.columns ? 1 : 0;
      for (const CsvField& field : fields) fit.quoted += field.quoted ? 1 : 0;
    }
    fit.readable = true;
  } catch (const Error&) {
    // Told again with its line once the file is read in this dialect.
  }
  return fit;
}

Fit best_delimiter(const CsvHead& head, const CsvOptions& options, char quote, char escape) {
  std::optional<Fit> best;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const char tried = options.delimiter.value_or(delimiter);
    if (tried == quote) continue;
    const Fit fit = fit_dialect(head, {tried, quote, escape});
    if (!best || fit.rank() > best->rank()) best = fit;
  }
  SACCADE_CHECK(best.has_value());
  return *best;
}

// Double quotes, unless the file has none and single ones stand where they would; a backslash escapes quotes only where doubled
// ones can't be meant.
CsvDialect detect_dialect(const CsvHead& head, const CsvOptions& options) {
  const char quote = options.quote.value_or('"');
  const Fit best = best_delimiter(head, options, quote, options.escape.value_or(quote));
  if (!best.readable && !options.escape && quote != '\0') {
    const Fit backslash = best_delimiter(head, options, quote, '\\');
    if (backslash.readable && backslash.alike == backslash.rows) return backslash.dialect;
  }
  if (best.readable && best.quoted == 0 && !options.quote) {
    const Fit single = best_delimiter(head, options, '\'', options.escape.value_or('\''));
    if (single.readable && single.quoted > 0 && single.rank() >= best.rank()) return single.dialect;
  }
  return best.dialect;
}

std::string text_of(const CsvField& field, const CsvDialect& dialect) {
  return field.escaped ? unescape(field, dialect) : std::string(field.raw());
}

// The rows of the sample that types are found out from.
struct Sample {
  std::vector<std::string> first;       // the first row's texts
  std::vector<CsvTypeGuess> first_row;  // and what they could be
  std::vector<CsvTypeGuess> rest;       // the other rows, by column
  std::int64_t rows = 0;
  bool first_repeats = false;  // a text of the first row comes up again in its column
  bool numbered = true;        // the first column's other rows are 0, 1, 2 ...
};

Sample read_sample(const CsvHead& head, const CsvDialect& dialect, const CsvOptions& options) {
  Sample sample;
  CsvRows rows(head.bytes, dialect, head.where, head.first_line, head.cut);
  std::vector<CsvField> fields;
  std::size_t count = 0;
  const std::int64_t most = options.sample_rows < 0 ? INT64_MAX : options.sample_rows + 1;
  std::size_t columns = SIZE_MAX;
  while (sample.rows < most && rows.next(fields, columns, count)) {
    if (sample.rows++ == 0) {
      columns = count;
      sample.first_row.resize(columns);
      sample.rest.resize(columns);
      for (std::size_t i = 0; i < columns; ++i) {
        sample.first.push_back(text_of(fields[i], dialect));
        sample.first_row[i].add(fields[i], dialect, options.null_texts);
      }
      continue;
    }
    sample.numbered = sample.numbered && fields[0].raw() == std::to_string(sample.rows - 2);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      sample.rest[i].add(fields[i], dialect, options.null_texts);
      const bool repeats = !sample.first[i].empty() && fields[i].raw() == sample.first[i];
      sample.first_repeats = sample.first_repeats || repeats;
    }
  }
  return sample;
}

bool is_value_of(const std::string& text, const DataType& type) {
  try {
    parse_value(text, type);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What a field of the first row tells.
enum class HeaderSign {
  kName,     // it can't be a value of its column
  kText,     // a text above texts, or nothing above them: a name or a value
  kUnclear,  // a value, but one that may be a name as well
  kValue,
};

HeaderSign sign_above(const Sample& sample, std::size_t column) {
  const CsvTypeGuess& rest = sample.rest[column];
  const bool typed_below = rest.any() && rest.type().kind != TypeKind::kText;
  if (sample.rows == 1 && (sample.first[column].empty() || sample.first_row[column].type().kind == TypeKind::kBoolean)) {
    return HeaderSign::kUnclear;
  }
  if (sample.first[column].empty()) {
    return typed_below && !(column == 0 && sample.numbered) ? HeaderSign::kUnclear : HeaderSign::kText;
  }
  if (!sample.first_row[column].any()) return HeaderSign::kValue;
  const TypeKind first = sample.first_row[column].type().kind;
  if (first == TypeKind::kBoolean && rest.type().kind == first) return HeaderSign::kUnclear;
  if (first != TypeKind::kText && first != TypeKind::kBoolean) return HeaderSign::kValue;
  return typed_below ? HeaderSign::kName : HeaderSign::kText;
}

// The same above a column whose type is given. Words may be booleans, and any text is a bytea.
HeaderSign sign_above(const Sample& sample, std::size_t column, const DataType& type) {
  const HeaderSign sign = sign_above(sample, column);
  const std::string& first = sample.first[column];
  if (first.empty() || sign == HeaderSign::kValue || type.is_text() || type.kind == TypeKind::kBytea) return sign;
  if (!is_value_of(first, type)) return HeaderSign::kName;
  return type.kind == TypeKind::kBoolean ? HeaderSign::kUnclear : HeaderSign::kValue;
}

// Whether the first row names the columns; `types` are given, of the first columns.
bool detect_header(const Sample& sample, const std::vector<DataType>& types) {
  bool names = false, all_text = true;
  std::set<std::string> distinct;
  for (std::size_t i = 0; i < sample.first.size(); ++i) {
    const HeaderSign sign = i < types.size() ? sign_above(sample, i, types[i]) : sign_above(sample, i);
    if (sign == HeaderSign::kValue) return false;
    names = names || sign == HeaderSign::kName;
    const bool again = !sample.first[i].empty() && !distinct.insert(sample.first[i]).second;
    all_text = all_text && sign == HeaderSign::kText && !again;
  }
  return names || (all_text && !distinct.empty() && !sample.first_repeats);
}

std::string normalized(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    result.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : letter ? c : '_');
  }
  return result.empty() || (result[0] >= '0' && result[0] <= '9') ? '_' + result : result;
}

// Every column gets a name, and no two the same one.
std::vector<std::string> make_names(const Sample& sample, bool header, const CsvOptions& options) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < sample.first.size(); ++i) {
    std::string name = header ? sample.first[i] : "";
    if (!name.empty() && options.normalize_names) name = normalized(name);
    if (name.empty()) name = fmt::format("column{}", i + 1);
    if (i < options.names.size()) name = options.names[i];
    std::string free = name;
    for (int number = 1; !taken.insert(free).second; ++number) free = fmt::format("{}_{}", name, number);
    names.push_back(free);
  }
  return names;
}

void apply_given_types(CsvFormat& format, const CsvOptions& options, const std::string& where) {
  const auto give = [&](std::size_t column, const DataType& type) {
    format.types[column] = type;
    format.detected[column] = false;
  };
  if (options.types.size() > format.types.size() || options.names.size() > format.names.size()) {
    throw Error(sqlstate::kInvalidParameterValue,
                fmt::format("{} has {} columns, fewer than names or types are given", where, format.names.size()));
  }
  for (std::size_t i = 0; i < options.types.size(); ++i) give(i, options.types[i]);
  for (const auto& [name, type] : options.named_types) {
    const auto found = std::find(format.names.begin(), format.names.end(), name);
    if (found == format.names.end()) {
      throw Error(sqlstate::kUndefinedColumn, fmt::format("{} has no column \"{}\", whose type is given", where, name), 0,
                  fmt::format("Its columns are {}.", fmt::join(format.names, ", ")));
    }
    give(static_cast<std::size_t>(found - format.names.begin()), type);
  }
}

// All columns are given: the sample only tells the dialect and the header.
CsvFormat given_format(const CsvOptions& options, const CsvDialect& dialect, const Sample& sample) {
  CsvFormat format;
  format.dialect = dialect;
  for (const auto& [name, type] : options.columns) {
    format.names.push_back(name);
    format.types.push_back(type);
  }
  format.detected.assign(format.names.size(), false);
  const bool names = sample.first == format.names;
  format.header = options.header.value_or(names || (!options.header_of_names && detect_header(sample, format.types)));
  return format;
}

}  // namespace

CsvFormat detect_csv(const CsvHead& head, const CsvOptions& options) {
  const CsvDialect dialect = detect_dialect(head, options);
  const Sample read = read_sample(head, dialect, options);
  if (!options.columns.empty()) return given_format(options, dialect, read);
  if (read.rows == 0) {
    throw Error(sqlstate::kBadCopyFileFormat, fmt::format("{} has no rows: its columns are not known", head.where), 0,
                "Say what its columns are: read_csv('...', columns => 'id bigint, name text').");
  }
  CsvFormat format;
  format.dialect = dialect;
  format.header = options.header.value_or(detect_header(read, options.types));
  format.names = make_names(read, format.header, options);
  for (const std::string& name : format.names) {
    if (!is_valid_utf8(name)) {
      throw Error(sqlstate::kCharacterNotInRepertoire,
                  fmt::format("{}, line {}: a column's name is not valid UTF-8", head.where, head.first_line), 0,
                  "Convert the file to UTF-8 first, as by iconv.");
    }
  }
  format.types.assign(format.names.size(), {TypeKind::kText});
  format.detected.assign(format.names.size(), !options.all_varchar);
  std::vector<CsvTypeGuess> guesses = read.rest;
  for (std::size_t i = 0; !format.header && i < guesses.size(); ++i) guesses[i].merge(read.first_row[i]);
  set_detected_types(format, guesses);
  apply_given_types(format, options, head.where);
  return format;
}

void set_detected_types(CsvFormat& format, const std::vector<CsvTypeGuess>& guesses) {
  for (std::size_t i = 0; i < format.types.size(); ++i) {
    if (format.detected[i]) format.types[i] = guesses[i].type();
  }
}

}  // namespace saccade
