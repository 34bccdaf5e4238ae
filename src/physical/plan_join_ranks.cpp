// Joins between ranks: rows that may match are brought together, and each row of a side that is put out without a match lies on
// exactly one rank.
#include <utility>

#include "optimizer/cost_model.hpp"
#include "physical/plan_builder.hpp"

namespace saccade::physical {

namespace {

ColumnSet columns_from(const ColumnSet& wanted, const LogicalNode& node) {
  ColumnSet result;
  for (const ColumnId column : output_columns(node)) {
    if (wanted.contains(column)) result.insert(column);
  }
  return result;
}

}  // namespace

void PlanBuilder::exchange_join_sides(const JoinTask& task, OpenPipeline& probe, OpenPipeline& build) {
  const bool probe_at_zero = probe.distribution == Distribution::kRankZero;
  if (probe_at_zero && build.distribution == Distribution::kRankZero) return;
  const ColumnSet probe_columns = columns_from(task.inputs, task.probe_child());
  const ColumnSet build_columns = columns_from(task.inputs, task.build_child());
  // A build that puts out rows of its own must not stand on several ranks.
  if (task.tracks() && task.keys.empty()) {
    build = gather_to_rank_zero(std::move(build), build_columns);
    probe = gather_to_rank_zero(std::move(probe), probe_columns);
    return;
  }
  Exchange exchange;
  const double build_bytes = build.rows * row_bytes(build, build_columns);
  const double probe_bytes = probe.rows * row_bytes(probe, probe_columns);
  exchange.broadcast_seconds = broadcast_seconds(options_.topology, build_bytes);
  exchange.shuffle_seconds = shuffle_seconds(options_.topology, build_bytes, probe_bytes);
  const bool cheaper = exchange.shuffle_seconds < exchange.broadcast_seconds && !probe_at_zero && !task.keys.empty();
  if (!task.tracks() && !cheaper) {
    exchange.kind = Exchange::Kind::kBroadcast;
    exchange.text = "broadcast build side";
    build = exchange_rows(std::move(build), std::move(exchange), build_columns);
    build.distribution = Distribution::kSpread;
    return;
  }
  const JoinKeys lowered = lower_join_keys(task, probe, build);
  exchange.kind = Exchange::Kind::kShuffle;
  Exchange probe_exchange = exchange;
  exchange.keys = lowered.build;
  exchange.text = "shuffle build side by join key";
  probe_exchange.keys = lowered.probe;
  probe_exchange.text = "shuffle probe side by join key";
  build = exchange_rows(std::move(build), std::move(exchange), build_columns);
  probe = exchange_rows(std::move(probe), std::move(probe_exchange), probe_columns);
  build.distribution = Distribution::kSpread;
  probe.distribution = Distribution::kSpread;
}

}  // namespace saccade::physical
