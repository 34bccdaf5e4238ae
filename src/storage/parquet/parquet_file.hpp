// One opened Parquet file: its footer, its identity, and readers of it; and what every use of Arrow in this folder needs:
// errors as saccade::Error, memory counted in a saccade::MemoryPool.
//
// A ParquetFile is immutable and may be used by any thread; each thread makes its own reader. The file stays open.
#pragma once

#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <string>

#include "memory/memory_pool.hpp"

namespace saccade {

// Arrow's memory, counted in a pool of ours, which must outlive it.
class CountedArrowPool final : public arrow::MemoryPool {
 public:
  explicit CountedArrowPool(saccade::MemoryPool& pool) : pool_(pool) {}
  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override;
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment, std::uint8_t** data) override;
  void Free(std::uint8_t* data, std::int64_t size, std::int64_t alignment) override;
  std::int64_t bytes_allocated() const override { return pool_.used(); }
  std::int64_t total_bytes_allocated() const override { return pool_.used(); }
  std::int64_t num_allocations() const override { return 0; }
  std::string backend_name() const override { return "saccade"; }

 private:
  saccade::MemoryPool& pool_;
};

class ParquetFile {
 public:
  // Errors: 58P01 no such file, 58030 cannot be read, XX001 damaged or no Parquet file, 0A000 encrypted.
  static std::shared_ptr<const ParquetFile> open(const std::string& path, MemoryPool& pool);

  const std::string& path() const { return path_; }
  const parquet::FileMetaData& metadata() const { return *metadata_; }
  // A hash of canonical path, size and time of the last change.
  std::uint64_t identity() const { return identity_; }
  // Errors: 58030 where the file has changed since it was opened.
  void check_unchanged() const;
  std::unique_ptr<parquet::ParquetFileReader> reader(CountedArrowPool& pool) const;

 private:
  ParquetFile(std::string path, MemoryPool& pool) : path_(std::move(path)), arrow_pool_(pool) {}

  std::string path_;
  std::uint64_t identity_ = 0;
  CountedArrowPool arrow_pool_;
  std::shared_ptr<arrow::io::ReadableFile> source_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
};

// A hash of canonical path, size and time of the last change; `path` names a regular file. Errors: 58P01, 58030.
std::uint64_t file_identity(const std::string& path);

// Raises what Arrow threw about `where` (a file, or a part of it) as an Error. To be called within a catch block.
[[noreturn]] void raise_arrow_error(const std::string& where);

}  // namespace saccade
