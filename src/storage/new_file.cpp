#include "storage/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "common/error.hpp"

namespace saccade {
namespace {

// Where a path leads behind symbolic links; the path itself where nothing is there yet.
std::string behind_links(const std::string& path) {
  char* canonical = ::realpath(path.c_str(), nullptr);
  if (canonical == nullptr) return path;
  std::string result = canonical;
  std::free(canonical);
  return result;
}

std::string_view state_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return sqlstate::kDiskFull;
    case ENOENT:
    case ENOTDIR:
      return sqlstate::kUndefinedFile;
    case EACCES:
    case EPERM:
    case EROFS:
      return sqlstate::kInsufficientPrivilege;
    case EISDIR:
      return sqlstate::kWrongObjectType;
    default:
      return sqlstate::kIoError;
  }
}

std::string_view hint_of(std::string_view state) {
  if (state == sqlstate::kDiskFull) return "Free some space or choose another folder; nothing was left under this name.";
  if (state == sqlstate::kUndefinedFile) return "Make its folder first, or check the path.";
  if (state == sqlstate::kInsufficientPrivilege) return "Choose a folder and a file that may be written.";
  if (state == sqlstate::kWrongObjectType) return "Name a file within it.";
  return "";
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path), target_(behind_links(path)) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (path.empty()) raise(ENOENT, "create");
  if ((exists && S_ISDIR(status.st_mode)) || path.back() == '/') raise(EISDIR, "create");
  if (exists && ::access(target_.c_str(), W_OK) != 0) raise(errno, "write");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) raise(errno, "open");
    return;
  }
  open_temporary();
  if (exists) ::fchmod(descriptor_, status.st_mode & 07777);
}

// The name is short whatever the file's own is, and no other writer's.
void NewFile::open_temporary() {
  static std::atomic<int> next{0};
  const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = (folder / fmt::format(".saccade.{}.{}.tmp", ::getpid(), next++)).string();
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 || (errno == EEXIST && attempt < 100)) continue;
    const int error = errno;
    temporary_.clear();
    raise(error, "create");
  }
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
  if (::close(std::exchange(descriptor_, -1)) != 0) raise(errno, "write");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) raise(errno, "rename the complete file to");
  temporary_.clear();
}

void NewFile::raise(int error, const char* doing) const {
  const std::string_view state = state_of(error);
  throw Error(state, fmt::format("could not {} \"{}\": {}", doing, path_, std::strerror(error)), 0,
              std::string(hint_of(state)));
}

}  // namespace saccade
