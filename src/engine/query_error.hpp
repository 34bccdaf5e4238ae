// Errors on their way out of the engine: whatever is thrown leaves it as a QueryError.
#pragma once

namespace saccade {

// Called within a catch block: raises the exception at hand as a QueryError.
[[noreturn]] void raise_query_error();

// Runs `work` and turns what it throws into a QueryError.
template <class Work>
auto as_query_errors(const Work& work) {
  try {
    return work();
  } catch (...) {
    raise_query_error();
  }
}

}  // namespace saccade
