// Joins whose build side is put out by whether its rows matched: full joins, and left, semi and anti joins that build the left.
#include <algorithm>
#include <utility>

#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

// The build's rows, with the columns of its payload that are in `columns`.
OpenPipeline PlanBuilder::scan_build(const OpenPipeline& build, int build_id, BuildScan::Which which,
                                     const ColumnSet& columns) {
  const Pipeline& source = plan_.pipelines[static_cast<std::size_t>(build_id)];
  const auto& sink = std::get<JoinBuild>(source.sink);
  OpenPipeline open;
  BuildScan scan{build_id, which, std::vector<int>(sink.payload.size(), -1)};
  for (const auto& [column, slot] : build.columns) {
    const auto place = std::find(sink.payload.begin(), sink.payload.end(), slot);
    if (!columns.contains(column) || place == sink.payload.end()) continue;
    Slot copied = source.slots[static_cast<std::size_t>(slot)];
    copied.name = column_name(column);
    int& target = scan.slots[static_cast<std::size_t>(place - sink.payload.begin())];
    if (target < 0) target = open.add_slot(std::move(copied), build.slot_dictionaries[static_cast<std::size_t>(slot)]);
    open.columns[column] = target;
  }
  open.pipeline.source = std::move(scan);
  open.unique = build.unique;
  open.max_rows = build.max_rows;
  open.distribution = build.distribution;
  return open;
}

OpenPipeline PlanBuilder::read_matches(const JoinTask& task, OpenPipeline probe, const OpenPipeline& build, int build_id) {
  close(probe, Collect{});
  const bool semi = task.kind == JoinKind::kSemi;
  return scan_build(build, build_id, semi ? BuildScan::Which::kMatched : BuildScan::Which::kUnmatched, task.required);
}

// The pairs, then the unmatched rows of the build with NULL for the columns of the probe side.
OpenPipeline PlanBuilder::add_unmatched(const JoinTask& task, OpenPipeline pairs, const OpenPipeline& build, int build_id) {
  std::vector<ColumnId> columns;
  for (const ColumnId column : task.required) {
    if (pairs.columns.contains(column)) columns.push_back(column);
  }
  const int pairs_id = close(pairs, Collect{slots_of(pairs, columns)});
  OpenPipeline result = read_output(pairs_id, pairs, columns);
  OpenPipeline unmatched = scan_build(build, build_id, BuildScan::Which::kUnmatched, task.required);
  unmatched.rows = std::max(1.0, build.rows);
  for (const ColumnId column : columns) {
    Slot& slot = result.pipeline.slots[static_cast<std::size_t>(result.columns.at(column))];
    const auto own = unmatched.columns.find(column);
    if (own != unmatched.columns.end()) {
      slot.nullable |= unmatched.pipeline.slots[static_cast<std::size_t>(own->second)].nullable;
      continue;
    }
    slot.nullable = true;
    const auto& dictionary = result.slot_dictionaries[static_cast<std::size_t>(result.columns.at(column))];
    compute(unmatched, column, {null_literal(unmatched.pipeline, slot.lane), slot.bounds, dictionary});
  }
  const int unmatched_id = close(unmatched, Collect{slots_of(unmatched, columns)});
  OutputScan scan = std::get<OutputScan>(result.pipeline.source);
  OutputScan rest{unmatched_id, scan.slots};
  result.pipeline.source = Concatenation{{std::move(scan), std::move(rest)}};
  result.unique.clear();
  result.max_rows = std::min(kInt64Bounds.high, pairs.max_rows + build.max_rows);
  return result;
}

}  // namespace saccade::physical
