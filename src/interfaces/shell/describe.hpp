// \d, \dt and \dv. Errors of both: QueryError, OutputError.
#pragma once

#include <string>

#include "interfaces/shell/command_line.hpp"
#include "interfaces/shell/console.hpp"
#include "saccade/saccade.hpp"

namespace saccade::shell {

enum class RelationKind { kAll, kTables, kViews };

// `pattern`: all where it is empty.
void list_relations(Session& session, Console& console, RelationKind kind, const std::string& pattern);

// All relations that a pattern means, or a file where the argument is in single quotes.
void describe_relations(Session& session, Console& console, const CommandArgument& argument);

}  // namespace saccade::shell
