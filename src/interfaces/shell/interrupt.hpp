// Ctrl-C. While a statement runs or its result is written it cancels that; at the prompt it clears the line; else it ends the
// process. One shell a process; all but the signal itself on the shell's thread.
#pragma once

#include "saccade/saccade.hpp"

namespace saccade::shell {

// Catches SIGINT from now on, and has a closed pipe, or a file beyond the limit of the process, be an error of the write
// instead of a signal.
void catch_signals();

// For its lifetime, Ctrl-C cancels `session`'s statement and is noted for check_cancelled().
class CancelOnInterrupt {
 public:
  explicit CancelOnInterrupt(Session& session);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt&) = delete;
  CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;
};

// Whether Ctrl-C was pressed since the last CancelOnInterrupt began.
bool is_cancelled();

// Errors: QueryError 57014 where Ctrl-C was pressed within the lifetime of a CancelOnInterrupt.
void check_cancelled();

// For its lifetime, Ctrl-C is only noted: read() returns with EINTR, and taken() tells once.
class NoteInterrupt {
 public:
  NoteInterrupt();
  ~NoteInterrupt();
  NoteInterrupt(const NoteInterrupt&) = delete;
  NoteInterrupt& operator=(const NoteInterrupt&) = delete;
  bool taken();
};

}  // namespace saccade::shell
