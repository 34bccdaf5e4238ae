#include "storage/csv/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/error.hpp"
#include "storage/csv/csv_detect.hpp"
#include "storage/csv/csv_index.hpp"
#include "storage/csv/csv_values.hpp"
#include "storage/input_file.hpp"
#include "storage/loaded_table.hpp"

namespace saccade {
namespace {

constexpr std::int64_t kHeadBytes = std::int64_t{4} << 20;
constexpr std::int64_t kRowsBetweenChecks = 8192;

struct CsvFile {
  std::shared_ptr<const InputFile> file;
  std::vector<CsvBlock> blocks;

  std::string where() const { return fmt::format("file \"{}\"", file->path()); }
};

// The first bytes of a file, and where its rows begin in it.
struct LoadedHead {
  std::unique_ptr<Buffer> buffer;
  CsvHead head;
  std::int64_t offset = 0;  // of head.bytes
};

[[noreturn]] void raise_encoding(const std::string& where, std::string_view what, std::string_view hint) {
  throw Error(sqlstate::kCharacterNotInRepertoire, fmt::format("{} is {}", where, what), 0, std::string(hint));
}

void check_encoding(std::string_view bytes, const std::string& where) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    raise_encoding(where, "in UTF-16", "Convert the file to UTF-8 first, as by iconv.");
  }
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd") || bytes.starts_with("PK\x03\x04")) {
    raise_encoding(where, "compressed", "Unpack the file first: compressed CSV files are not read.");
  }
}

// The first `bytes` bytes; skips a byte order mark and the first lines.
LoadedHead load_head(const InputFile& file, const CsvOptions& options, std::int64_t bytes, MemoryPool& pool) {
  LoadedHead loaded;
  const std::int64_t size = std::min(bytes, file.size());
  loaded.buffer = Buffer::allocate(size + 1, pool);
  char* data = loaded.buffer->as<char>();
  file.read(0, size, data);
  data[size] = '\n';
  std::string_view rest(data, static_cast<std::size_t>(size));
  loaded.head.where = fmt::format("file \"{}\"", file.path());
  check_encoding(rest, loaded.head.where);
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  for (std::int64_t line = 0; line < options.skip && !rest.empty(); ++line) {
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    ++loaded.head.first_line;
  }
  loaded.offset = rest.data() - data;
  loaded.head.bytes = rest;
  loaded.head.cut = size < file.size();
  return loaded;
}

// A head with at least one whole row in it, or all of the file.
LoadedHead load_sample(const InputFile& file, const CsvOptions& options, MemoryPool& pool) {
  std::int64_t bytes = kHeadBytes;
  while (true) {
    LoadedHead loaded = load_head(file, options, bytes, pool);
    if (!loaded.head.cut) return loaded;
    CsvHead& head = loaded.head;
    const std::size_t last_line = head.bytes.rfind('\n');
    if (last_line != std::string_view::npos && last_line > 0) {
      head.bytes = head.bytes.substr(0, last_line + 1);
      CsvRows rows(head.bytes, {options.delimiter.value_or(','), options.quote.value_or('"'), options.escape.value_or('"')},
                   head.where, head.first_line, true);
      std::vector<CsvField> fields;
      std::size_t count = 0;
      bool whole_row = true;
      try {
        whole_row = rows.next(fields, 0, count);
      } catch (const Error&) {
        // Of another dialect, or faulty: either is found from what is here.
      }
      if (whole_row) return loaded;
    }
    bytes *= 4;
  }
}

// Reads the columns of all files block by block.
class CsvSource final : public ColumnSource {
 public:
  CsvSource(std::vector<CsvFile> files, CsvFormat format, std::vector<std::string> null_texts, MemoryPool& kept, int threads)
      : files_(std::move(files)),
        format_(std::move(format)),
        rules_{format_.dialect, std::move(null_texts)},
        kept_(kept),
        threads_(threads) {
    for (const CsvFile& file : files_) {
      for (const CsvBlock& block : file.blocks) blocks_.push_back({&file, &block});
    }
  }

