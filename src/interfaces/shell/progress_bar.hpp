// Shows on a terminal how far the running statement is, and how long it will still take. Nothing is drawn in a statement's
// first second, and the line is cleared at the end, so that results and errors stand where they would without it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "saccade/saccade.hpp"

namespace saccade::shell {

// Draws for its lifetime, from a thread of its own that takes no signals.
class ProgressBar {
 public:
  static constexpr std::chrono::milliseconds kDelay{1000};

  // `session` and the open `terminal` outlive the bar.
  ProgressBar(const Session& session, int terminal, std::chrono::milliseconds delay = kDelay);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void run(std::chrono::milliseconds delay);
  void draw(const std::string& line);

  const Session& session_;
  int terminal_;
  std::size_t drawn_ = 0;  // columns
  std::mutex mutex_;
  std::condition_variable ended_condition_;
  bool ended_ = false;
  std::thread thread_;
};

// "[=====>    ]  42 %  3.4 s, about 4.7 s left, 12.3 M rows", in fewer than `columns` columns.
std::string progress_line(const Progress& progress, int columns);

}  // namespace saccade::shell
