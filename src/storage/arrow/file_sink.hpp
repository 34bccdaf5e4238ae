// A NewFile as Arrow writes to files. Arrow knows no exceptions: what the file throws is kept and raised by check().
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <exception>

#include "storage/new_file.hpp"

namespace saccade {

class FileSink final : public arrow::io::OutputStream {
 public:
  explicit FileSink(const std::string& path) : file_(path) {}

  arrow::Status Write(const void* data, std::int64_t bytes) override;
  arrow::Status Close() override;
  arrow::Result<std::int64_t> Tell() const override { return file_.size(); }
  bool closed() const override { return closed_; }

  // Raises the file's own failure, else what `status` says. Errors: 53100, 58030, 53200, 57014.
  void check(const arrow::Status& status) const;
  void commit() { file_.commit(); }

 private:
  NewFile file_;
  std::exception_ptr error_;
  bool closed_ = false;
};

}  // namespace saccade
