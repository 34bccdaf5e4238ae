// A result in memory: rows on the host with their types and dictionaries, or lines of text.
#pragma once

#include <saccade/saccade.hpp>

#include <memory>
#include <string>
#include <vector>

#include "data/row_set.hpp"
#include "data/time_zone.hpp"
#include "engine/result_column.hpp"
#include "physical/planner.hpp"

namespace saccade {

// What keeps alive what a result's memory is counted in; the pool is inside of `owner`.
struct ResultOwner {
  MemoryPool& pool;
  std::shared_ptr<void> owner;
};

// The types of a plan's result columns.
std::vector<DataType> result_types(const physical::Plan& plan);

// The rows of a plan's result as columns.
std::vector<ResultLane> result_lanes(const physical::PlannedQuery& planned, RowSet rows);

// Times with a zone are shown in `zone`.
std::unique_ptr<QueryResult> make_row_result(const physical::PlannedQuery& planned, RowSet rows, ResultOwner owner,
                                             const TimeZone& zone, std::vector<std::string> notices = {});

// Text columns of these names; `cells` by row. NULL does not occur.
std::unique_ptr<QueryResult> make_text_result(const std::vector<std::string>& names,
                                              std::vector<std::vector<std::string>> cells, std::string command,
                                              ResultOwner owner);
// One column, one row a line.
std::unique_ptr<QueryResult> make_text_result(const std::string& name, const std::vector<std::string>& lines,
                                              std::string command, ResultOwner owner);

// No rows and no fields: a command that only has a tag.
std::unique_ptr<QueryResult> make_command_result(std::string command, std::vector<std::string> notices = {});

}  // namespace saccade
