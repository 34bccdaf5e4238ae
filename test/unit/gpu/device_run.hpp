// Runs hand-built plans through the GPU backend, and beside it row by row on the host: on the shim, or on the GPU of this
// machine where SACCADE_TEST_GPU is set.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "execution/gpu/gpu_backend.hpp"
#include "unit/gpu/reference.hpp"

namespace saccade::test {

// Kernels of all tests are kept in one folder of the build, so that a second run compiles nothing.
inline Settings shim_settings() {
  Settings settings;
  settings.kernel_cache = (std::filesystem::temp_directory_path() / "saccade-test-kernels").string();
  return settings;
}

inline bool on_gpu() {
  return std::getenv("SACCADE_TEST_GPU") != nullptr;
}

inline std::unique_ptr<gpu::DeviceRuntime> make_test_runtime(const Settings& settings, std::uint64_t seed) {
  return on_gpu() ? gpu::make_cuda_runtime(0, settings) : gpu::make_shim_runtime(settings, seed);
}

// One rank's backend with what a query needs around it.
class DeviceRun {
 public:
  explicit DeviceRun(std::uint64_t seed = 1, Settings settings = shim_settings())
      : residency_(std::make_shared<gpu::Residency>()),
        backend_(make_gpu_backend("gpu", make_test_runtime(settings, seed), residency_)),
        query_{settings, pool_, cancellation_, profile_, 1} {}

  using Tables = std::map<std::string, std::shared_ptr<ArrayTable>>;

  // The outputs of all pipelines; a build's is null on the host.
  std::vector<std::shared_ptr<PipelineOutput>> run(const physical::Plan& plan, const Tables& tables, int rank = 0,
                                                   int ranks = 1) {
    RunState state{plan, query_,
                   rank, ranks,
                   {},   [&](const physical::TableScan& scan) -> std::shared_ptr<Table> {
                     return tables.at(scan.table); }};
    state.outputs.resize(plan.pipelines.size());
    profiles.clear();
    for (const physical::Pipeline& pipeline : plan.pipelines) {
      PipelineProfile profile;
      state.outputs[static_cast<std::size_t>(pipeline.id)] = backend_->run(pipeline, state, profile);
      profiles.push_back(profile);
    }
    return state.outputs;
  }

  Cancellation& cancellation() { return cancellation_; }
  std::vector<PipelineProfile> profiles;

 private:
  MemoryPool pool_{"test", 0};
  Cancellation cancellation_;
  Profile profile_;
  std::shared_ptr<gpu::Residency> residency_;
  std::unique_ptr<Backend> backend_;
  QueryContext query_;
};

inline std::string cell_text(const Cell& value, Lane lane) {
  if (value.null) return "NULL";
  if (lane != Lane::kFloat64) return decimal_text(value.integer, 0);
  if (std::isnan(value.real)) return "NaN";
  char text[40];
  snprintf(text, sizeof text, "%.12g", value.real == 0 ? 0.0 : value.real);
  return text;
}

inline Cell cell_at(const LaneColumn& column, std::int64_t row) {
  if (!column.is_valid(row)) return null_cell();
  switch (column.lane) {
    case Lane::kBoolean:
      return cell(column.as<std::uint8_t>()[row]);
    case Lane::kInt64:
      return cell(column.as<std::int64_t>()[row]);
    case Lane::kInt128:
      return cell(column.as<int128>()[row]);
    default:
      return real_cell(column.as<double>()[row]);
  }
}

// Rows as text, for comparison; sorted unless their order matters.
inline std::vector<std::string> texts(const RowSet& rows, bool ordered) {
  std::vector<std::string> result;
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    std::string text;
    for (const LaneColumn& column : rows.columns) text += cell_text(cell_at(column, row), column.lane) + "|";
    result.push_back(text);
  }
  if (!ordered) std::sort(result.begin(), result.end());
  return result;
}

inline std::vector<std::string> texts(const std::vector<Row>& rows, const std::vector<Lane>& lanes, bool ordered) {
  std::vector<std::string> result;
  for (const Row& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) text += cell_text(row[i], i < lanes.size() ? lanes[i] : Lane::kInt64) + "|";
    result.push_back(text);
  }
  if (!ordered) std::sort(result.begin(), result.end());
  return result;
}

// Expects the shim's output of every pipeline that has rows to be the reference's.
inline void expect_as_reference(const physical::Plan& plan, const DeviceRun::Tables& tables, std::uint64_t seed = 1,
                                int rank = 0, int ranks = 1) {
  std::vector<ReferencePipeline::Output> expected;
  for (const physical::Pipeline& pipeline : plan.pipelines) {
    const auto* scan = std::get_if<physical::TableScan>(&pipeline.source);
    const ArrayTable* table = scan == nullptr ? nullptr : tables.at(scan->table).get();
    expected.push_back(ReferencePipeline(plan, pipeline.id, expected).run(table, rank, ranks));
  }
  DeviceRun run(seed);
  const auto outputs = run.run(plan, tables, rank, ranks);
  for (const physical::Pipeline& pipeline : plan.pipelines) {
    if (std::holds_alternative<physical::JoinBuild>(pipeline.sink)) continue;
    const bool ordered = std::holds_alternative<physical::Sort>(pipeline.sink);
    std::vector<Lane> lanes;
    for (const physical::Slot& slot : physical::output_slots(plan, pipeline.id)) lanes.push_back(slot.lane);
    const auto id = static_cast<std::size_t>(pipeline.id);
    EXPECT_EQ(texts(outputs[id]->host_rows(), ordered), texts(expected[id].rows, lanes, ordered))
        << "pipeline " << pipeline.id << ", seed " << seed;
  }
}

}  // namespace saccade::test
