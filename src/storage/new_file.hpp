// A file that comes to be as a whole or not at all: written under a temporary name beside its own, renamed when it is complete,
// removed when it is not. What is no regular file (a device, a pipe) is written to as it is. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace saccade {

class NewFile {
 public:
  // Errors: 58P01 where the folder is missing, 42501 where it or the file may not be written, 42809 where the path is a folder,
  // 53100, 58030.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Errors: 53100 where the disk is full, 58030.
  void write(std::string_view bytes);
  // Replaces what has the file's own name. Errors: as write().
  void commit();

  std::int64_t size() const { return size_; }

 private:
  void open_temporary();
  [[noreturn]] void raise(int error, const char* doing) const;

  std::string path_, target_, temporary_;  // as named, behind symbolic links, and what is written to
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace saccade
