// The scalar functions over lanes, each written once (scalar/*.hpp) for host and device.
//
// A registered function is strict (NULL in, NULL out; the loops handle that) and pure. One that can fail takes a trailing
// `FunctionError&`, sets it, and returns any value; it is called only for rows that earlier conditions have let through.
// scalar/functions.inc is the single list: registry, CPU loops, parity test and device text are all made from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/error.hpp"
#include "data/data_type.hpp"
#include "function/function_error.hpp"

namespace saccade {

enum class FunctionId : std::uint16_t {
#define SACCADE_SCALAR_1(name, result, can_fail, a) name,
#define SACCADE_SCALAR_2(name, result, can_fail, a, b) name,
#define SACCADE_SCALAR_3(name, result, can_fail, a, b, c) name,
#include "function/scalar/functions.inc"
#undef SACCADE_SCALAR_1
#undef SACCADE_SCALAR_2
#undef SACCADE_SCALAR_3
};

struct ScalarFunction {
  FunctionId id;
  std::string_view name;  // also the device name
  Lane result;
  int argument_count;
  std::array<Lane, 3> arguments;
  bool can_fail;
};

const ScalarFunction& scalar_function(FunctionId id);
std::span<const ScalarFunction> scalar_functions();
// By name, for plans read from text. Errors: XX000.
FunctionId find_function(std::string_view name);

// The SQL error of a function's failure ("22012 division by zero", "22003 integer out of range", ...).
Error to_error(FunctionError error);

}  // namespace saccade
