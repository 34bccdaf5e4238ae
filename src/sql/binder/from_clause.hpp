// Binds FROM: tables, files and inner joins to a tree of scans and joins, and the scope of their names.
#pragma once

#include "sql/binder/scope.hpp"

namespace saccade {

struct FromClause {
  LogicalNode node;  // scans of all columns; finish_scans() leaves those that the statement uses
  Scope scope;
};

// `items`: the list "fromClause". Errors: 42P01, 42712, 0A000, those of FileOpener::open and of expressions.
FromClause bind_from(BindingContext& context, const nlohmann::json& items);

// Cuts every scan of the plan down to the columns in use, and has their tables prepare them.
void finish_scans(BindingContext& context, LogicalNode& node);

}  // namespace saccade
