// Where results go: a file descriptor with a buffer, on which every failed write is an error. One thread.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace saccade::shell {

// A write that failed; what() says why.
class OutputError : public std::runtime_error {
 public:
  explicit OutputError(int error_number);
  bool closed() const { return closed_; }  // nobody reads any more (a closed pipe)

 private:
  bool closed_;
};

class Output {
 public:
  // `file` stays the caller's.
  explicit Output(std::FILE* file) : file_(file) {}

  // Errors of both: OutputError. What was written is certain to have arrived only after flush().
  void write(std::string_view text);
  void flush();

 private:
  std::FILE* file_;
};

}  // namespace saccade::shell
