// The functions of functions.inc, one declaration each; files of this folder define them in groups.
#pragma once

#include "function/text/call.hpp"

namespace saccade::text_impl {

#define SACCADE_TEXT_FUNCTION(name, result, arguments, nulls, can_fail) void run_##name(TextCall& call);
#include "function/text/functions.inc"
#undef SACCADE_TEXT_FUNCTION

using Constants = std::span<const std::optional<TextOperand>>;
std::shared_ptr<const TextPrepared> prepare_like(Constants constants);
std::shared_ptr<const TextPrepared> prepare_ilike(Constants constants);
// The pattern is argument 1, the flags are argument `flags` (none: -1).
template <int flags>
std::shared_ptr<const TextPrepared> prepare_regex(Constants constants);

}  // namespace saccade::text_impl
