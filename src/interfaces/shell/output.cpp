#include "interfaces/shell/output.hpp"

#include <cerrno>
#include <cstring>

namespace saccade::shell {

OutputError::OutputError(int error_number)
    : std::runtime_error(std::string("could not write to the output: ") + std::strerror(error_number)),
      closed_(error_number == EPIPE) {}

void Output::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) throw OutputError(errno);
}

void Output::flush() {
  errno = 0;
  if (std::fflush(file_) != 0) throw OutputError(errno);
}

}  // namespace saccade::shell
