// Pipelines of the CPU backend over 6 million synthetic rows in memory: the shapes of TPC-H Q1, Q3 and Q6, and wide groups,
// joins and sorts. Run: ninja bench_cpu && bench_cpu [--benchmark_filter=...]. Argument of each: worker threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "unit/cpu/plan_fixture.hpp"

namespace saccade::cpu_test {
namespace {

constexpr std::int64_t kRows = 6'000'000;
constexpr std::int64_t kChunkRows = 131'072;

// Encoded once; load() hands out views.
class EncodedTable : public Table {
 public:
  EncodedTable(std::string name, const std::vector<std::vector<std::int64_t>>& columns) : name_(std::move(name)) {
    rows_ = static_cast<std::int64_t>(columns[0].size());
    for (const auto& column : columns) {
      const auto [low, high] = std::minmax_element(column.begin(), column.end());
      const Bounds bounds{*low, *high};
      ColumnInfo info;
      info.encoding = choose_encoding(kBigint, bounds);
      info.base = info.encoding.form == Form::kPlain ? 0 : *low;
      info_.push_back(info);
      std::vector<Column> chunks;
      for (std::int64_t begin = 0; begin < rows_; begin += kChunkRows) {
        chunks.push_back(encode_column(kBigint, info.encoding, info.base, column.data() + begin, Lane::kInt64,
                                       std::min(kChunkRows, rows_ - begin), nullptr, nullptr, pool_, name_));
      }
      columns_.push_back(std::move(chunks));
    }
  }
  const std::string& name() const override { return name_; }
  std::uint64_t version() const override { return 1; }
  const std::vector<ColumnInfo>& columns() const override { return info_; }
  std::int64_t row_count() const override { return rows_; }
  void prepare(std::span<const int>, MemoryPool&) override {}
  std::int64_t chunk_count(int, int) const override { return static_cast<std::int64_t>(columns_[0].size()); }
  std::int64_t chunk_rows(int, int, std::int64_t chunk) const override { return at(0, chunk).length; }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t chunk, int column) const override {
    return at(column, chunk).bounds;
  }
  std::vector<Column> load(int, int, std::int64_t chunk, std::span<const int> columns, MemoryPool&) const override {
    std::vector<Column> result;
    for (const int column : columns) result.push_back(at(column, chunk));
    return result;
  }

