#include "storage/arrow/file_sink.hpp"

#include <arrow/result.h>
#include <arrow/status.h>

#include "storage/arrow/arrow_rows.hpp"

namespace saccade {

arrow::Status FileSink::Write(const void* data, std::int64_t bytes) {
  try {
    if (error_ == nullptr) file_.write({static_cast<const char*>(data), static_cast<std::size_t>(bytes)});
  } catch (...) {
    error_ = std::current_exception();
  }
  return error_ == nullptr ? arrow::Status::OK() : arrow::Status::IOError("not written");
}

arrow::Status FileSink::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

void FileSink::check(const arrow::Status& status) const {
  if (error_ != nullptr) std::rethrow_exception(error_);
  check_written(status);
}

}  // namespace saccade
