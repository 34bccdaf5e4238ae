// Where results go: a file descriptor with a buffer, on which every failed write is an error. One thread.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace saccade::shell {

// A write that failed; what() says why.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& name, int error_number);
  bool closed() const { return closed_; }  // nobody reads any more (a closed pipe)
  const std::string& sqlstate() const { return sqlstate_; }

 private:
  bool closed_;
  std::string sqlstate_;  // 53100 where the disk is full, else 58030
};

class Output {
 public:
  // `descriptor` stays the caller's. `name` is how errors call it.
  explicit Output(int descriptor, std::string name = "the output");
  // A file of its own, emptied first. Errors: OutputError.
  static Output to_file(const std::string& path);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  Output(const Output&) = delete;
  // What was not flushed is lost; so call close() where that would matter.
  ~Output();

  // Errors of the three: OutputError, and QueryError 57014 where Ctrl-C was pressed while nothing could be written; what waits
  // in the buffer is gone then. What was written is certain to have arrived only after flush().
  void write(std::string_view text);
  void flush();
  void close();

  bool is_terminal() const;
  int terminal_columns() const;  // 0: no terminal

 private:
  void write_out(std::string_view text);

  int descriptor_;
  bool owned_ = false;
  std::string name_;
  std::string buffer_;
};

}  // namespace saccade::shell
