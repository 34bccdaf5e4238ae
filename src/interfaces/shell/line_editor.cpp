#include "interfaces/shell/line_editor.hpp"

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cwchar>

#include "interfaces/shell/interrupt.hpp"

namespace saccade::shell {

struct LineEditor::State {
  std::string history_file;
  std::string prompt;
  EditLine* editor = nullptr;
  History* history = nullptr;
  NoteInterrupt* interrupt = nullptr;  // while a line is read
};

namespace {

constexpr int kHistoryLength = 1000;

// Waits for input; false once Ctrl-C was typed. A signal that comes just before the wait is noticed at the next round.
bool wait_for_input(NoteInterrupt& interrupt) {
  constexpr int kRoundMilliseconds = 100;
  while (true) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, kRoundMilliseconds);
    if (interrupt.taken()) return false;
    if (ready > 0) return true;
  }
}

// One character from the terminal. libedit's own reader would go on after Ctrl-C; this one gives up with EINTR.
template <class State>
int read_character(EditLine* editor, wchar_t* character) {
  State* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  std::mbstate_t decoder{};
  while (true) {
    if (!wait_for_input(*state->interrupt)) {
      errno = EINTR;
      return -1;
    }
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count == 0) return 0;
    if (count < 0) {
      if (errno != EINTR || state->interrupt->taken()) return -1;
      continue;  // another signal, such as a new size of the window
    }
    const std::size_t decoded = std::mbrtowc(character, &byte, 1, &decoder);
    if (decoded == static_cast<std::size_t>(-2)) continue;  // within a character
    if (decoded == static_cast<std::size_t>(-1)) {
      decoder = {};
      continue;  // no UTF-8: dropped, as it cannot be shown
    }
    return 1;
  }
}

}  // namespace

LineEditor::LineEditor(std::string history_file) : state_(std::make_unique<State>()) {
  state_->history_file = std::move(history_file);
  state_->editor = el_init("saccade", stdin, stdout, stderr);
  state_->history = history_init();
  HistEvent event;
  history(state_->history, &event, H_SETSIZE, kHistoryLength);
  history(state_->history, &event, H_SETUNIQUE, 1);
  if (!state_->history_file.empty()) history(state_->history, &event, H_LOAD, state_->history_file.c_str());
  el_set(state_->editor, EL_CLIENTDATA, state_.get());
  el_set(
      state_->editor, EL_PROMPT, +[](EditLine* editor) {
        State* state = nullptr;
        el_get(editor, EL_CLIENTDATA, &state);
        return state->prompt.data();
      });
  el_set(state_->editor, EL_SIGNAL, 0);
  el_set(state_->editor, EL_EDITOR, "emacs");
  el_set(state_->editor, EL_HIST, ::history, state_->history);
  el_set(state_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(state_->editor, EL_GETCFN, &read_character<State>);
  el_source(state_->editor, nullptr);  // the user's ~/.editrc
}

LineEditor::~LineEditor() {
  HistEvent event;
  if (!state_->history_file.empty()) history(state_->history, &event, H_SAVE, state_->history_file.c_str());
  history_end(state_->history);
  el_end(state_->editor);
}

LineEditor::Outcome LineEditor::read(const std::string& prompt, std::string& line) {
  NoteInterrupt interrupt;
  state_->interrupt = &interrupt;
  state_->prompt = prompt;
  el_resize(state_->editor);
  int count = 0;
  const char* text = el_gets(state_->editor, &count);
  state_->interrupt = nullptr;
  if (text == nullptr || count <= 0) {
    const bool interrupted = count < 0 && errno == EINTR;
    std::fputs(interrupted ? "^C\n" : "\n", stdout);
    if (interrupted) el_reset(state_->editor);
    return interrupted ? Outcome::kInterrupted : Outcome::kEnd;
  }
  line.assign(text, static_cast<std::size_t>(count));
  if (!line.empty() && line.back() == '\n') line.pop_back();
  return Outcome::kLine;
}

void LineEditor::remember(const std::string& statement) {
  HistEvent event;
  history(state_->history, &event, H_ENTER, statement.c_str());
}

}  // namespace saccade::shell
