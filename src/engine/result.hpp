// A result in memory: rows on the host with their types and dictionaries, or lines of text.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <string>
#include <vector>

#include "data/row_set.hpp"
#include "physical/planner.hpp"

namespace saccade {

// What keeps alive what a result's memory is counted in; the pool is inside of `owner`.
struct ResultOwner {
  MemoryPool& pool;
  std::shared_ptr<void> owner;
};

// The types of a plan's result columns.
std::vector<DataType> result_types(const physical::Plan& plan);

std::unique_ptr<QueryResult> make_row_result(const physical::PlannedQuery& planned, RowSet rows, ResultOwner owner,
                                             std::vector<std::string> notices = {});

// One text column named `field`, one row a line.
std::unique_ptr<QueryResult> make_text_result(const std::string& field, std::vector<std::string> lines, std::string command,
                                              ResultOwner owner);

// No rows and no fields: a command that only has a tag.
std::unique_ptr<QueryResult> make_command_result(std::string command, std::vector<std::string> notices = {});

}  // namespace saccade
