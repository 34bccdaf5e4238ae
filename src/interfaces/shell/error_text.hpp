// An error as psql shows it with verbosity, without the fields that only a server has:
//
//   ERROR:  22012: division by zero
//   LINE 2:   a / 0
//               ^
//   HINT:  ...
#pragma once

#include <string>
#include <string_view>

#include "saccade/saccade.hpp"

namespace saccade::shell {

// `statement`: the text that the error's position counts in. Ends with a newline.
std::string error_text(const QueryError& error, std::string_view statement);

// The line of the statement that the error's position lies in; 1 without one.
int line_of(const QueryError& error, std::string_view statement);

}  // namespace saccade::shell
