// The functions that only the host has: those over text, and some that a GPU would compute otherwise or could not.
//
// text/functions.inc is the single list. Each works on a vector of rows (text/call.hpp); names are those in plans, one for each
// signature, not those of SQL, which the binder and the lowering choose from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "data/data_type.hpp"

namespace saccade {

enum class TextFunctionId : std::uint16_t {
#define SACCADE_TEXT_FUNCTION(name, result, arguments, nulls, can_fail) name,
#include "function/text/functions.inc"
#undef SACCADE_TEXT_FUNCTION
};

// kStrict: null exactly where an argument is. kStrictOrNull: null there, and where the function says so. kOwn: the function
// sees null arguments; kOwnNeverNull: and gives no null.
enum class TextNulls : std::uint8_t { kStrict, kStrictOrNull, kOwn, kOwnNeverNull };

struct TextFunction {
  TextFunctionId id;
  std::string_view name;
  Lane result;
  // A letter an argument: t text, i int64, b boolean, w int128, d float64; a last '*' repeats the one before.
  std::string_view arguments;
  TextNulls nulls;
  bool can_fail;
};

const TextFunction& text_function(TextFunctionId id);
// Whether it gives another value for every row even where all its arguments are constant.
inline bool is_volatile(TextFunctionId id) {
  return id == TextFunctionId::random_double || id == TextFunctionId::random_uuid;
}
std::span<const TextFunction> text_functions();
// By name, for plans read from text. Errors: XX000.
TextFunctionId find_text_function(std::string_view name);
// The lane of argument `index`.
Lane text_argument_lane(const TextFunction& function, std::size_t index);
// Whether the function takes that many arguments.
bool takes_arguments(const TextFunction& function, std::size_t count);

}  // namespace saccade
