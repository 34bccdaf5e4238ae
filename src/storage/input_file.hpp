// One opened regular file to read: its path, size and identity; and which files a path names.
//
// Immutable; any thread may read. The file stays open, so one that is replaced under its name is still read as it was.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace saccade {

class InputFile {
 public:
  // Errors: 58P01 no such file, 42501 no permission, 42809 a folder, 58030.
  static std::shared_ptr<const InputFile> open(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }  // when it was opened
  int descriptor() const { return descriptor_; }
  // A hash of canonical path, size and time of the last change.
  std::uint64_t identity() const { return identity_; }

  // Exactly `bytes` bytes at `offset`. Errors: 58030, also where the file has become shorter.
  void read(std::int64_t offset, std::int64_t bytes, char* to) const;
  // Errors: 58030 where the file has been written to since it was opened.
  void check_unchanged() const;

 private:
  explicit InputFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  std::uint64_t identity_ = 0;
};

// The files that a path names: itself where it exists; else each of a comma-separated list, and patterns with * ? [ ] in
// alphabetical order. Errors: 58P01 where a part names no file.
std::vector<std::string> expand_paths(const std::string& path);

// Changes with the files that a path names, and with each one's size and time of change. Errors: as InputFile::open.
std::uint64_t files_version(const std::string& path);

// The version of files with these identities, in this order.
std::uint64_t append_version(std::uint64_t version, std::uint64_t identity);

}  // namespace saccade