  std::shared_ptr<Table> read(std::span<const int> columns, MemoryPool& pool) override {
    std::vector<std::string> names;
    std::vector<DataType> types;
    for (const int column : columns) {
      names.push_back(format_.names[static_cast<std::size_t>(column)]);
      types.push_back(format_.types[static_cast<std::size_t>(column)]);
    }
    return make_parts_table(std::move(names), std::move(types), read_blocks(columns, pool), threads_, kept_, pool);
  }
  void check_rows(MemoryPool& pool) override { read_blocks({}, pool); }

 private:
  std::vector<Part> read_blocks(std::span<const int> columns, MemoryPool& pool) const {
    for (const CsvFile& file : files_) file.file->check_unchanged();
    std::vector<Part> parts(blocks_.size());
    for_each_part(static_cast<std::int64_t>(blocks_.size()), threads_, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      parts[at] = read_block(*blocks_[at].first, *blocks_[at].second, columns, pool);
    });
    return parts;
  }

  Part read_block(const CsvFile& file, const CsvBlock& block, std::span<const int> columns, MemoryPool& pool) const {
    const std::unique_ptr<Buffer> buffer = Buffer::allocate(block.bytes + 1, pool);
    char* bytes = buffer->as<char>();
    file.file->read(block.offset, block.bytes, bytes);
    bytes[block.bytes] = '\n';
    Part part{block.rows, {}};
    for (const int column : columns) {
      part.columns.emplace_back(format_.types[static_cast<std::size_t>(column)], block.rows, pool);
    }
    CsvRows rows({bytes, static_cast<std::size_t>(block.bytes)}, format_.dialect, file.where(), block.first_line);
    const std::size_t width = format_.names.size();
    std::vector<CsvField> fields;
    std::size_t count = 0;
    std::int64_t row = 0;
    for (; rows.next(fields, width, count); ++row) {
      if (count != width) raise_width(rows, count);
      if (row == block.rows) break;
      if (row % kRowsBetweenChecks == 0) pool.check();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        set_value(rows, part.columns[i], row, static_cast<std::size_t>(columns[i]), fields);
      }
    }
    if (row != block.rows) {
      throw Error(sqlstate::kIoError, fmt::format("{} has changed while it was read", file.where()), 0, "Run the query again.");
    }
    return part;
  }

  void set_value(const CsvRows& rows, PartColumn& target, std::int64_t row, std::size_t column,
                 const std::vector<CsvField>& fields) const {
    try {
      set_csv_value(target, row, fields[column], rules_);
    } catch (const Error& error) {
      if (error.sqlstate() == sqlstate::kOutOfMemory || error.sqlstate() == sqlstate::kQueryCanceled) throw;
      const std::string hint = format_.detected[column] && error.hint().empty()
                                   ? "The type was found out from the first rows. Give it: read_csv('...', column_types => "
                                     "'name text'), or find it out from all rows: sample_size => -1."
                                   : error.hint();
      rows.fail(fields[column].data, error.sqlstate(), fmt::format("column \"{}\": {}", format_.names[column], error.what()),
                hint);
    }
  }

  [[noreturn]] void raise_width(const CsvRows& rows, std::size_t count) const {
    const std::size_t width = format_.names.size();
    rows.fail(rows.row_begin(), sqlstate::kBadCopyFileFormat,
              count < width ? fmt::format("missing data for column \"{}\": the row has {} of {} fields", format_.names[count],
                                          count, width)
                            : fmt::format("extra data after last expected column: the row has {} fields, not {}", count, width),
              fmt::format(
                  "Fields are taken to be separated by {}; read_csv('...', delim => ...) says otherwise.",
                  format_.dialect.delimiter == '\t' ? std::string("tabs") : fmt::format("\"{}\"", format_.dialect.delimiter)));
  }

  std::vector<CsvFile> files_;
  CsvFormat format_;
  CsvValueRules rules_;
  MemoryPool& kept_;
  int threads_;
  std::vector<std::pair<const CsvFile*, const CsvBlock*>> blocks_;  // of all files, in order
};

