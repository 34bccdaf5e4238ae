#include "interfaces/shell/progress_bar.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace saccade::shell {
namespace {

constexpr std::chrono::milliseconds kPeriod{100};
constexpr int kUsualColumns = 80;
constexpr int kBarColumns = 30;
constexpr double kLeastFraction = 0.01;  // before it, an estimate would be a guess

int columns_of(int terminal) {
  winsize size{};
  return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualColumns;
}

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string count(std::int64_t rows) {
  const auto number = static_cast<double>(rows);
  if (rows < 10'000) return fmt::format("{} rows", rows);
  if (rows < 10'000'000) return fmt::format("{:.0f} k rows", number / 1e3);
  if (rows < 10'000'000'000) return fmt::format("{:.0f} M rows", number / 1e6);
  return fmt::format("{:.0f} G rows", number / 1e9);
}

std::string bar(double fraction, int columns) {
  const int done = static_cast<int>(std::floor(std::clamp(fraction, 0.0, 1.0) * columns));
  std::string text(static_cast<std::size_t>(done), '=');
  if (done < columns) text += '>';
  text.resize(static_cast<std::size_t>(columns), ' ');
  return "[" + text + "]";
}

}  // namespace

std::string progress_line(const Progress& progress, int columns) {
  std::string line;
  if (progress.fraction >= 0) {
    const int percent = static_cast<int>(std::floor(std::clamp(progress.fraction, 0.0, 1.0) * 100));
    line = fmt::format("{} {:3} %  ", bar(progress.fraction, std::clamp(columns - 50, 5, kBarColumns)), percent);
  }
  const auto add = [&](const std::string& part) {
    if (static_cast<int>(line.size() + part.size()) < columns) line += part;
  };
  add(duration(progress.seconds));
  if (progress.seconds_left >= 0 && progress.fraction >= kLeastFraction) {
    add(fmt::format(", about {} left", duration(progress.seconds_left)));
  }
  if (progress.rows > 0) add(", " + count(progress.rows));
  return line.substr(0, static_cast<std::size_t>(std::max(columns - 1, 0)));
}

ProgressBar::ProgressBar(const Session& session, int terminal, std::chrono::milliseconds delay)
    : session_(session), terminal_(terminal) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // Ctrl-C is the shell's thread's
  thread_ = std::thread([this, delay] { run(delay); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ended_condition_.notify_one();
  thread_.join();
}

void ProgressBar::run(std::chrono::milliseconds delay) {
  std::unique_lock lock(mutex_);
  auto wait = delay;
  while (!ended_condition_.wait_for(lock, wait, [this] { return ended_; })) {
    const Progress progress = session_.progress();
    if (progress.running) draw(progress_line(progress, columns_of(terminal_)));
    wait = kPeriod;
  }
  if (drawn_ == 0) return;
  draw("");
  draw("");
}

// A drawing that fails or comes only in part is not worth an error.
void ProgressBar::draw(const std::string& line) {
  std::string text = "\r" + line;
  if (line.size() < drawn_) text.append(drawn_ - line.size(), ' ');
  drawn_ = line.size();
  [[maybe_unused]] const ssize_t written = ::write(terminal_, text.data(), text.size());
}

}  // namespace saccade::shell
