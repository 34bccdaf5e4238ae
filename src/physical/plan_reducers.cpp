// Run-time filters: rows that a join above drops in any case are dropped where they are read, by looking their key up in the
// join's build, which is there already. Only where such rows would be aggregated or built into a table first; on one rank,
// where a build holds all keys; and on the CPU, which has semi joins.
#include <algorithm>
#include <utility>

#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

constexpr double kMostKept = 0.3;  // a filter that keeps a larger share doesn't pay

// Values of these types are int64 wherever they stand, and equal exactly where the int64s are.
bool is_simple(const DataType& type) {
  return type.is_integer() || type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp;
}

// Both sides are plain columns of such a type.
template <class Key>
bool can_reduce(const Key& key) {
  const bool plain = key.probe.operation == Operation::kColumn && key.build.operation == Operation::kColumn;
  return plain && !key.null_safe && is_simple(key.probe.type) && is_simple(key.build.type);
}

bool has_output(const LogicalNode& node, ColumnId column) {
  const std::vector<ColumnId> columns = output_columns(node);
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

// The child's column that `column` shows, where dropping its rows drops exactly the rows of `node` with the same value; else
// -1.
ColumnId column_below(const LogicalNode& node, ColumnId column, std::size_t child) {
  switch (node.kind) {
    case LogicalKind::kFilter:
    case LogicalKind::kSort:
      return column;
    case LogicalKind::kProject:
    case LogicalKind::kAggregate:
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const bool shows = node.outputs[i] == column && node.expressions[i].operation == Operation::kColumn;
        if (shows) return node.expressions[i].column;
      }
      return -1;
    case LogicalKind::kJoin: {
      const bool passes = node.join_kind == JoinKind::kInner || (node.join_kind != JoinKind::kFull && child == 0);
      return passes && has_output(node.children[child], column) ? column : -1;
    }
    default:
      return -1;
  }
}

}  // namespace

PlanBuilder::Reducers PlanBuilder::reducers_of_child(const LogicalNode& node, const Reducers& reducers, std::size_t child) {
  Reducers result;
  for (const auto& [column, reducer] : reducers) {
    const ColumnId below = column_below(node, column, child);
    if (below < 0) continue;
    result[below] = {reducer.build, reducer.crossing || node.kind == LogicalKind::kAggregate};
  }
  return result;
}

bool PlanBuilder::crosses_breaker(const LogicalNode& node, ColumnId column, bool crossing) const {
  if (node.kind == LogicalKind::kScan) return crossing && has_output(node, column);
  for (std::size_t child = 0; child < node.children.size(); ++child) {
    const ColumnId below = column_below(node, column, child);
    if (below < 0) continue;
    const bool breaks = node.kind == LogicalKind::kAggregate || (node.kind == LogicalKind::kJoin && child == 1);
    if (crosses_breaker(node.children[child], below, crossing || breaks)) return true;
  }
  return false;
}

// The build side has few of the rows of the table that its key comes from.
bool PlanBuilder::keeps_few(const LogicalNode& build, const LogicalNode& node, ColumnId column) const {
  if (node.kind == LogicalKind::kScan)
    return has_output(node, column) && cardinality_.rows(build) <= kMostKept * static_cast<double>(node.table->row_count());
  for (std::size_t child = 0; child < node.children.size(); ++child) {
    const ColumnId below = column_below(node, column, child);
    if (below >= 0) return keeps_few(build, node.children[child], below);
  }
  return false;
}

// The build side is planned first where what it knows of its keys can drop rows of the probe side early: the probe side reads a
// table through an aggregation or a build of its own.
bool PlanBuilder::visits_build_first(const JoinTask& task) const {
  if (ranks() > 1 || options_.gpu || task.keeps_probe()) return false;
  const bool closes = closes_build_first(task);
  return std::any_of(task.keys.begin(), task.keys.end(), [&](const JoinKey& key) {
    return can_reduce(key) && (closes || keeps_few(task.build_child(), task.build_child(), key.build.column)) &&
           crosses_breaker(task.probe_child(), key.probe.column, false);
  });
}

// The build itself drops them where it has few of the key's values.
bool PlanBuilder::closes_build_first(const JoinTask& task) const {
  if (task.keys.size() != 1 || !can_reduce(task.keys.front())) return false;
  return cardinality_.rows(task.build_child()) <= kMostKept * cardinality_.distinct(task.keys.front().probe.column);
}

