// Keys of joins as parts, and the table that the build side is put into.
#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "physical/node.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

ColumnId plain_column(const Expression& expression) {
  return expression.operation == Operation::kColumn ? expression.column : -1;
}

// A bitmap over the key's range pays while it stays small beside the rows, or small altogether.
bool dense_pays(const Bounds& bounds, double rows) {
  const int128 range = bounds.high - bounds.low + 1;
  constexpr int128 kAlwaysSmall = int128{1} << 22;
  constexpr int128 kLimit = int128{1} << 33;
  return range <= kAlwaysSmall || (range <= kLimit && static_cast<double>(range) <= 256.0 * std::max(rows, 1.0));
}

KeyPart null_part(const Node& value) {
  return {call_node(FunctionId::int64_of_boolean, {is_null_node(value)}), Bounds{0, 1}};
}

KeyPart zero_part(OpenPipeline& open) {
  return {integer_literal(open.pipeline, Lane::kInt64, 0), Bounds{0, 0}};
}

}  // namespace

// NULL equals nothing: such rows leave before they are looked up or stored, unless the join puts them out. Then a part of its
// own, 1 where the value is null and 0 on the other side, keeps them from matching. Null-safe keys have one such part for both.
PlanBuilder::JoinKeys PlanBuilder::lower_join_keys(const JoinTask& task, OpenPipeline& probe, OpenPipeline& build) {
  JoinKeys result;
  for (const JoinKey& key : task.keys) {
    Lowered left = Lowering(probe).lower_key(key.probe);
    Lowered right = Lowering(build).lower_key(key.build);
    constexpr std::int64_t kLargestMap = 1 << 18;
    const bool differ = left.dictionary && right.dictionary && left.dictionary->identity() != right.dictionary->identity();
    if (left.node.lane == Lane::kText || right.node.lane == Lane::kText ||
        (differ && left.dictionary->size() + right.dictionary->size() > kLargestMap)) {
      left = Lowering(probe).to_text(std::move(left));
      right = Lowering(build).to_text(std::move(right));
    }
    if (left.dictionary && right.dictionary) {
      left.node = Lowering(probe).remap(left, right.dictionary);
      left.dictionary = right.dictionary;
    }
    if (left.node.lane == Lane::kInt128 || right.node.lane == Lane::kInt128) {
      left = Lowering(probe).to_int128(std::move(left));
      right = Lowering(build).to_int128(std::move(right));
    }
    std::vector<KeyPart> left_parts, right_parts;
    if (key.null_safe) {
      if (left.node.nullable || right.node.nullable) {
        left_parts.push_back(left.node.nullable ? null_part(left.node) : zero_part(probe));
        right_parts.push_back(right.node.nullable ? null_part(right.node) : zero_part(build));
        // Without bounds NULL is 0 on both sides; with them it would be the smallest value of its own.
        left.bounds = right.bounds = std::nullopt;
      }
    } else {
      if (left.node.nullable && task.keeps_probe()) {
        left_parts.push_back(null_part(left.node));
        right_parts.push_back(zero_part(build));
      } else if (left.node.nullable) {
        add_filter(probe, not_node(is_null_node(left.node)), "join key is not null", 1);
      }
      if (right.node.nullable && task.tracks()) {
        left_parts.push_back(zero_part(probe));
        right_parts.push_back(null_part(right.node));
      } else if (right.node.nullable) {
        add_filter(build, not_node(is_null_node(right.node)), "join key is not null", 1);
      }
    }
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

// The keys of one side before the other is known: values that are int64 on both sides (closes_build_first).
void PlanBuilder::lower_simple_build(const JoinTask& task, OpenPipeline& build, JoinKeys& keys) {
  for (const JoinKey& key : task.keys) {
    const Lowered value = Lowering(build).lower(key.build);
    SACCADE_CHECK(value.node.lane == Lane::kInt64);
    std::vector<KeyPart> parts;
    keys.build_null_parts.push_back(value.node.nullable && task.tracks());
    if (keys.build_null_parts.back()) {
      parts.push_back(null_part(value.node));
    } else if (value.node.nullable) {
      add_filter(build, not_node(is_null_node(value.node)), "join key is not null", 1);
    }
    append_join_parts(build, value, parts);
    for (KeyPart& part : parts) {
      keys.build.push_back(std::move(part.node));
      keys.build_bounds.push_back(part.bounds);
    }
    keys.build_columns.push_back(plain_column(key.build));
  }
}

void PlanBuilder::lower_simple_probe(const JoinTask& task, OpenPipeline& probe, JoinKeys& keys) {
  SACCADE_CHECK(!task.keeps_probe());
  for (std::size_t i = 0; i < task.keys.size(); ++i) {
    const Lowered value = Lowering(probe).lower(task.keys[i].probe);
    SACCADE_CHECK(value.node.lane == Lane::kInt64);
    std::vector<KeyPart> parts;
    if (keys.build_null_parts[i]) parts.push_back(zero_part(probe));
    if (value.node.nullable) add_filter(probe, not_node(is_null_node(value.node)), "join key is not null", 1);
    append_join_parts(probe, value, parts);
    for (KeyPart& part : parts) keys.probe.push_back(std::move(part.node));
    keys.probe_columns.push_back(plain_column(task.keys[i].probe));
  }
}

JoinBuild PlanBuilder::make_join_build(const JoinTask& task, const JoinKeys& keys, const OpenPipeline& build) const {
  JoinBuild sink;
  sink.keys = keys.build;
  sink.estimated_rows = build.rows;
  sink.track_matches = task.tracks();
  if (sink.keys.empty()) {
    sink.layout = JoinBuild::Layout::kAllRows;
    return sink;
  }
  sink.distinct = !task.tracks() && !task.puts_out_pairs() && task.conditions.empty();
  for (std::size_t i = 0; i < task.keys.size() && !sink.distinct; ++i) {
    // A unique column may still hold several NULLs, which are equal here.
    const auto found = task.keys[i].null_safe ? build.unique.end() : build.unique.find(keys.build_columns[i]);
    if (found == build.unique.end()) continue;
    // NULLs are entered as rows of one key where they are put out later.
    if (task.tracks() && build.pipeline.slots[static_cast<std::size_t>(build.columns.at(keys.build_columns[i]))].nullable)
      continue;
    // One unique key column makes the rows unique; a proven one is the better ground.
    if (sink.unique && !found->second.table.empty()) continue;
    sink.unique = true;
    sink.assumed_table = found->second.table;
    sink.assumed_column = found->second.column;
  }
  const bool one_row_a_key = sink.unique || sink.distinct;
  if (one_row_a_key && sink.keys.size() == 1 && keys.build_bounds.front() &&
      dense_pays(*keys.build_bounds.front(), build.rows)) {
    sink.layout = JoinBuild::Layout::kDense;
    sink.key_bounds = *keys.build_bounds.front();
  }
  return sink;
}

}  // namespace saccade::physical
