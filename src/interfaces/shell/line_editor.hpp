// Lines from a terminal, with editing, completion and a history that is kept in a file (libedit). One thread. While it lives,
// Ctrl-C does not end the process.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "interfaces/shell/completion.hpp"

namespace saccade::shell {

class LineEditor {
 public:
  enum class Outcome { kLine, kInterrupted, kEnd };

  // What Tab offers, by the line before and after the cursor.
  using Complete = std::function<Completion(const std::string& before, const std::string& after)>;

  // `history_file`: read now and written at the end; empty: none.
  LineEditor(std::string history_file, Complete complete);
  ~LineEditor();

  // One line without its newline. kInterrupted: Ctrl-C, the line is dropped. kEnd: Ctrl-D on an empty line.
  Outcome read(const std::string& prompt, std::string& line);
  void remember(const std::string& statement);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saccade::shell