// A build that tells NULL by a part of its own has no key of one part.
PlanBuilder::Reducers PlanBuilder::own_reducers(const JoinTask& task, const JoinKeys& keys, int build_id) {
  if (keys.build.size() != 1) return {};
  return {{task.keys.front().probe.column, {build_id, false}}};
}

// A semi join of the same column that drops as many rows leaves nothing to a filter below it.
void PlanBuilder::forget_repeated(const JoinTask& task, Reducers& reducers) const {
  if (task.kind != JoinKind::kSemi || task.left_builds || task.keys.size() != 1 || !can_reduce(task.keys.front())) return;
  const auto found = reducers.find(task.keys.front().probe.column);
  if (found != reducers.end() && cardinality_.rows(task.build_child()) <= build_rows(found->second.build))
    reducers.erase(found);
}

double PlanBuilder::build_rows(int build) const {
  return std::get<JoinBuild>(plan_.pipelines[static_cast<std::size_t>(build)].sink).estimated_rows;
}

// What the rows of the probe side have passed already, said of the build side's keys. Rows of a build that is scanned later
// matter whether they match or not, unless only matches do.
PlanBuilder::Reducers PlanBuilder::restrictions_of_probe(const JoinTask& task, const OpenPipeline& probe) {
  Reducers result;
  if (task.tracks() && !(task.left_builds && task.kind == JoinKind::kSemi)) return result;
  for (const JoinKey& key : task.keys) {
    const auto found = can_reduce(key) ? probe.restricted.find(key.probe.column) : probe.restricted.end();
    if (found != probe.restricted.end()) result[key.build.column] = {found->second, true};
  }
  return result;
}

PlanBuilder::Reducers PlanBuilder::restrictions_of_build(const JoinTask& task, const OpenPipeline& build) {
  Reducers result;
  for (const JoinKey& key : task.keys) {
    const auto found = can_reduce(key) ? build.restricted.find(key.build.column) : build.restricted.end();
    if (found != build.restricted.end()) result[key.probe.column] = {found->second, false};
  }
  return result;
}

void PlanBuilder::note_restriction(OpenPipeline& probe, const OpenPipeline& build, int build_id, const JoinKeys& keys,
                                   const JoinTask& task) {
  if (task.kind == JoinKind::kInner) probe.restricted.insert(build.restricted.begin(), build.restricted.end());
  const bool drops = task.kind == JoinKind::kInner || (task.kind == JoinKind::kSemi && !task.left_builds);
  const bool simple =
      keys.probe.size() == 1 && is_simple(task.keys.front().probe.type) && is_simple(task.keys.front().build.type);
  if (!drops || !simple || task.keys.front().null_safe) return;
  for (const ColumnId column : {keys.probe_columns.front(), keys.build_columns.front()}) {
    if (column >= 0) probe.restricted[column] = build_id;
  }
}

void PlanBuilder::add_reducers(OpenPipeline& open, const Reducers& reducers) {
  if (ranks() > 1 || options_.gpu) return;
  for (const auto& [column, reducer] : reducers) {
    const auto found = open.columns.find(column);
    if (!reducer.crossing || found == open.columns.end()) continue;
    const Slot& slot = open.pipeline.slots[static_cast<std::size_t>(found->second)];
    const double keys = build_rows(reducer.build);
    const double values = std::min(cardinality_.distinct(column), open.rows);
    if (slot.lane != Lane::kInt64 || !is_simple(slot.type) || keys > kMostKept * values) continue;
    Node key = slot_node(open.pipeline, found->second);
    if (slot.nullable) {
      add_filter(open, not_node(is_null_node(key)), "join key is not null", 1);
      key = or_else_node(std::move(key), integer_literal(open.pipeline, Lane::kInt64, 0));
    }
    Probe step;
    step.kind = ProbeKind::kSemi;
    step.build = reducer.build;
    step.keys.push_back(std::move(key));
    step.text = column_name(column) + " (run-time filter)";
    open.pipeline.steps.emplace_back(std::move(step));
    open.rows = std::max(1.0, open.rows * keys / values);
    open.restricted[column] = reducer.build;
  }
}

}  // namespace saccade::physical
