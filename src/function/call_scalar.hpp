// One call of a registered scalar function, for constants. Pure; any thread.
#pragma once

#include <span>

#include "common/int128.hpp"
#include "function/registry.hpp"

namespace saccade {

// The member that the lane names is set.
struct ScalarValue {
  Lane lane = Lane::kInt64;
  bool boolean = false;
  std::int64_t int64 = 0;
  saccade::int128 int128 = 0;
  double float64 = 0;
};

// Arguments in the function's lanes. What it returns where it sets `error` means nothing.
ScalarValue call_scalar(FunctionId function, std::span<const ScalarValue> arguments, FunctionError& error);

}  // namespace saccade
