// The words of SQL that completion offers.
#pragma once

#include <span>
#include <string_view>

namespace saccade::shell {

std::span<const std::string_view> statement_starts();  // words with which a statement begins, in upper case
std::span<const std::string_view> keywords();          // all others, in upper case
std::span<const std::string_view> functions();         // in lower case, with "("

}  // namespace saccade::shell