 private:
  const Column& at(int column, std::int64_t chunk) const {
    return columns_[static_cast<std::size_t>(column)][static_cast<std::size_t>(chunk)];
  }
  MemoryPool pool_{"table", 0};
  std::string name_;
  std::int64_t rows_ = 0;
  std::vector<ColumnInfo> info_;
  std::vector<std::vector<Column>> columns_;
};

std::vector<std::int64_t> uniform(std::int64_t rows, std::int64_t low, std::int64_t high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> value(low, high);
  std::vector<std::int64_t> values(static_cast<std::size_t>(rows));
  for (auto& v : values) v = value(random);
  return values;
}

enum LineColumn { kOrderKey, kShipDate, kQuantity, kPrice, kDiscount, kTax, kReturnFlag, kLineStatus, kLineColumns };

// Four lines an order; the keys of orders lie sparse, eight used of every 32, as the standard has them.
std::vector<std::int64_t> order_keys(std::int64_t lines) {
  std::vector<std::int64_t> keys(static_cast<std::size_t>(lines));
  for (std::int64_t i = 0; i < lines; ++i) keys[static_cast<std::size_t>(i)] = i / 4 / 8 * 32 + i / 4 % 8 + 1;
  return keys;
}

const std::shared_ptr<EncodedTable>& lineitem() {
  static const auto table = std::make_shared<EncodedTable>(
      "lineitem",
      std::vector<std::vector<std::int64_t>>{order_keys(kRows), uniform(kRows, 8036, 10561, 2), uniform(kRows, 1, 50, 3),
                                             uniform(kRows, 90000, 10494950, 4), uniform(kRows, 0, 10, 5),
                                             uniform(kRows, 0, 8, 6), uniform(kRows, 0, 2, 7), uniform(kRows, 0, 1, 8)});
  return table;
}

const std::shared_ptr<EncodedTable>& orders() {
  static const auto table = [] {
    std::vector<std::int64_t> keys;
    for (std::int64_t i = 0; i < kRows / 4; ++i) keys.push_back(i / 8 * 32 + i % 8 + 1);
    return std::make_shared<EncodedTable>("orders",
                                          std::vector<std::vector<std::int64_t>>{keys, uniform(kRows / 4, 8036, 10440, 11)});
  }();
  return table;
}

// A scan of the columns, each in a slot of its own, in order.
PipelineBuilder scan_of(const EncodedTable& table, const std::vector<int>& columns) {
  PipelineBuilder b;
  TableScan scan;
  scan.table = table.name();
  for (const int column : columns) {
    const ColumnInfo& info = table.columns()[static_cast<std::size_t>(column)];
    scan.columns.push_back({column, b.slot("c"), info.encoding, info.base});
  }
  b.pipeline.source = scan;
  return b;
}

void run_plan(benchmark::State& bench, const Plan& plan) {
  MemoryPool pool("query", 0);
  Cancellation cancellation;
  Profile profile;
  const auto backend = make_cpu_backend();
  QueryContext query{{}, pool, cancellation, profile, static_cast<int>(bench.range(0))};
  std::vector<double> seconds(plan.pipelines.size(), 0);
  for (auto _ : bench) {
    RunState state{
        plan, query,
        0,    1,
        {},   [](const TableScan& scan) -> std::shared_ptr<Table> {
                     return scan.table == "lineitem" ? lineitem() : orders(); }};
    state.outputs.resize(plan.pipelines.size());
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
      PipelineProfile measured;
      state.outputs[p] = backend->run(plan.pipelines[p], state, measured);
      seconds[p] += measured.seconds;
    }
  }
  for (std::size_t p = 0; p < seconds.size() && seconds.size() > 1; ++p) {
    bench.counters[std::string("ms_").append(std::to_string(p))] =
        benchmark::Counter(seconds[p] * 1e3, benchmark::Counter::kAvgIterations);
  }
}

Aggregate sum(Node argument) {
  return {AggregateFunction::kSum, Lane::kInt64, {std::move(argument)}};
}

Node less(Node a, Node b) {
  return call(FunctionId::less_i64, {std::move(a), std::move(b)});
}

void q6(benchmark::State& bench) {
  PipelineBuilder b = scan_of(*lineitem(), {kShipDate, kDiscount, kQuantity, kPrice});
  b.filter(combine(NodeKind::kAnd, Lane::kBoolean,
                   {less(b.literal(8765), b.at(0)), less(b.at(0), b.literal(9131)), less(b.literal(4), b.at(1)),
                    less(b.at(1), b.literal(8)), less(b.at(2), b.literal(24))}));
  Aggregation sink;
  sink.layout = Aggregation::Layout::kSingle;
  sink.aggregates = {sum(call(FunctionId::multiply_i64, {b.at(3), b.at(1)}))};
  b.pipeline.sink = sink;
  run_plan(bench, plan_of({b}));
}

void q1(benchmark::State& bench) {
  PipelineBuilder b = scan_of(*lineitem(), {kShipDate, kQuantity, kPrice, kDiscount, kTax, kReturnFlag, kLineStatus});
  b.filter(less(b.at(0), b.literal(10472)));
  const Node discounted = call(FunctionId::multiply_i64, {b.at(2), call(FunctionId::subtract_i64, {b.literal(100), b.at(3)})});
  const Node charge = call(FunctionId::multiply_i64, {discounted, call(FunctionId::add_i64, {b.literal(100), b.at(4)})});
  Aggregation sink;
  sink.layout = Aggregation::Layout::kPerfect;
  sink.keys = {b.at(5), b.at(6)};
  sink.key_bounds = {{0, 2}, {0, 1}};
  sink.groups = 6;
  sink.aggregates = {sum(b.at(1)), sum(b.at(2)), sum(discounted),
                     sum(charge),  sum(b.at(3)), {AggregateFunction::kCountStar, Lane::kInt64, {}}};
  sink.presence = 5;
  b.pipeline.sink = sink;
  run_plan(bench, plan_of({b}));
}

