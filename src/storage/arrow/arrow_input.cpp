#include "storage/arrow/arrow_input.hpp"

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/util/future.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"

namespace saccade {
namespace {

class ArrowInput final : public arrow::io::RandomAccessFile {
 public:
  ArrowInput(std::shared_ptr<const InputFile> file, CountedArrowPool& pool) : file_(std::move(file)), pool_(pool) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  arrow::Result<std::int64_t> GetSize() override { return file_->size(); }
  arrow::Status Seek(std::int64_t position) override {
    if (position < 0) return arrow::Status::Invalid("a negative position in the file");
    position_ = position;
    return arrow::Status::OK();
  }

  arrow::Result<std::int64_t> Read(std::int64_t bytes, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, ReadAt(position_, bytes, out));
    position_ += got;
    return got;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t bytes) override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer, ReadAt(position_, bytes));
    position_ += buffer->size();
    return buffer;
  }

  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t bytes, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t there, available(position, bytes));
    try {
      file_->read(position, there, static_cast<char*>(out));
    } catch (const Error& error) {
      return arrow::Status::IOError(error.what());
    }
    return there;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position, std::int64_t bytes) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t there, available(position, bytes));
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(there, &pool_));
    ARROW_RETURN_NOT_OK(ReadAt(position, there, buffer->mutable_data()));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

  // At once, on the caller's thread: the readers and what they hold must not outlive the caller's pool on a thread of Arrow's.
  using arrow::io::RandomAccessFile::ReadAsync;
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext&, std::int64_t position,
                                                          std::int64_t bytes, bool) override {
    return ReadAt(position, bytes);
  }
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext&, std::int64_t position,
                                                          std::int64_t bytes) override {
    return ReadAt(position, bytes);
  }

 private:
  arrow::Result<std::int64_t> available(std::int64_t position, std::int64_t bytes) const {
    if (position < 0 || bytes < 0) return arrow::Status::Invalid("a negative position or length in the file");
    return std::min(bytes, std::max<std::int64_t>(file_->size() - position, 0));
  }

  std::shared_ptr<const InputFile> file_;
  CountedArrowPool& pool_;
  std::int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace

std::shared_ptr<arrow::io::RandomAccessFile> make_arrow_input(std::shared_ptr<const InputFile> file, CountedArrowPool& pool) {
  return std::make_shared<ArrowInput>(std::move(file), pool);
}

}  // namespace saccade
