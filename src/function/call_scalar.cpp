#include "function/call_scalar.hpp"

#include "function/scalar/all.hpp"

namespace saccade {
namespace {

ScalarValue scalar(bool value) {
  return {.lane = Lane::kBoolean, .boolean = value};
}
ScalarValue scalar(i64 value) {
  return {.lane = Lane::kInt64, .int64 = value};
}
ScalarValue scalar(i128 value) {
  return {.lane = Lane::kInt128, .int128 = value};
}
ScalarValue scalar(double value) {
  return {.lane = Lane::kFloat64, .float64 = value};
}

// `function` calls by name, not through a pointer: the functions are always inlined, and sanitizers' code keeps pointers
// opaque.
template <bool can_fail, class F, class... Arguments>
ScalarValue call(F function, FunctionError& error, Arguments... arguments) {
  if constexpr (can_fail) {
    return scalar(function(arguments..., error));
  } else {
    return scalar(function(arguments...));
  }
}

}  // namespace

ScalarValue call_scalar(FunctionId function, std::span<const ScalarValue> arguments, FunctionError& error) {
  SACCADE_CHECK(static_cast<int>(arguments.size()) == scalar_function(function).argument_count);
#define SACCADE_ARGUMENT_Boolean(i) arguments[i].boolean
#define SACCADE_ARGUMENT_Int64(i) arguments[i].int64
#define SACCADE_ARGUMENT_Int128(i) arguments[i].int128
#define SACCADE_ARGUMENT_Float64(i) arguments[i].float64
  switch (function) {
#define SACCADE_SCALAR_1(name, result, can_fail, a) \
  case FunctionId::name:                            \
    return call<can_fail>([](auto&... values) { return name(values...); }, error, SACCADE_ARGUMENT_##a(0));
#define SACCADE_SCALAR_2(name, result, can_fail, a, b)                                                     \
  case FunctionId::name:                                                                                   \
    return call<can_fail>([](auto&... values) { return name(values...); }, error, SACCADE_ARGUMENT_##a(0), \
                          SACCADE_ARGUMENT_##b(1));
#define SACCADE_SCALAR_3(name, result, can_fail, a, b, c)                                                  \
  case FunctionId::name:                                                                                   \
    return call<can_fail>([](auto&... values) { return name(values...); }, error, SACCADE_ARGUMENT_##a(0), \
                          SACCADE_ARGUMENT_##b(1), SACCADE_ARGUMENT_##c(2));
#include "function/scalar/functions.inc"
#undef SACCADE_SCALAR_1
#undef SACCADE_SCALAR_2
#undef SACCADE_SCALAR_3
#undef SACCADE_ARGUMENT_Boolean
#undef SACCADE_ARGUMENT_Int64
#undef SACCADE_ARGUMENT_Int128
#undef SACCADE_ARGUMENT_Float64
  }
  return {};
}

}  // namespace saccade
