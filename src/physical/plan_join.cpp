// Joins: one child becomes a build, the other probes it. This file takes a join apart and puts the probe in place;
// plan_join_keys.cpp, plan_join_ranks.cpp and plan_join_tracked.cpp have the rest.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/rewrite.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

bool all_in(const std::vector<ColumnId>& columns, const ColumnSet& set) {
  return std::all_of(columns.begin(), columns.end(), [&](ColumnId column) { return set.contains(column); });
}

ColumnSet output_set(const LogicalNode& node) {
  const std::vector<ColumnId> columns = output_columns(node);
  return {columns.begin(), columns.end()};
}

void insert_columns(const Expression& expression, ColumnSet& set) {
  for (const ColumnId column : columns_of(expression)) set.insert(column);
}

ProbeKind probe_kind(JoinKind kind, bool left_builds) {
  switch (kind) {
    case JoinKind::kInner:
      return ProbeKind::kInner;
    case JoinKind::kLeft:
      return left_builds ? ProbeKind::kInner : ProbeKind::kLeft;
    case JoinKind::kFull:
      return ProbeKind::kLeft;
    case JoinKind::kSemi:
      return left_builds ? ProbeKind::kTrack : ProbeKind::kSemi;
    case JoinKind::kAnti:
      return left_builds ? ProbeKind::kTrack : ProbeKind::kAnti;
    case JoinKind::kMark:
      return ProbeKind::kMark;
  }
  throw Error(sqlstate::kInternalError, "unknown kind of join");
}

}  // namespace

// By rows: an insert into a build costs as much as probing several rows, and what the build side adds is read once more.
bool PlanBuilder::left_builds(const LogicalNode& node, bool has_keys) const {
  constexpr double kInsertCost = 3;
  const double left = cardinality_.rows(node.children.at(0)), right = cardinality_.rows(node.children.at(1));
  switch (node.join_kind) {
    case JoinKind::kInner:  // the optimizer has put the smaller one on the right
    case JoinKind::kMark:
      return false;
    case JoinKind::kFull:
      return left < right;
    case JoinKind::kLeft:
      return has_keys && right + kInsertCost * left + cardinality_.rows(node) < left + kInsertCost * right;
    case JoinKind::kSemi:
    case JoinKind::kAnti:
      return has_keys && right + (kInsertCost + 1) * left < left + kInsertCost * right;
  }
  return false;
}

PlanBuilder::JoinTask PlanBuilder::take_apart(const LogicalNode& node, const ColumnSet& required) const {
  JoinTask task;
  task.kind = node.join_kind;
  task.node = &node;
  task.required = required;
  task.needed = required;
  const ColumnSet left = output_set(node.children.at(0));
  const ColumnSet right = output_set(node.children.at(1));
  std::vector<JoinKey> keys;  // of the left and the right
  for (const Expression& conjunct : node.conjuncts) {
    const std::optional<EqualOperands> equal = equal_operands(conjunct);
    const std::vector<ColumnId> a = equal ? columns_of(*equal->a) : std::vector<ColumnId>{};
    const std::vector<ColumnId> b = equal ? columns_of(*equal->b) : std::vector<ColumnId>{};
    const bool usable = !a.empty() && !b.empty();
    if (usable && all_in(a, left) && all_in(b, right)) {
      keys.push_back({*equal->a, *equal->b, equal->null_safe});
    } else if (usable && all_in(a, right) && all_in(b, left)) {
      keys.push_back({*equal->b, *equal->a, equal->null_safe});
    } else {
      task.conditions.push_back(conjunct);
      insert_columns(conjunct, task.needed);
      continue;
    }
    task.text += (task.text.empty() ? "" : " and ") + to_string(conjunct, logical_.names);
  }
  if (keys.empty()) {
    for (const Expression& condition : task.conditions)
      task.text += (task.text.empty() ? "" : " and ") + to_string(condition, logical_.names);
  }
  task.left_builds = left_builds(node, !keys.empty());
  task.inputs = task.needed;
  for (JoinKey& key : keys) {
    if (task.left_builds) std::swap(key.probe, key.build);
    insert_columns(key.probe, task.inputs);
    insert_columns(key.build, task.inputs);
    // A parent that reads one side of an equality may as well read the other: an aggregation by build row needs the build's.
    const bool plain = key.probe.operation == Operation::kColumn && key.build.operation == Operation::kColumn;
    if (task.kind == JoinKind::kInner && plain && required.contains(key.probe.column)) task.needed.insert(key.build.column);
  }
  task.keys = std::move(keys);
  return task;
}

