// Lines from a terminal, with editing and a history that is kept in a file (libedit). One thread.
#pragma once

#include <memory>
#include <string>

namespace saccade::shell {

class LineEditor {
 public:
  enum class Outcome { kLine, kInterrupted, kEnd };

  // `history_file`: read now and written at the end; empty: none.
  explicit LineEditor(std::string history_file);
  ~LineEditor();

  // One line without its newline. kInterrupted: Ctrl-C, the line is dropped. kEnd: Ctrl-D on an empty line.
  Outcome read(const std::string& prompt, std::string& line);
  void remember(const std::string& statement);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saccade::shell