// Orders by a date, lines by a date and their order, revenue by order.
Plan q3_plan(JoinBuild::Layout layout) {
  PipelineBuilder build = scan_of(*orders(), {0, 1});
  build.filter(less(build.at(1), build.literal(9204)));
  JoinBuild join;
  join.layout = layout;
  join.unique = true;
  join.keys = {build.at(0)};
  join.key_bounds = {0, kRows};
  join.payload = {0, 1};
  build.pipeline.sink = join;
  PipelineBuilder probe = scan_of(*lineitem(), {kOrderKey, kShipDate, kPrice, kDiscount});
  probe.filter(less(probe.literal(9204), probe.at(1)));
  const int row = probe.slot("row");
  probe.pipeline.steps.emplace_back(Probe{0, {probe.at(0)}, {-1, -1}, row, ""});
  Aggregation sink;
  sink.layout = Aggregation::Layout::kBuildRow;
  sink.build = 0;
  sink.keys = {probe.at(row)};
  sink.aggregates = {
      sum(call(FunctionId::multiply_i64, {probe.at(2), call(FunctionId::subtract_i64, {probe.literal(100), probe.at(3)})}))};
  sink.presence = 0;
  probe.pipeline.sink = sink;
  PipelineBuilder last;
  last.pipeline.source = OutputScan{1, {last.slot("orderkey"), last.slot("orderdate"), last.slot("revenue")}};
  Sort sort;
  sort.keys = {call(FunctionId::descending_i64, {last.at(2)}), last.at(1)};
  sort.limit = 10;
  sort.output = {0, 1, 2};
  last.pipeline.sink = sort;
  return plan_of({build, probe, last});
}

void q3_dense(benchmark::State& bench) {
  run_plan(bench, q3_plan(JoinBuild::Layout::kDense));
}
void q3_hash(benchmark::State& bench) {
  run_plan(bench, q3_plan(JoinBuild::Layout::kHash));
}

// 1.5 million groups in the order of the data; six million in none.
void group(benchmark::State& bench, const std::vector<int>& columns) {
  PipelineBuilder b = scan_of(*lineitem(), columns);
  Aggregation sink;
  for (std::size_t c = 0; c < columns.size(); ++c) sink.keys.push_back(b.at(static_cast<int>(c)));
  sink.aggregates = {{AggregateFunction::kCountStar, Lane::kInt64, {}}, sum(b.at(0))};
  b.pipeline.sink = sink;
  run_plan(bench, plan_of({b}));
}
void group_by_order(benchmark::State& bench) {
  group(bench, {kOrderKey});
}
void group_by_price_and_date(benchmark::State& bench) {
  group(bench, {kPrice, kShipDate});
}
void group_by_quantity(benchmark::State& bench) {
  group(bench, {kQuantity});
}

void sort_lines(benchmark::State& bench) {
  PipelineBuilder b = scan_of(*lineitem(), {kShipDate, kPrice, kOrderKey});
  Sort sort;
  sort.keys = {b.at(0), b.at(1)};
  sort.output = {0, 1, 2};
  b.pipeline.sink = sort;
  run_plan(bench, plan_of({b}));
}

#define SACCADE_BENCH(name) BENCHMARK(name)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()
SACCADE_BENCH(q6);
SACCADE_BENCH(q1);
SACCADE_BENCH(q3_dense);
SACCADE_BENCH(q3_hash);
SACCADE_BENCH(group_by_order);
SACCADE_BENCH(group_by_price_and_date);
SACCADE_BENCH(group_by_quantity);
SACCADE_BENCH(sort_lines);

}  // namespace
}  // namespace saccade::cpu_test

BENCHMARK_MAIN();
