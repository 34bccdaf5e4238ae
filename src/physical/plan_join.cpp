// Joins: the right child becomes a build, the left child probes it; between ranks one or both sides are exchanged first.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "optimizer/cost_model.hpp"
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

ColumnSet intersect(const ColumnSet& a, const ColumnSet& b) {
  ColumnSet result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
  return result;
}

ColumnId plain_column(const Expression& expression) {
  return expression.operation == Operation::kColumn ? expression.column : -1;
}

// Of the tables below a node, the one that the statement names last.
int last_scan_position(const LogicalNode& node) {
  int position = node.position;
  for (const LogicalNode& child : node.children) position = std::max(position, last_scan_position(child));
  return position;
}

// A bitmap over the key's range pays while it stays small beside the rows, or small altogether.
bool dense_pays(const Bounds& bounds, double rows) {
  const int128 range = bounds.high - bounds.low + 1;
  constexpr int128 kAlwaysSmall = int128{1} << 22;
  constexpr int128 kLimit = int128{1} << 33;
  return range <= kAlwaysSmall || (range <= kLimit && static_cast<double>(range) <= 256.0 * std::max(rows, 1.0));
}

}  // namespace

PlanBuilder::JoinKeys PlanBuilder::lower_join_keys(const std::vector<JoinKey>& keys, OpenPipeline& probe, OpenPipeline& build) {
  JoinKeys result;
  for (const JoinKey& key : keys) {
    Lowered left = Lowering(probe).lower(key.probe);
    Lowered right = Lowering(build).lower(key.build);
    if (left.dictionary && right.dictionary) {
      left.node = Lowering(probe).remap(left, right.dictionary);
      left.dictionary = right.dictionary;
    }
    if (left.node.lane == Lane::kInt128 || right.node.lane == Lane::kInt128) {
      left = Lowering(probe).to_int128(std::move(left));
      right = Lowering(build).to_int128(std::move(right));
    }
    // NULL equals nothing: such rows leave before they are looked up or stored.
    if (left.node.nullable) add_filter(probe, not_node(is_null_node(left.node)), "join key is not null", 1);
    if (right.node.nullable) add_filter(build, not_node(is_null_node(right.node)), "join key is not null", 1);
    std::vector<KeyPart> left_parts;
    std::vector<KeyPart> right_parts;
    append_join_parts(probe, left, left_parts);
    append_join_parts(build, right, right_parts);
    for (KeyPart& part : left_parts) result.probe.push_back(std::move(part.node));
    for (KeyPart& part : right_parts) {
      result.build.push_back(std::move(part.node));
      result.build_bounds.push_back(part.bounds);
    }
    result.probe_columns.push_back(plain_column(key.probe));
    result.build_columns.push_back(plain_column(key.build));
  }
  return result;
}

JoinBuild PlanBuilder::make_join_build(const JoinKeys& keys, const OpenPipeline& build) const {
  JoinBuild sink;
  sink.keys = keys.build;
  sink.estimated_rows = build.rows;
  for (const ColumnId column : keys.build_columns) {
    const auto found = build.unique.find(column);
    if (found == build.unique.end()) continue;
    // One unique key column makes the rows unique; a proven one is the better ground.
    if (sink.unique && !found->second.table.empty()) continue;
    sink.unique = true;
    sink.assumed_table = found->second.table;
    sink.assumed_column = found->second.column;
  }
  if (sink.unique && sink.keys.size() == 1 && keys.build_bounds.front() && dense_pays(*keys.build_bounds.front(), build.rows)) {
    sink.layout = JoinBuild::Layout::kDense;
    sink.key_bounds = *keys.build_bounds.front();
  }
  return sink;
}

void PlanBuilder::exchange_join_sides(const LogicalNode& node, const std::vector<JoinKey>& keys, const ColumnSet& needed,
                                      OpenPipeline& probe, OpenPipeline& build) {
  const ColumnSet probe_columns = intersect(needed, output_set(node.children[0]));
  const ColumnSet build_columns = intersect(needed, output_set(node.children[1]));
  Exchange exchange;
  const double build_bytes = build.rows * row_bytes(build, build_columns);
  const double probe_bytes = probe.rows * row_bytes(probe, probe_columns);
  exchange.broadcast_seconds = broadcast_seconds(options_.topology, build_bytes);
  exchange.shuffle_seconds = shuffle_seconds(options_.topology, build_bytes, probe_bytes);
  const bool shuffle = exchange.shuffle_seconds < exchange.broadcast_seconds && probe.distribution == Distribution::kSpread;
  if (!shuffle) {
    exchange.kind = Exchange::Kind::kBroadcast;
    exchange.text = "broadcast build side";
    build = exchange_rows(std::move(build), std::move(exchange), build_columns);
    build.distribution = Distribution::kSpread;
    return;
  }
  const JoinKeys lowered = lower_join_keys(keys, probe, build);
  exchange.kind = Exchange::Kind::kShuffle;
  Exchange probe_exchange = exchange;
  exchange.keys = lowered.build;
  exchange.text = "shuffle build side by join key";
  probe_exchange.keys = lowered.probe;
  probe_exchange.text = "shuffle probe side by join key";
  build = exchange_rows(std::move(build), std::move(exchange), build_columns);
  probe = exchange_rows(std::move(probe), std::move(probe_exchange), probe_columns);
  build.distribution = Distribution::kSpread;
}

