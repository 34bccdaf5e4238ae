#include "interfaces/shell/output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "interfaces/shell/interrupt.hpp"

namespace saccade::shell {
namespace {

constexpr std::size_t kBufferBytes = 64 << 10;

}  // namespace

OutputError::OutputError(const std::string& name, int error_number)
    : std::runtime_error("could not write to " + name + ": " + std::strerror(error_number)),
      closed_(error_number == EPIPE),
      sqlstate_(error_number == ENOSPC || error_number == EDQUOT ? "53100" : "58030") {}

Output::Output(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

Output Output::to_file(const std::string& path) {
  const std::string name = "\"" + path + "\"";
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw OutputError(name, errno);
  Output output(descriptor, name);
  output.owned_ = true;
  return output;
}

Output::Output(Output&& other) noexcept
    : descriptor_(other.descriptor_),
      owned_(std::exchange(other.owned_, false)),
      name_(std::move(other.name_)),
      buffer_(std::move(other.buffer_)) {}

Output::~Output() {
  if (owned_) ::close(descriptor_);
}

void Output::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  if (text.size() > kBufferBytes) {
    write_out(text);
  } else {
    buffer_ += text;
  }
}

void Output::flush() {
  std::string text;
  text.swap(buffer_);  // gone whether or not it can be written
  write_out(text);
  text.clear();
  buffer_.swap(text);  // its memory is used again
}

void Output::close() {
  flush();
  if (!std::exchange(owned_, false)) return;
  if (::close(descriptor_) != 0 && errno != EINTR) throw OutputError(name_, errno);
}

bool Output::is_terminal() const {
  return ::isatty(descriptor_) != 0;
}

int Output::terminal_columns() const {
  winsize size{};
  return is_terminal() && ::ioctl(descriptor_, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void Output::write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno != EINTR) throw OutputError(name_, errno);
    if (count < 0) check_cancelled();
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace saccade::shell
