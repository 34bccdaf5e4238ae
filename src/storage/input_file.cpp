#include "storage/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "common/error.hpp"
#include "common/int128.hpp"

namespace saccade {
namespace {

[[noreturn]] void raise_system_error(const std::string& path, int code, const char* doing = "open") {
  const std::string message = fmt::format("could not {} file \"{}\": {}", doing, path, std::strerror(code));
  if (code == ENOENT || code == ENOTDIR) {
    throw Error(sqlstate::kUndefinedFile, message, 0, "Check the path; relative paths start at the current directory.");
  }
  const bool refused = code == EACCES || code == EPERM;
  throw Error(refused ? sqlstate::kInsufficientPrivilege : sqlstate::kIoError, message, 0,
              "Check the permissions of the file and of its directory.");
}

struct stat regular_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) raise_system_error(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw Error(sqlstate::kWrongObjectType, fmt::format("\"{}\" is a directory", path), 0,
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

void expand_part(const std::string& part, std::vector<std::string>& paths) {
  if (::access(part.c_str(), F_OK) == 0 || part.find_first_of("*?[") == std::string::npos) {
    paths.push_back(part);
    return;
  }
  glob_t found{};
  const int status = ::glob(part.c_str(), 0, nullptr, &found);
  for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status != 0) {
    throw Error(sqlstate::kUndefinedFile, fmt::format("no file matches \"{}\"", part), 0,
                "Check the pattern; relative paths start at the current directory.");
  }
}

}  // namespace

std::shared_ptr<const InputFile> InputFile::open(const std::string& path) {
  regular_file(path);  // before opening: to open a pipe would wait for its writer
  std::shared_ptr<InputFile> file(new InputFile(path));
  file->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file->descriptor_ < 0) raise_system_error(path, errno);
  struct stat status {};
  if (::fstat(file->descriptor_, &status) != 0) raise_system_error(path, errno);
  file->size_ = status.st_size;
  file->identity_ = identity_of(path, status);
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::read(std::int64_t offset, std::int64_t bytes, char* to) const {
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, to, static_cast<std::size_t>(bytes), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) raise_system_error(path_, errno, "read");
    if (got == 0) throw Error(sqlstate::kIoError, fmt::format("file \"{}\" has become shorter while it was read", path_));
    offset += got;
    bytes -= got;
    to += got;
  }
}

void InputFile::check_unchanged() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) raise_system_error(path_, errno);
  struct stat named {};
  // A file replaced under its name is still read as it was opened; one written to in place is not what was planned for.
  const bool replaced = ::stat(path_.c_str(), &named) != 0 || named.st_ino != status.st_ino || named.st_dev != status.st_dev;
  if (!replaced && identity_of(path_, status) != identity_) {
    throw Error(sqlstate::kIoError, fmt::format("file \"{}\" has changed while it was read", path_), 0, "Run the query again.");
  }
}

std::vector<std::string> expand_paths(const std::string& path) {
  std::vector<std::string> paths;
  if (::access(path.c_str(), F_OK) == 0) return {path};
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find(',', begin), path.size());
    std::string part = path.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    expand_part(part, paths);
    begin = end + 1;
  }
  return paths;
}

std::uint64_t files_version(const std::string& path) {
  std::uint64_t version = 0;
  for (const std::string& file : expand_paths(path)) version = append_version(version, identity_of(file, regular_file(file)));
  return version;
}

std::uint64_t append_version(std::uint64_t version, std::uint64_t identity) {
  return version * 0x9e3779b97f4a7c15U + identity;
}

}  // namespace saccade
