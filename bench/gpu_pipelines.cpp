// TPC-H Q1, Q3 and Q6 on the GPU backend alone, over synthetic tables in device memory: what the claims on kernels rest on.
//
//   gpu_pipelines compile          the time NVRTC takes for each kernel and architecture; needs no GPU
//   gpu_pipelines run [chunks]     warm times of each pipeline over chunks of a million lines (60: scale factor 10)
//   gpu_pipelines text             the kernels
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "execution/gpu/device_text.hpp"
#include "execution/gpu/emitter.hpp"
#include "execution/gpu/gpu_backend.hpp"
#include "execution/gpu/primitives/primitives.hpp"
#include "unit/gpu/tpch_plans.hpp"

namespace {

using namespace saccade;

constexpr std::int64_t kLines = 1 << 20;
constexpr std::int64_t kOrders = kLines / 3;
constexpr std::int64_t kCustomers = 60000;
constexpr int kRuns = 10;

// The chunk of a small table again and again; the keys of its first column go on from chunk to chunk.
class RepeatedTable final : public Table {
 public:
  RepeatedTable(const test::ArrayTable& table, std::int64_t chunks, std::int64_t key_step, MemoryPool& pool)
      : table_(table), chunks_(chunks), key_step_(key_step) {
    std::vector<int> columns;
    for (std::size_t i = 0; i < table.arrays().size(); ++i) columns.push_back(static_cast<int>(i));
    chunk_ = table.load(0, 1, 0, columns, pool);
  }
  const std::string& name() const override { return table_.name(); }
  std::uint64_t version() const override { return table_.version(); }
  const std::vector<ColumnInfo>& columns() const override { return table_.columns(); }
  std::int64_t row_count() const override { return chunks_ * table_.row_count(); }
  void prepare(std::span<const int>, MemoryPool&) override {}
  std::int64_t chunk_count(int, int) const override { return chunks_; }
  std::int64_t chunk_rows(int, int, std::int64_t) const override { return table_.row_count(); }
  std::optional<Bounds> chunk_bounds(int, int, std::int64_t, int) const override { return std::nullopt; }
  std::vector<Column> load(int, int, std::int64_t chunk, std::span<const int> columns, MemoryPool&) const override {
    std::vector<Column> result;
    for (const int column : columns) {
      result.push_back(chunk_.at(static_cast<std::size_t>(column)));
      if (column == 0) result.back().base += chunk * key_step_;
    }
    return result;
  }

