#include "interfaces/shell/line_editor.hpp"

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cwchar>

#include "interfaces/shell/display_width.hpp"
#include "interfaces/shell/interrupt.hpp"
#include "interfaces/shell/output.hpp"

namespace saccade::shell {

struct LineEditor::State {
  std::string history_file;
  std::string prompt;
  EditLine* editor = nullptr;
  History* history = nullptr;
  Complete complete;
  NoteInterrupt interrupt;
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
    if (!wait_for_input(state->interrupt)) {
      errno = EINTR;
      return -1;
    }
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count == 0) return 0;
    if (count < 0) {
      if (errno != EINTR || state->interrupt.taken()) return -1;
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

// In columns, as many as the terminal has room for.
void list_candidates(const std::vector<std::string>& candidates) {
  constexpr std::size_t kMost = 200;
  constexpr int kGap = 2;
  int width = 0;
  for (const std::string& candidate : candidates) width = std::max(width, display_width(candidate) + kGap);
  const int columns = std::max(1, std::max(Output(STDOUT_FILENO).terminal_columns(), 1) / width);
  std::string text = "\n";
  for (std::size_t i = 0; i < std::min(candidates.size(), kMost); ++i) {
    text += candidates[i];
    const bool ends_line = (i + 1) % static_cast<std::size_t>(columns) == 0 || i + 1 == candidates.size();
    text.append(ends_line ? 0 : static_cast<std::size_t>(width - display_width(candidates[i])), ' ');
    if (ends_line && i + 1 < candidates.size()) text += '\n';
  }
  if (candidates.size() > kMost) text += fmt::format("\n... and {} more", candidates.size() - kMost);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Puts `text` in place of the `length` bytes before the cursor.
void replace_before_cursor(EditLine* editor, const std::string& before, std::size_t length, const std::string& text) {
  const std::size_t count = characters(std::string_view(before).substr(before.size() - length)).size();
  if (count > 0) el_deletestr(editor, static_cast<int>(count));
  el_insertstr(editor, text.c_str());
}

// Tab: what all candidates share is put in; where that is nothing new, they are listed.
template <class State>
unsigned char complete_word(EditLine* editor, int) {
  State* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  const LineInfo* line = el_line(editor);
  const std::string before(line->buffer, line->cursor), after(line->cursor, line->lastchar);
  if (before.find_first_not_of(" \t") == std::string::npos) {  // an indent
    el_insertstr(editor, "    ");
    return CC_REFRESH;
  }
  const Completion completion = state->complete(before, after);
  if (completion.candidates.empty()) return CC_ERROR;
  std::string text = common_prefix(completion.candidates);
  const bool only = completion.candidates.size() == 1;
  if (only && text.find_last_of("/(.") != text.size() - 1) text += completion.after;
  if (!only && text.size() <= completion.length) {
    list_candidates(completion.candidates);
    return CC_REDISPLAY;
  }
  replace_before_cursor(editor, before, completion.length, text);
  return CC_REFRESH;
}

}  // namespace

LineEditor::LineEditor(std::string history_file, Complete complete) : state_(std::make_unique<State>()) {
  state_->history_file = std::move(history_file);
  state_->complete = std::move(complete);
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
  el_set(state_->editor, EL_ADDFN, "saccade-complete", "Completes the word before the cursor", &complete_word<State>);
  el_set(state_->editor, EL_BIND, "^I", "saccade-complete", nullptr);
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
  state_->interrupt.taken();  // what came before the prompt was not meant for it
  state_->prompt = prompt;
  el_resize(state_->editor);
  int count = 0;
  const char* text = el_gets(state_->editor, &count);
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
