#include "storage/tpch/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/error.hpp"

namespace saccade::tpch {

NewFile::NewFile(std::string path) : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, getpid())) {
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) raise(errno, "create");
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void NewFile::write(std::string_view bytes) {
  size_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) raise(errno, "write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::commit() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) raise(errno, "write");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) raise(errno, "rename the complete file to");
  temporary_.clear();
}

void NewFile::raise(int error, const char* doing) const {
  const bool full = error == ENOSPC || error == EDQUOT;
  const std::string_view state = full ? sqlstate::kDiskFull : error == ENOENT ? sqlstate::kUndefinedFile : sqlstate::kIoError;
  throw Error(state, fmt::format("could not {} \"{}\": {}", doing, path_, std::strerror(error)), 0,
              full ? "Free some space or choose another folder; nothing was left under this name." : "");
}

}  // namespace saccade::tpch