 private:
  const test::ArrayTable& table_;
  std::int64_t chunks_, key_step_;
  std::vector<Column> chunk_;
};

struct Tables {
  explicit Tables(bool large)
      : customer(test::customer_table(large ? kCustomers : 100)),
        orders(test::orders_table(large ? kOrders : 100, large ? kCustomers : 100, 1)),
        lineitem(test::lineitem_table(large ? kLines : 100, {large ? kLines : 100})) {}
  std::shared_ptr<test::ArrayTable> customer, orders, lineitem;
};

std::vector<std::pair<std::string, physical::Plan>> plans(const Tables& tables) {
  return {{"Q1", test::q1_plan(*tables.lineitem)},
          {"Q3", test::q3_plan(*tables.customer, *tables.orders, *tables.lineitem)},
          {"Q6", test::q6_plan(*tables.lineitem)}};
}

void report_compile() {
  const auto report = [](const std::string& name, const std::string& source) {
    for (const int architecture : {80, 90, 100}) {
      double best = 1e9;
      for (int i = 0; i < 3; ++i) best = std::min(best, gpu::compile_with_nvrtc(source, architecture).seconds);
      fmt::print("{:24} sm_{:<4} {:6.0f} ms\n", name, architecture, best * 1e3);
    }
  };
  const Tables tables(false);
  for (const auto& [name, plan] : plans(tables)) {
    for (const physical::Pipeline& pipeline : plan.pipelines) {
      report(fmt::format("{} pipeline {}", name, pipeline.id),
             gpu::complete_source(gpu::emit_pipeline(plan, pipeline.id).source, 256));
    }
  }
  for (const std::string& name : gpu::Primitives::names()) {
    report(name, gpu::complete_source(gpu::embedded_text("execution/gpu/primitives/" + name + ".cu"), 256));
  }
}

// Orders and lines of all chunks have keys of their own: bounds, estimates and the dense build grow with them.
void stretch(physical::Plan& q3, std::int64_t chunks, std::int64_t key_step) {
  auto& build = std::get<physical::JoinBuild>(q3.pipelines[1].sink);
  build.key_bounds.high = key_step * chunks;
  q3.pipelines[1].estimated_rows = 0.1 * static_cast<double>(kOrders * chunks);
  std::get<physical::Aggregation>(q3.pipelines[2].sink).estimated_groups = 0.03 * static_cast<double>(kOrders * chunks);
  for (const int pipeline : {1, 2}) q3.pipelines[static_cast<std::size_t>(pipeline)].slots[0].bounds->high = key_step * chunks;
}

void report_run(std::int64_t chunks) {
  Settings settings;
  auto residency = std::make_shared<gpu::Residency>();
  const std::unique_ptr<Backend> backend = make_gpu_backend("gpu 0", gpu::make_cuda_runtime(0, settings), residency);
  MemoryPool pool("bench", 0);
  Cancellation cancellation;
  Profile profile;
  QueryContext query{settings, pool, cancellation, profile, 1};
  const Tables tables(true);
  const std::int64_t key_step = static_cast<std::int64_t>(tables.orders->arrays()[0].cells.back().integer) / 64 * 64 + 64;
  const RepeatedTable customer(*tables.customer, 1, 0, pool), orders(*tables.orders, chunks, key_step, pool),
      lineitem(*tables.lineitem, chunks, key_step, pool);
  const auto open = [&](const physical::TableScan& scan) -> std::shared_ptr<Table> {
    const Table& table = scan.table == "customer" ? customer : scan.table == "orders" ? orders : lineitem;
    return {std::shared_ptr<void>(), const_cast<Table*>(&table)};
  };
  for (auto [name, plan] : plans(tables)) {
    if (name == "Q3") stretch(plan, chunks, key_step);
    std::vector<PipelineProfile> best(plan.pipelines.size());
    for (int run = 0; run < kRuns; ++run) {
      RunState state{plan, query, 0, 1, {}, open};
      state.outputs.resize(plan.pipelines.size());
      for (const physical::Pipeline& pipeline : plan.pipelines) {
        PipelineProfile measured;
        const auto id = static_cast<std::size_t>(pipeline.id);
        state.outputs[id] = backend->run(pipeline, state, measured);
        if (run == 0 || measured.seconds < best[id].seconds) best[id] = measured;
      }
    }
    for (const PipelineProfile& measured : best) {
      fmt::print(
          "{} pipeline {}: {:8.3f} ms, {:6.2f} GB, {:5.0f} GB/s; {} rows in, {} out; {} launches, {} waits, {} allocations\n",
          name, measured.pipeline, measured.seconds * 1e3, static_cast<double>(measured.bytes) / 1e9,
          static_cast<double>(measured.bytes) / 1e9 / measured.seconds, measured.rows_in, measured.rows_out, measured.launches,
          measured.synchronisations, measured.allocations);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  try {
    if (mode == "compile") {
      report_compile();
    } else if (mode == "run") {
      report_run(count > 2 ? std::atoll(arguments[2]) : 60);
    } else if (mode == "text") {
      const Tables tables(false);
      for (const auto& [name, plan] : plans(tables)) {
        for (const physical::Pipeline& pipeline : plan.pipelines) fmt::print("{}\n", gpu::emit_kernel(plan, pipeline.id));
      }
    } else {
      fmt::print(stderr, "gpu_pipelines compile | run [chunks] | text\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