// The build's payload: what is read of its columns above the join or, of a build that is scanned, after it; and what the
// conditions read. Slots of the probe hold those that its own pipeline reads.
void PlanBuilder::add_probe(const JoinTask& task, OpenPipeline& probe, const OpenPipeline& build, int build_id,
                            const JoinKeys& keys) {
  auto& sink = std::get<JoinBuild>(plan_.pipelines[static_cast<std::size_t>(build_id)].sink);
  const std::vector<Slot> build_slots = plan_.pipelines[static_cast<std::size_t>(build_id)].slots;
  Probe step;
  step.kind = probe_kind(task.kind, task.left_builds);
  step.build = build_id;
  step.keys = keys.probe;
  step.text = task.text;
  ColumnSet condition_columns;
  for (const Expression& condition : task.conditions) insert_columns(condition, condition_columns);
  std::vector<ColumnId> payload, hidden;
  for (const auto& [column, slot] : build.columns) {
    const bool put_out = task.puts_out_pairs() && task.needed.contains(column);
    const bool scanned = task.tracks() && task.required.contains(column);
    if (!put_out && !scanned && !condition_columns.contains(column)) continue;
    payload.push_back(column);
    sink.payload.push_back(slot);
    step.payload.push_back(-1);
    if (!put_out && !condition_columns.contains(column)) continue;
    Slot copied = build_slots[static_cast<std::size_t>(slot)];
    copied.name = column_name(column);
    copied.nullable |= step.kind == ProbeKind::kLeft;
    step.payload.back() = probe.add_slot(std::move(copied), build.slot_dictionaries[static_cast<std::size_t>(slot)]);
    probe.columns[column] = step.payload.back();
    if (!put_out) hidden.push_back(column);
  }
  // An inner join whose build need not know which rows match leaves its conditions to filters behind it.
  if (task.kind != JoinKind::kInner && !task.conditions.empty()) {
    std::vector<Node> conditions;
    for (const Expression& condition : task.conditions) conditions.push_back(lower_condition(probe, condition));
    step.condition.push_back(conditions.size() == 1 ? std::move(conditions.front()) : and_node(std::move(conditions)));
  }
  for (const ColumnId column : hidden) probe.columns.erase(column);
  if (task.kind == JoinKind::kMark) {
    Slot mark{column_name(task.node->mark), {TypeKind::kBoolean}, Lane::kBoolean, false, Bounds{0, 1}, -1};
    step.mark_slot = probe.add_slot(std::move(mark), nullptr);
    probe.columns[task.node->mark] = step.mark_slot;
  }
  if (task.kind == JoinKind::kInner && sink.unique && keys.probe.size() == 1)
    unique_probes_[build_id] = UniqueProbe{keys.probe_columns.front(), keys.build_columns.front(), std::move(payload)};
  probe.pipeline.steps.emplace_back(std::move(step));
  note_restriction(probe, build, build_id, keys, task);
}

// How many rows the pairs can be, and which columns still hold no value twice.
void PlanBuilder::limit_rows(const JoinTask& task, OpenPipeline& probe, const OpenPipeline& build, const JoinBuild& sink,
                             const JoinKeys& keys) const {
  if (!task.puts_out_pairs()) return;
  const bool unique = sink.unique || build.max_rows <= 1;
  if (!unique) {
    probe.max_rows = build.max_rows > kInt64Bounds.high / probe.max_rows ? kInt64Bounds.high : probe.max_rows * build.max_rows;
  }
  // A unique column stays one only while no row of its side is put out twice.
  const bool probe_key_unique = std::any_of(keys.probe_columns.begin(), keys.probe_columns.end(),
                                            [&](ColumnId column) { return probe.unique.contains(column); });
  if (!unique) probe.unique.clear();
  if (probe_key_unique && task.kind == JoinKind::kInner) probe.unique.insert(build.unique.begin(), build.unique.end());
}

OpenPipeline PlanBuilder::finish_join(const JoinTask& task, OpenPipeline probe, const OpenPipeline& build, int build_id,
                                      const JoinKeys& keys) {
  const JoinBuild sink = std::get<JoinBuild>(plan_.pipelines[static_cast<std::size_t>(build_id)].sink);
  add_probe(task, probe, build, build_id, keys);
  const LogicalNode& node = *task.node;
  if (task.kind == JoinKind::kSemi || task.kind == JoinKind::kAnti) {
    OpenPipeline result = task.left_builds ? read_matches(task, std::move(probe), build, build_id) : std::move(probe);
    result.rows = cardinality_.rows(node);
    return result;
  }
  limit_rows(task, probe, build, sink, keys);
  probe.rows = cardinality_.rows(node);
  if (task.kind == JoinKind::kInner) {
    for (const Expression& conjunct : task.conditions) add_conjunct(probe, conjunct);
  }
  if (task.tracks()) probe = add_unmatched(task, std::move(probe), build, build_id);
  probe.rows = cardinality_.rows(node);
  return probe;
}

OpenPipeline PlanBuilder::visit_join(const LogicalNode& node, const ColumnSet& required, const Reducers& reducers) {
  const JoinTask task = take_apart(node, required);
  const std::size_t probe_child = task.left_builds ? 1 : 0, build_child = 1 - probe_child;
  const auto visit_child = [&](std::size_t child, Reducers own) {
    reducers_ = reducers_of_child(node, reducers, child);
    if (child == build_child) {
      for (auto& [column, reducer] : reducers_) reducer.crossing = true;
    } else {
      forget_repeated(task, reducers_);
    }
    reducers_.merge(own);
    return visit(node.children[child], task.inputs);
  };
  OpenPipeline probe, build;
  if (visits_build_first(task)) {
    build = visit_child(build_child, {});
    if (closes_build_first(task)) {
      JoinKeys keys;
      lower_simple_build(task, build, keys);
      const int build_id = close(build, make_join_build(task, keys, build));
      probe = visit_child(probe_child, own_reducers(task, keys, build_id));
      lower_simple_probe(task, probe, keys);
      return finish_join(task, std::move(probe), build, build_id, keys);
    }
    probe = visit_child(probe_child, restrictions_of_build(task, build));
  } else {
    probe = visit_child(probe_child, {});
    build = visit_child(build_child, restrictions_of_probe(task, probe));
  }
  if (ranks() > 1) exchange_join_sides(task, probe, build);
  const JoinKeys keys = lower_join_keys(task, probe, build);
  const JoinBuild sink = make_join_build(task, keys, build);
  const int build_id = close(build, sink);
  return finish_join(task, std::move(probe), build, build_id, keys);
}

}  // namespace saccade::physical
