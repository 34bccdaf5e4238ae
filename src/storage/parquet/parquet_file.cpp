#include "storage/parquet/parquet_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/error.hpp"
#include "common/int128.hpp"

namespace saccade {
namespace {

[[noreturn]] void raise_system_error(const std::string& path, int code) {
  const std::string message = fmt::format("could not open file \"{}\": {}", path, std::strerror(code));
  if (code == ENOENT || code == ENOTDIR) {
    throw Error(sqlstate::kUndefinedFile, message, 0, "Check the path; relative paths start at the current directory.");
  }
  throw Error(sqlstate::kIoError, message, 0, "Check the permissions of the file and of its directory.");
}

struct stat regular_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) raise_system_error(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw Error(sqlstate::kIoError, fmt::format("\"{}\" is a directory", path), 0,
                fmt::format("Name its files, as in '{}/*.parquet'.", path));
  }
  if (!S_ISREG(status.st_mode)) throw Error(sqlstate::kIoError, fmt::format("\"{}\" is not a regular file", path));
  return status;
}

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  const uint128 product = static_cast<uint128>(state ^ 0x9e3779b97f4a7c15U) * (word ^ 0xd1b54a32d192ed03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t identity_of(const std::string& path, const struct stat& status) {
  char* canonical = ::realpath(path.c_str(), nullptr);
  if (canonical == nullptr) raise_system_error(path, errno);
  std::uint64_t state = 0;
  for (const char* c = canonical; *c != '\0'; ++c) state = mix(state, static_cast<unsigned char>(*c));
  std::free(canonical);
  state = mix(state, static_cast<std::uint64_t>(status.st_size));
  state = mix(state, static_cast<std::uint64_t>(status.st_mtim.tv_sec));
  return mix(state, static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
}

// A Parquet file begins and ends with "PAR1"; an encrypted footer with "PARE".
void check_magic(const std::string& path, int descriptor, std::int64_t size) {
  std::array<char, 4> head{}, tail{};
  const bool read = size >= 12 && ::pread(descriptor, head.data(), head.size(), 0) == 4 &&
                    ::pread(descriptor, tail.data(), tail.size(), size - 4) == 4;
  const std::string_view end(tail.data(), tail.size());
  if (read && end == "PARE") {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("\"{}\" is encrypted", path), 0,
                "Encrypted Parquet files are not supported; write the file without encryption.");
  }
  if (!read || end != "PAR1" || std::string_view(head.data(), head.size()) != "PAR1") {
    throw Error(sqlstate::kDataCorrupted, fmt::format("\"{}\" is not a Parquet file or is cut off", path), 0,
                "A Parquet file begins and ends with the letters PAR1; write or copy the file anew.");
  }
}

}  // namespace

namespace {

arrow::Status refusal(const Error& error) {
  if (error.sqlstate() == sqlstate::kQueryCanceled) return arrow::Status::Cancelled(error.what());
  return arrow::Status::OutOfMemory(error.what());
}

}  // namespace

arrow::Status CountedArrowPool::Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) {
  try {
    pool_.reserve(size);
  } catch (const Error& error) {
    return refusal(error);
  }
  const arrow::Status status = arrow::default_memory_pool()->Allocate(size, alignment, out);
  if (!status.ok()) pool_.release(size);
  return status;
}

arrow::Status CountedArrowPool::Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                                           std::uint8_t** data) {
  try {
    if (new_size > old_size) pool_.reserve(new_size - old_size);
  } catch (const Error& error) {
    return refusal(error);
  }
  const arrow::Status status = arrow::default_memory_pool()->Reallocate(old_size, new_size, alignment, data);
  if (!status.ok() && new_size > old_size) pool_.release(new_size - old_size);
  if (status.ok() && new_size < old_size) pool_.release(old_size - new_size);
  return status;
}

void CountedArrowPool::Free(std::uint8_t* data, std::int64_t size, std::int64_t alignment) {
  arrow::default_memory_pool()->Free(data, size, alignment);
  pool_.release(size);
}

void raise_arrow_error(const std::string& where) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const parquet::ParquetStatusException& error) {
    const arrow::Status& status = error.status();
    if (status.IsCancelled()) throw Error(sqlstate::kQueryCanceled, status.message());
    if (status.IsOutOfMemory()) throw Error(sqlstate::kOutOfMemory, fmt::format("{}: {}", where, status.message()));
    if (status.IsIOError()) throw Error(sqlstate::kIoError, fmt::format("could not read {}: {}", where, status.message()));
    throw Error(sqlstate::kDataCorrupted, fmt::format("{} is damaged: {}", where, status.message()));
  } catch (const std::bad_alloc&) {
    throw Error(sqlstate::kOutOfMemory, fmt::format("out of memory while reading {}", where));
  } catch (const std::exception& error) {
    throw Error(sqlstate::kDataCorrupted, fmt::format("{} is damaged: {}", where, error.what()), 0,
                "Write or copy the file anew.");
  }
}

std::uint64_t file_identity(const std::string& path) {
  return identity_of(path, regular_file(path));
}

std::shared_ptr<const ParquetFile> ParquetFile::open(const std::string& path, MemoryPool& pool) {
  regular_file(path);  // before opening: to open a pipe would wait for its writer
  std::shared_ptr<ParquetFile> file(new ParquetFile(path, pool));
  try {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) raise_system_error(path, errno);
    arrow::Result<std::shared_ptr<arrow::io::ReadableFile>> source =
        arrow::io::ReadableFile::Open(descriptor, &file->arrow_pool_);
    if (!source.ok()) {
      ::close(descriptor);
      throw Error(sqlstate::kIoError, fmt::format("could not open file \"{}\": {}", path, source.status().message()));
    }
    file->source_ = *source;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) raise_system_error(path, errno);
    file->identity_ = identity_of(path, status);
    check_magic(path, descriptor, status.st_size);
    file->metadata_ = file->reader(file->arrow_pool_)->metadata();
  } catch (...) {
    raise_arrow_error(fmt::format("file \"{}\"", path));
  }
  return file;
}

void ParquetFile::check_unchanged() const {
  struct stat status {};
  if (::fstat(source_->file_descriptor(), &status) != 0) raise_system_error(path_, errno);
  struct stat named {};
  // A file replaced under its name is still read as it was opened; one written to in place is not what was planned for.
  const bool replaced = ::stat(path_.c_str(), &named) != 0 || named.st_ino != status.st_ino || named.st_dev != status.st_dev;
  if (!replaced && identity_of(path_, status) != identity_) {
    throw Error(sqlstate::kIoError, fmt::format("file \"{}\" has changed while it was read", path_), 0, "Run the query again.");
  }
}

std::unique_ptr<parquet::ParquetFileReader> ParquetFile::reader(CountedArrowPool& pool) const {
  parquet::ReaderProperties properties(&pool);
  properties.set_page_checksum_verification(true);
  return parquet::ParquetFileReader::Open(source_, properties, metadata_);
}

}  // namespace saccade
