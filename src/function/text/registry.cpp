#include "function/text/registry.hpp"

#include <array>
#include <string>

#include "common/error.hpp"

namespace saccade {
namespace {

#define SACCADE_TEXT_FUNCTION(name, result, arguments, nulls, can_fail) \
  TextFunction{TextFunctionId::name, #name, Lane::k##result, arguments, TextNulls::nulls, can_fail},
constexpr std::array kFunctions = {
#include "function/text/functions.inc"
};
#undef SACCADE_TEXT_FUNCTION

}  // namespace

const TextFunction& text_function(TextFunctionId id) {
  const auto index = static_cast<std::size_t>(id);
  SACCADE_CHECK(index < kFunctions.size());
  return kFunctions[index];
}

std::span<const TextFunction> text_functions() {
  return kFunctions;
}

TextFunctionId find_text_function(std::string_view name) {
  for (const TextFunction& function : kFunctions) {
    if (function.name == name) return function.id;
  }
  throw Error(sqlstate::kInternalError, "a plan names the text function \"" + std::string(name) + "\", which does not exist");
}

Lane text_argument_lane(const TextFunction& function, std::size_t index) {
  const std::string_view letters = function.arguments;
  const bool repeats = letters.ends_with('*');
  const std::size_t known = letters.size() - (repeats ? 1 : 0);
  SACCADE_CHECK(index < known || repeats);
  switch (letters[index < known ? index : known - 1]) {
    case 't':
      return Lane::kText;
    case 'i':
      return Lane::kInt64;
    case 'b':
      return Lane::kBoolean;
    case 'w':
      return Lane::kInt128;
    default:
      return Lane::kFloat64;
  }
}

bool takes_arguments(const TextFunction& function, std::size_t count) {
  const bool repeats = function.arguments.ends_with('*');
  const std::size_t known = function.arguments.size() - (repeats ? 1 : 0);
  return repeats ? count >= known : count == known;
}

}  // namespace saccade
