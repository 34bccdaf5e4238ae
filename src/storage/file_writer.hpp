// Rows of a query as a file: CSV, Parquet or Arrow IPC.
//
// A file comes to be as a whole or not at all: it is written under a temporary name beside its own and renamed by finish();
// whatever ends a writer before that (an error, a cancelled statement) leaves neither name behind. Used by one thread at a
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catalog/file_call.hpp"
#include "data/row_set.hpp"

namespace saccade {

enum class FileFormat : std::uint8_t { kCsv, kParquet, kArrow };

struct CsvWriteOptions {
  bool header = true;
  char delimiter = ',';
  char quote = '"';
  char escape = '"';
  std::string null_text;                 // written without quotes; a text equal to it is quoted
  bool force_quote_all = false;          // values other than NULL
  std::vector<std::string> force_quote;  // these columns' values
};

enum class FileCompression : std::uint8_t { kNone, kSnappy, kZstd, kLz4, kGzip };

struct WriteOptions {
  FileFormat format = FileFormat::kCsv;
  CsvWriteOptions csv;
  FileCompression compression = FileCompression::kZstd;  // Parquet and Arrow (there none, lz4 or zstd)
  std::int64_t row_group_rows = 131072 * 4;              // Parquet row groups and Arrow record batches
};

// From the path's ending (.csv, .tsv, .parquet, .arrow, .feather, .ipc) and COPY's options: format, header, delimiter (delim),
// quote, escape, null, force_quote (values: columns, or "*"), encoding; compression (codec), row_group_size.
// Errors, with the option's position: 0A000 an unknown format or ending, 22023 a value that the option does not take, 42601
// an option that the format does not know, or that is given twice.
WriteOptions parse_write_options(const std::string& path, const std::vector<FileOption>& options);

struct WriteColumn {
  std::string name;
  DataType type;
  std::shared_ptr<const Dictionary> dictionary;  // of dictionary codes; null where the lane holds the texts themselves
};

class FileWriter {
 public:
  virtual ~FileWriter() = default;

  // Appends rows in order; their memory must outlive the writer. Errors: 53100 disk full, 58030, 53200, 57014 where `pool`
  // knows a cancelled statement.
  virtual void write(const RowSet& rows) = 0;
  // Completes the file under its own name, in place of a file that has it. Called once. Errors: as write().
  virtual void finish() = 0;
};

// `pool`, which must outlive the writer, counts what the writer holds. Errors: 58P01 the folder is missing, 42501 no
// permission, 42809 the path is a folder, 42703 force_quote names no column, 42701 two columns of one name (Parquet, Arrow),
// 0A000 a type that the format can't hold, 53100, 58030.
std::unique_ptr<FileWriter> make_file_writer(const std::string& path, std::vector<WriteColumn> columns,
                                             const WriteOptions& options, MemoryPool& pool);

}  // namespace saccade
