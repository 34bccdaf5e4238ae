// What the Tab key offers: keywords, functions, tables and views, columns of the tables that the statement names, settings,
// backslash commands and what they take, and files where a file may stand. Names are read from the database when they are
// needed; a failure there only leaves them out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "saccade/saccade.hpp"

namespace saccade::shell {

struct Completion {
  std::size_t length = 0;               // of the text before the cursor that a candidate replaces, in bytes
  std::vector<std::string> candidates;  // in their order, each once
  std::string after = " ";              // stands behind the only candidate, unless that is a folder, or a function with its "("
};

// `before` and `after`: the statement's text on both sides of the cursor, or the line of a backslash command.
Completion complete(Session& session, const std::string& before, const std::string& after);

// What all candidates have in common at their begin, in whole characters.
std::string common_prefix(const std::vector<std::string>& candidates);

}  // namespace saccade::shell
