#include "interfaces/shell/interrupt.hpp"

#include <csignal>

#include <atomic>

namespace saccade::shell {
namespace {

std::atomic<Session*> running{nullptr};
std::atomic<bool> cancelled{false};  // while `running` was set
std::atomic<bool> noting{false};
std::atomic<bool> noted{false};
static_assert(std::atomic<Session*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void on_interrupt(int signal) {
  if (Session* session = running.load()) {
    cancelled.store(true);
    session->cancel();
  } else if (noting.load()) {
    noted.store(true);
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;  // without SA_RESTART: a read at the prompt is to return
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

CancelOnInterrupt::CancelOnInterrupt(Session& session) {
  cancelled.store(false);
  running.store(&session);
}
CancelOnInterrupt::~CancelOnInterrupt() {
  running.store(nullptr);
}

bool is_cancelled() {
  return cancelled.load(std::memory_order_relaxed);
}

void check_cancelled() {
  if (running.load(std::memory_order_relaxed) != nullptr && is_cancelled()) {
    throw QueryError("57014", "canceling statement due to user request", 0, "");
  }
}

NoteInterrupt::NoteInterrupt() {
  noted.store(false);
  noting.store(true);
}
NoteInterrupt::~NoteInterrupt() {
  noting.store(false);
}
bool NoteInterrupt::taken() {
  return noted.exchange(false);
}

}  // namespace saccade::shell