// Types from all rows of all files.
void detect_types(CsvFormat& format, const std::vector<CsvFile>& files, const CsvOptions& options, MemoryPool& pool) {
  std::vector<CsvTypeGuess> guesses(format.names.size());
  for (const CsvFile& file : files) {
    for (const CsvBlock& block : file.blocks) {
      const std::unique_ptr<Buffer> buffer = Buffer::allocate(block.bytes + 1, pool);
      file.file->read(block.offset, block.bytes, buffer->as<char>());
      buffer->as<char>()[block.bytes] = '\n';
      CsvRows rows({buffer->as<char>(), static_cast<std::size_t>(block.bytes)}, format.dialect, file.where(), block.first_line);
      std::vector<CsvField> fields;
      std::size_t count = 0;
      while (rows.next(fields, guesses.size(), count)) {
        for (std::size_t i = 0; i < fields.size(); ++i) guesses[i].add(fields[i], format.dialect, options.null_texts);
      }
    }
  }
  set_detected_types(format, guesses);
}

// Where the rows behind the header begin.
CsvFile index_file(std::shared_ptr<const InputFile> file, const LoadedHead& loaded, const CsvFormat& format,
                   const CsvFormat& first, MemoryPool& pool) {
  const CsvHead& head = loaded.head;
  std::int64_t offset = loaded.offset, line = head.first_line;
  if (format.header) {
    CsvRows rows(head.bytes, format.dialect, head.where, head.first_line, head.cut);
    std::vector<CsvField> fields;
    std::size_t count = 0;
    rows.next(fields, SIZE_MAX, count);
    if (format.names != first.names) {
      throw Error(sqlstate::kDatatypeMismatch,
                  fmt::format("{} has other columns than the first file: {}", head.where, fmt::join(format.names, ", ")), 0,
                  "Files that are read together must have the same columns in the same order.");
    }
    offset += rows.position() - head.bytes.data();
    line = rows.line_of(rows.position());
  }
  CsvFile result{std::move(file), {}};
  result.blocks = index_csv(*result.file, format.dialect, offset, line, format.names.size() == 1, pool);
  return result;
}

}  // namespace

std::shared_ptr<Table> open_csv(const std::string& path, const std::string& opener, const CsvOptions& options, MemoryPool& pool,
                                int threads) {
  LoadedTableDescription description{path, opener, 0, 0, {}};
  // Other options make another table of the same file.
  for (const char c : opener) description.version = append_version(description.version, static_cast<unsigned char>(c));
  std::vector<CsvFile> files;
  CsvFormat format;
  for (const std::string& name : expand_paths(path)) {
    std::shared_ptr<const InputFile> file = InputFile::open(name);
    description.version = append_version(description.version, file->identity());
    const LoadedHead loaded = load_sample(*file, options, pool);
    CsvOptions settled = options;
    if (!files.empty()) {  // as the first file is
      settled.delimiter = format.dialect.delimiter;
      settled.quote = format.dialect.quote;
      settled.escape = format.dialect.escape;
      settled.header = format.header;
    }
    if (!files.empty() && loaded.head.bytes.empty()) continue;
    const CsvFormat found = detect_csv(loaded.head, settled);
    if (files.empty()) format = found;
    files.push_back(index_file(std::move(file), loaded, found, format, pool));
    for (const CsvBlock& block : files.back().blocks) description.rows += block.rows;
  }
  if (options.sample_rows < 0 && !options.all_varchar) detect_types(format, files, options, pool);
  for (std::size_t i = 0; i < format.names.size(); ++i) description.columns.push_back({format.names[i], format.types[i], ""});
  auto source = std::make_unique<CsvSource>(std::move(files), std::move(format), options.null_texts, pool, threads);
  return make_loaded_table(std::move(description), std::move(source));
}

}  // namespace saccade
