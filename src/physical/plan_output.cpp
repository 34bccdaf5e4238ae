// Where pipelines end: sorts, exchanges and the result.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/cost_model.hpp"
#include "physical/device_support.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

std::vector<ColumnId> present(const OpenPipeline& open, const ColumnSet& columns) {
  std::vector<ColumnId> result;
  for (const ColumnId column : columns) {
    if (open.columns.contains(column)) result.push_back(column);
  }
  return result;
}

// The last steps of a query, over rows that an earlier pipeline has already reduced, run on the host: a kernel and its
// transfers would cost more than the work. EXPLAIN says so.
Placement finishing_placement(const Pipeline& pipeline) {
  if (std::holds_alternative<OneRow>(pipeline.source) || std::holds_alternative<ValueRows>(pipeline.source))
    return Placement::kHost;
  if (!std::holds_alternative<OutputScan>(pipeline.source)) return Placement::kDevice;
  for (const Step& step : pipeline.steps) {
    if (std::holds_alternative<Probe>(step)) return Placement::kDevice;
  }
  const auto* aggregation = std::get_if<Aggregation>(&pipeline.sink);
  const bool by_build_row = aggregation != nullptr && aggregation->layout == Aggregation::Layout::kBuildRow;
  return by_build_row || std::holds_alternative<JoinBuild>(pipeline.sink) ? Placement::kDevice : Placement::kHost;
}

}  // namespace

int PlanBuilder::close(OpenPipeline& open, Sink sink) {
  open.pipeline.id = static_cast<int>(plan_.pipelines.size());
  open.pipeline.sink = std::move(sink);
  if (auto* exchange = std::get_if<Exchange>(&open.pipeline.sink)) {
    for (Node& key : exchange->keys) key = hashed_texts(std::move(key));
  }
  for (const auto& dictionary : open.text_dictionaries) open.pipeline.text_dictionaries.push_back(dictionary_index(dictionary));
  open.pipeline.estimated_rows = open.rows;
  open.pipeline.placement = finishing_placement(open.pipeline);
  plan_.pipelines.push_back(std::move(open.pipeline));
  return plan_.pipelines.back().id;
}

std::vector<int> PlanBuilder::slots_of(const OpenPipeline& open, const std::vector<ColumnId>& columns) const {
  std::vector<int> slots;
  for (const ColumnId column : columns) slots.push_back(open.columns.at(column));
  return slots;
}

OpenPipeline PlanBuilder::read_output(int id, const OpenPipeline& from, const std::vector<ColumnId>& columns) {
  const Pipeline& source = plan_.pipelines[static_cast<std::size_t>(id)];
  OpenPipeline open;
  OutputScan scan{id, {}};
  const std::vector<Slot> outputs = output_slots(plan_, id);
  SACCADE_CHECK(outputs.size() == columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto slot = static_cast<std::size_t>(from.columns.at(columns[i]));
    Slot copied = source.slots[slot];
    copied.name = column_name(columns[i]);
    scan.slots.push_back(open.add_slot(std::move(copied), from.slot_dictionaries[slot]));
    open.columns[columns[i]] = scan.slots.back();
    const auto unique = from.unique.find(columns[i]);
    if (unique != from.unique.end()) open.unique[columns[i]] = unique->second;
  }
  open.pipeline.source = std::move(scan);
  open.max_rows = from.max_rows;
  open.rows = from.rows;
  open.distribution = from.distribution;
  return open;
}

double PlanBuilder::row_bytes(const OpenPipeline& open, const ColumnSet& columns) const {
  double bytes = 0;
  for (const ColumnId column : columns) {
    const auto found = open.columns.find(column);
    if (found == open.columns.end()) continue;
    const Slot& slot = open.pipeline.slots[static_cast<std::size_t>(found->second)];
    constexpr double kUsualText = 24;
    bytes += (slot.lane == Lane::kText ? kUsualText : lane_bytes(slot.lane)) + (slot.nullable ? 1 : 0);
  }
  return std::max(bytes, 1.0);
}

// Rows that lie on rank 0: on others there may be some that nobody reads (the group of an aggregation without keys). A build of
// one row on rank 0 and none elsewhere holds them back.
void PlanBuilder::keep_rank_zero(OpenPipeline& open) {
  OpenPipeline one;
  one.pipeline.source = OneRow{};
  JoinBuild sink;
  sink.layout = JoinBuild::Layout::kAllRows;
  sink.estimated_rows = 1;
  Probe step;
  step.kind = ProbeKind::kSemi;
  step.build = close(one, std::move(sink));
  step.text = "rows of rank 0";
  open.pipeline.steps.emplace_back(std::move(step));
}

OpenPipeline PlanBuilder::exchange_rows(OpenPipeline open, Exchange exchange, const ColumnSet& columns) {
  if (open.distribution == Distribution::kRankZero) keep_rank_zero(open);
  const std::vector<ColumnId> output = present(open, columns);
  exchange.output = slots_of(open, output);
  exchange.estimated_rows = open.rows;
  const bool gather = exchange.kind == Exchange::Kind::kGather;
  const int id = close(open, std::move(exchange));
  OpenPipeline next = read_output(id, open, output);
  if (gather) next.distribution = Distribution::kRankZero;
  return next;
}

