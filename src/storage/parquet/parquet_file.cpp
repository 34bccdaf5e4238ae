#include "storage/parquet/parquet_file.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "common/error.hpp"
#include "storage/arrow/arrow_input.hpp"

namespace saccade {
namespace {

// A Parquet file begins and ends with "PAR1"; an encrypted footer with "PARE".
void check_magic(const InputFile& file) {
  std::array<char, 4> head{}, tail{};
  const bool long_enough = file.size() >= 12;
  if (long_enough) {
    file.read(0, 4, head.data());
    file.read(file.size() - 4, 4, tail.data());
  }
  const std::string_view end(tail.data(), tail.size());
  if (end == "PARE") {
    throw Error(sqlstate::kFeatureNotSupported, fmt::format("\"{}\" is encrypted", file.path()), 0,
                "Encrypted Parquet files are not supported; write the file without encryption.");
  }
  if (end != "PAR1" || std::string_view(head.data(), head.size()) != "PAR1") {
    throw Error(sqlstate::kDataCorrupted, fmt::format("\"{}\" is not a Parquet file or is cut off", file.path()), 0,
                "A Parquet file begins and ends with the letters PAR1; write or copy the file anew.");
  }
}

}  // namespace

std::shared_ptr<const ParquetFile> ParquetFile::open(const std::string& path, MemoryPool& pool) {
  std::shared_ptr<ParquetFile> file(new ParquetFile(InputFile::open(path), pool));
  try {
    check_magic(*file->file_);
    file->metadata_ = file->reader(file->arrow_pool_)->metadata();
  } catch (...) {
    raise_arrow_error(fmt::format("file \"{}\"", path));
  }
  return file;
}

parquet::ReaderProperties ParquetFile::properties(CountedArrowPool& pool) {
  parquet::ReaderProperties properties(&pool);
  properties.set_page_checksum_verification(true);
  return properties;
}

std::unique_ptr<parquet::ParquetFileReader> ParquetFile::reader(CountedArrowPool& pool) const {
  return parquet::ParquetFileReader::Open(make_arrow_input(file_, pool), properties(pool), metadata_);
}

}  // namespace saccade
