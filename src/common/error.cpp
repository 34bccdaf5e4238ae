#include "common/error.hpp"

#include <fmt/format.h>

namespace saccade {

void raise_internal(const char* condition, const char* file, int line) {
  throw Error(sqlstate::kInternalError, fmt::format("internal error: {} does not hold ({}:{})", condition, file, line), 0,
              "This is a fault of Saccade; please report the statement that led to it.");
}

}  // namespace saccade