OpenPipeline PlanBuilder::gather_to_rank_zero(OpenPipeline open, const ColumnSet& columns) {
  if (ranks() == 1 || open.distribution == Distribution::kRankZero) return open;
  Exchange exchange;
  exchange.kind = Exchange::Kind::kGather;
  exchange.text = "gather to rank 0";
  // Rank 0 takes in as much as each rank does of a broadcast.
  exchange.broadcast_seconds = broadcast_seconds(options_.topology, open.rows * row_bytes(open, columns));
  return exchange_rows(std::move(open), std::move(exchange), columns);
}

OpenPipeline PlanBuilder::sort_rows(OpenPipeline open, const std::vector<SortKey>& keys, std::optional<std::int64_t> limit,
                                    std::int64_t offset, const ColumnSet& required) {
  Sort sink;
  for (const SortKey& key : keys)
    append_sort_parts(open, Lowering(open).lower_key(key.expression), key.descending, key.nulls_first, sink.keys);
  const std::vector<ColumnId> output = present(open, required);
  sink.output = slots_of(open, output);
  sink.limit = limit;
  sink.offset = offset;
  if (limit) {
    const int128 kept = static_cast<int128>(*limit);
    open.max_rows =
        std::max<int128>(1, std::min(open.max_rows, kept * (open.distribution == Distribution::kSpread ? ranks() : 1)));
  }
  const int id = close(open, std::move(sink));
  OpenPipeline next = read_output(id, open, output);
  if (limit) next.rows = std::min(next.rows, static_cast<double>(*limit));
  return next;
}

OpenPipeline PlanBuilder::visit_sort(const LogicalNode& node, const ColumnSet& required) {
  LogicalNode limit;
  limit.kind = LogicalKind::kLimit;
  limit.children.push_back(node);
  return visit_limit(limit, required);
}

// LIMIT, with the sort below it where there is one. With several ranks each keeps its own first offset + limit rows, and rank 0
// chooses among them.
OpenPipeline PlanBuilder::visit_limit(const LogicalNode& node, const ColumnSet& required) {
  const LogicalNode& child = node.children.at(0);
  const bool through_project = child.kind == LogicalKind::kProject;
  if (through_project) {
    LogicalNode limit = node;
    limit.children.front() = child.children.at(0);
    LogicalNode project = child;
    project.children.front() = std::move(limit);
    return visit_project(project, required);
  }
  static const std::vector<SortKey> kNoKeys;
  const bool sorted = child.kind == LogicalKind::kSort;
  const std::vector<SortKey>& keys = sorted ? child.sort_keys : kNoKeys;
  ColumnSet needed = required;
  for (const SortKey& key : keys) {
    for (const ColumnId column : columns_of(key.expression)) needed.insert(column);
  }
  OpenPipeline open = visit(sorted ? child.children.at(0) : child, needed);
  const bool spread = ranks() > 1 && open.distribution == Distribution::kSpread;
  if (!spread) return sort_rows(std::move(open), keys, node.limit, node.offset, required);
  if (node.limit) {
    const std::int64_t room = INT64_MAX - node.offset;
    open = sort_rows(std::move(open), keys, std::min(*node.limit, room) + node.offset, 0, needed);
  }
  open = gather_to_rank_zero(std::move(open), needed);
  return sort_rows(std::move(open), keys, node.limit, node.offset, required);
}

PlannedQuery PlanBuilder::build_query() {
  ColumnSet required;
  for (const ResultColumn& column : logical_.result) required.insert(column.column);
  OpenPipeline open = gather_to_rank_zero(visit(logical_.root, required), required);
  Result sink;
  for (const ResultColumn& column : logical_.result) {
    sink.output.push_back(open.columns.at(column.column));
    plan_.result_names.push_back(column.name);
  }
  close(open, std::move(sink));
  return take_plan();
}

PlannedQuery PlanBuilder::build_insert(const std::string& table) {
  ColumnSet required;
  for (const ResultColumn& column : logical_.result) required.insert(column.column);
  OpenPipeline open = visit(logical_.root, required);
  Insert sink;
  sink.table = table;
  sink.only_rank_zero = open.distribution == Distribution::kRankZero;
  for (const ResultColumn& column : logical_.result) {
    sink.output.push_back(open.columns.at(column.column));
    sink.column_names.push_back(column.name);
    plan_.result_names.push_back(column.name);
  }
  close(open, std::move(sink));
  return take_plan();
}

PlannedQuery PlanBuilder::take_plan() {
  // A probe that was made before its build's payload was known reads none of it.
  for (Pipeline& pipeline : plan_.pipelines) {
    for (Step& step : pipeline.steps) {
      auto* probe = std::get_if<Probe>(&step);
      if (probe == nullptr) continue;
      const auto& build = std::get<JoinBuild>(plan_.pipelines[static_cast<std::size_t>(probe->build)].sink);
      probe->payload.resize(build.payload.size(), -1);
    }
  }
  if (options_.gpu) place_for_gpu(plan_, options_.gpu_fallback);
  return {std::move(plan_), std::move(dictionaries_)};
}

}  // namespace saccade::physical
