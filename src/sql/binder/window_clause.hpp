// The windows of one query: those that its WINDOW clause names, and the functions that are computed over them.
//
// Filled while the select list and ORDER BY are bound; then attach() puts the windows over the query's rows. One thread.
#pragma once

#include <string>
#include <vector>

#include "sql/binder/grouping.hpp"

namespace saccade {

// What a window is made of: fields of the syntax tree, its own and those taken over from a named window.
struct WindowDefinition {
  const nlohmann::json* partition = nullptr;  // lists; null: none
  const nlohmann::json* order = nullptr;
  const nlohmann::json* frame = nullptr;  // fields that hold frameOptions, startOffset, endOffset
  int position = 0;
};

class WindowClause {
 public:
  // Errors: 42P20 for a name that is repeated.
  WindowClause(const BindingContext& context, const nlohmann::json& select);

  // Of the fields of an OVER clause. Errors: 42704 for a name that is not there, 42P20 for what can't be overridden.
  WindowDefinition resolve(const nlohmann::json& fields) const { return resolve(fields, named_.size()); }

  // The column of the call's result; equal calls over equal windows are one.
  ColumnId add(BindingContext& context, std::vector<Expression> partition, std::vector<SortKey> order, WindowCall call);

  // Whether a column is the result of one of the calls.
  bool makes(ColumnId column) const;
  // Puts everything in terms of keys and aggregates. Errors: 42803.
  void rewrite(const Grouping& grouping);
  LogicalNode attach(LogicalNode input);

 private:
  struct Named {
    std::string name;
    const nlohmann::json* fields;
  };
  // `known`: so many of the named windows stand before it.
  WindowDefinition resolve(const nlohmann::json& fields, std::size_t known) const;
  std::size_t find(const std::string& name, std::size_t known, int position) const;

  const BindingContext& context_;
  std::vector<Named> named_;
  std::vector<LogicalNode> windows_;  // without their child
};

// One of PostgreSQL's functions that are nothing without OVER.
bool is_window_function(std::string_view name);

}  // namespace saccade