void PlanBuilder::add_probe(OpenPipeline& probe, const OpenPipeline& build, int build_id, const JoinKeys& keys,
                            const ColumnSet& needed, bool unique, const std::string& text) {
  Probe step;
  step.build = build_id;
  step.keys = keys.probe;
  step.text = text;
  UniqueProbe remembered{keys.probe_columns.front(), keys.build_columns.front(), {}};
  auto& sink = std::get<JoinBuild>(plan_.pipelines[static_cast<std::size_t>(build_id)].sink);
  const std::vector<Slot> build_slots = plan_.pipelines[static_cast<std::size_t>(build_id)].slots;
  for (const auto& [column, slot] : build.columns) {
    if (!needed.contains(column)) continue;
    sink.payload.push_back(slot);
    Slot copied = build_slots[static_cast<std::size_t>(slot)];
    copied.name = column_name(column);
    step.payload.push_back(probe.add_slot(std::move(copied), build.slot_dictionaries[static_cast<std::size_t>(slot)]));
    probe.columns[column] = step.payload.back();
    remembered.payload.push_back(column);
  }
  probe.pipeline.steps.emplace_back(std::move(step));
  if (unique && keys.probe_columns.size() == 1) unique_probes_[build_id] = std::move(remembered);
}

OpenPipeline PlanBuilder::visit_join(const LogicalNode& node, const ColumnSet& required) {
  const ColumnSet left = output_set(node.children.at(0));
  const ColumnSet right = output_set(node.children.at(1));
  std::vector<JoinKey> keys;
  std::vector<Expression> residual;
  std::string text;
  ColumnSet needed = required;
  for (const Expression& conjunct : node.conjuncts) {
    const bool equality = conjunct.operation == Operation::kEqual;
    const std::vector<ColumnId> a = equality ? columns_of(conjunct.arguments[0]) : std::vector<ColumnId>{};
    const std::vector<ColumnId> b = equality ? columns_of(conjunct.arguments[1]) : std::vector<ColumnId>{};
    const bool usable = equality && !a.empty() && !b.empty();
    if (usable && all_in(a, left) && all_in(b, right)) {
      keys.push_back({conjunct.arguments[0], conjunct.arguments[1]});
    } else if (usable && all_in(a, right) && all_in(b, left)) {
      keys.push_back({conjunct.arguments[1], conjunct.arguments[0]});
    } else {
      residual.push_back(conjunct);
      for (const ColumnId column : columns_of(conjunct)) needed.insert(column);
      continue;
    }
    text += (text.empty() ? "" : " and ") + to_string(conjunct, logical_.names);
    // A parent that reads one side of an equality may as well read the other: an aggregation by build row needs the build's.
    const ColumnId probe_key = plain_column(keys.back().probe);
    const ColumnId build_key = plain_column(keys.back().build);
    if (probe_key >= 0 && build_key >= 0 && required.contains(probe_key)) needed.insert(build_key);
  }
  if (keys.empty())
    throw Error(sqlstate::kFeatureNotSupported, "a join without an equality between its two sides is not supported yet",
                last_scan_position(node), "Join tables by a condition such as a.id = b.id.");
  ColumnSet inputs = needed;
  for (const JoinKey& key : keys) {
    for (const ColumnId column : columns_of(key.probe)) inputs.insert(column);
    for (const ColumnId column : columns_of(key.build)) inputs.insert(column);
  }
  OpenPipeline probe = visit(node.children[0], inputs);
  OpenPipeline build = visit(node.children[1], inputs);
  if (ranks() > 1) exchange_join_sides(node, keys, inputs, probe, build);
  const JoinKeys lowered = lower_join_keys(keys, probe, build);
  JoinBuild sink = make_join_build(lowered, build);
  const bool unique = sink.unique;
  const int build_id = close(build, std::move(sink));
  add_probe(probe, build, build_id, lowered, needed, unique, text);
  if (!unique) {
    probe.max_rows = build.max_rows > kInt64Bounds.high / probe.max_rows ? kInt64Bounds.high : probe.max_rows * build.max_rows;
  }
  // A unique column stays one only while no row of its side is put out twice.
  const bool probe_key_unique = std::any_of(lowered.probe_columns.begin(), lowered.probe_columns.end(),
                                            [&](ColumnId column) { return probe.unique.contains(column); });
  if (!unique) probe.unique.clear();
  if (probe_key_unique) probe.unique.insert(build.unique.begin(), build.unique.end());
  probe.rows = cardinality_.rows(node);
  for (const Expression& conjunct : residual) add_conjunct(probe, conjunct);
  probe.rows = cardinality_.rows(node);
  return probe;
}

}  // namespace saccade::physical
