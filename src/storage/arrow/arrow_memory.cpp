#include "storage/arrow/arrow_memory.hpp"

#include <fmt/format.h>
#include <parquet/exception.h>

#include <new>

#include "common/error.hpp"

namespace saccade {
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

void raise_arrow_status(const std::string& where, const arrow::Status& status) {
  if (status.IsCancelled()) throw Error(sqlstate::kQueryCanceled, status.message());
  if (status.IsOutOfMemory()) throw Error(sqlstate::kOutOfMemory, fmt::format("{}: {}", where, status.message()));
  if (status.IsIOError()) throw Error(sqlstate::kIoError, fmt::format("could not read {}: {}", where, status.message()));
  if (status.IsNotImplemented()) throw Error(sqlstate::kFeatureNotSupported, fmt::format("{}: {}", where, status.message()));
  throw Error(sqlstate::kDataCorrupted, fmt::format("{} is damaged: {}", where, status.message()), 0,
              "Write or copy the file anew.");
}

void raise_arrow_error(const std::string& where) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const parquet::ParquetStatusException& error) {
    raise_arrow_status(where, error.status());
  } catch (const std::bad_alloc&) {
    throw Error(sqlstate::kOutOfMemory, fmt::format("out of memory while reading {}", where));
  } catch (const std::exception& error) {
    throw Error(sqlstate::kDataCorrupted, fmt::format("{} is damaged: {}", where, error.what()), 0,
                "Write or copy the file anew.");
  }
}

}  // namespace saccade
