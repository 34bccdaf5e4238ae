// Which tables a statement that is being typed reads: guessed from its words.
#pragma once

#include <string>
#include <vector>

#include "interfaces/shell/sql_tokens.hpp"

namespace saccade::shell {

struct FromItem {
  std::string sql;    // as it can stand after FROM: a name, or a file in quotes
  std::string alias;  // by which its columns are named; empty for a file without one
};

std::vector<FromItem> from_items(const std::vector<SqlToken>& tokens);

// Whether a table may come after these tokens.
bool wants_relation(const std::vector<SqlToken>& before);

}  // namespace saccade::shell
