// One opened Parquet file: its footer, its identity, and readers of it.
//
// A ParquetFile is immutable and may be used by any thread; each thread makes its own reader. The file stays open.
#pragma once

#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "memory/memory_pool.hpp"
#include "storage/arrow/arrow_memory.hpp"
#include "storage/input_file.hpp"

namespace saccade {

class ParquetFile {
 public:
  // Errors: 58P01 no such file, 58030 cannot be read, XX001 damaged or no Parquet file, 0A000 encrypted.
  static std::shared_ptr<const ParquetFile> open(const std::string& path, MemoryPool& pool);

  const std::string& path() const { return file_->path(); }
  const parquet::FileMetaData& metadata() const { return *metadata_; }
  // A hash of canonical path, size and time of the last change.
  std::uint64_t identity() const { return file_->identity(); }
  // Errors: 58030 where the file has changed since it was opened.
  void check_unchanged() const { file_->check_unchanged(); }
  const InputFile& input() const { return *file_; }
  std::unique_ptr<parquet::ParquetFileReader> reader(CountedArrowPool& pool) const;
  // What all readers are made with: page checksums are verified where there are any.
  static parquet::ReaderProperties properties(CountedArrowPool& pool);

 private:
  ParquetFile(std::shared_ptr<const InputFile> file, MemoryPool& pool) : file_(std::move(file)), arrow_pool_(pool) {}

  std::shared_ptr<const InputFile> file_;
  CountedArrowPool arrow_pool_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
};

}  // namespace saccade
