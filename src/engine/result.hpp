// A result in memory: rows on the host with their types and dictionaries, or lines of text.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <string>
#include <vector>

#include "data/row_set.hpp"
#include "physical/planner.hpp"

namespace saccade {

// `owner` keeps alive what the rows' memory is counted in.
std::unique_ptr<QueryResult> make_row_result(const physical::PlannedQuery& planned, RowSet rows, std::shared_ptr<void> owner);

// One text column named `field`, one row a line.
std::unique_ptr<QueryResult> make_text_result(const std::string& field, std::vector<std::string> lines, std::string command);

// No rows and no fields: a command that only has a tag.
std::unique_ptr<QueryResult> make_command_result(std::string command);

}  // namespace saccade
